"""A run on a machine of Hugging Face Jobs, whose output becomes a dataset of the Hub:
python hf_jobs.py USER/CAPTIONS/data parquet caption USER/TEXTS https://…/capgraph-….whl. Needs 'hf auth login'."""
import shlex
import sys

import huggingface_hub

FLAVOR, TIMEOUT = "cpu-upgrade", "6h"  # of the machine; a job is ended after that time


def script(dataset, form, column, target, wheel):
    """What the machine runs. A run there reads the Hub; a job that is started again uploads only the chunks that changed."""
    source = dataset if "://" in dataset or dataset.startswith("/") else f"hf://datasets/{dataset}"
    sets = [f"source.format={form}", f"source.paths={source}", f"source.columns.caption={column}", "output.dir=out"]
    run = ["capgraph", "run", "--progress", "plain", *(word for setting in sets for word in ("--set", setting))]
    steps = [["pip", "install", "-q", "huggingface_hub", wheel], run, ["capgraph", "verify", "out"], ["hf", "upload", "--repo-type", "dataset", target, "out", "."]]
    return " && ".join(map(shlex.join, steps))


if __name__ == "__main__":
    job = huggingface_hub.run_job(image="python:3.12", command=["bash", "-c", script(*sys.argv[1:])], flavor=FLAVOR, timeout=TIMEOUT,
                                  secrets={"HF_TOKEN": huggingface_hub.get_token()})
    print(job.url)
