"""What the scripts that write pages of docs/measurements share."""
import datetime
import json
import re
import sys
from pathlib import Path


def stage_versions(run):
    """The versions of the stages that made the texts of a run: "clean/2, ruleparse/31, …"."""
    plans = [json.loads(Path(run, f".capgraph/plans/{p}.json").read_text())["version"].split() for p in ("parse", "texts")]
    versions = {v.split("/")[0]: v for v in sum(plans, [])}
    return ", ".join(versions[stage] for stage in ("clean", "ruleparse", "negatives", "balance"))


def replace_one(pattern, text, page):
    """Replaces the first match in the page; it is an error if there is none."""
    changed, found = re.subn(pattern, lambda _: text, page.read_text(), count=1, flags=re.DOTALL)
    if not found:
        sys.exit(f"{page}: nothing matches {pattern}")
    page.write_text(changed)


def replace_date(page, run, command):
    """Replaces the first line of a page that begins with "Measured on"."""
    line = f"Measured on {datetime.date.today()} with {stage_versions(run)} by `{command}`."
    replace_one(r"Measured on [^\n]*", line, page)


def replace_table(page, name, lines):
    """Replaces what is between the markers of a table."""
    begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
    replace_one(f"{begin}.*?{end}", "\n".join([begin, "", *lines, "", end]), page)
