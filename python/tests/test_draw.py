"""The draw and the normal form, by the test vectors that Go reads as well."""
import itertools
import json
from pathlib import Path

import capgraph_torch as cg
import pytest
from capgraph_torch.draw import draw_view, paraphrase_pairs, sentences

VECTORS = json.loads((Path(__file__).parents[2] / "schemas/drawing/testdata/draw.json").read_text())
ROWS = {row["key"]: row for row in VECTORS["Rows"]}


@pytest.mark.parametrize("v", VECTORS["Numbers"], ids=lambda v: v["Purpose"])
def test_numbers(v):
    assert list(itertools.islice(cg.numbers(v["Purpose"], v["Seed"], v["Epoch"], v["Key"]), 3)) == v["Want"]


def test_the_draws_are_those_of_go():
    assert len(VECTORS["Draws"]) >= 50
    for v in VECTORS["Draws"]:
        row, seed, epoch = ROWS[v["Key"]], v["Seed"], v["Epoch"]
        assert cg.pick(cg.numbers("caption", seed, epoch, v["Key"]), range(5)) == v["Caption"]
        assert cg.draw_texts(row, seed, epoch, v["Stage"], bare=v["Bare"], specific=v["Specific"])[:2] == (v["Pos"] or [], v["Neg"] or []), v
        for classes, want in ((cg.NEGCLIP, v["NegCLIP"]), (cg.CECLIP, v["CECLIP"])):
            _, neg, kind = cg.draw_caption(row, seed, epoch, classes)
            drawn = dict(zip(kind, neg))
            assert [drawn.get(c, -1) for c in range(len(classes))] == want, v


def test_the_views_are_those_of_go():
    assert len(VECTORS["Views"]) >= 50
    for v in VECTORS["Views"]:
        views = {"whole": v["Whole"], "sentences": v["Sentences"], "parts": v["Parts"]}
        assert draw_view(ROWS[v["Key"]], v["Seed"], v["Epoch"], views, not v["LeaveFirst"], v["Bare"]) == (v["View"], v["Positive"]), v


def test_sentences():
    """The table of TestSentences in Go."""
    for text, want in {
        "": [], "a dog": ["a dog"], "A dog runs.  It is brown! Why?": ["A dog runs.", "It is brown!", "Why?"],
        'He says "Go." Then (he runs.) 3 cats look.': ['He says "Go."', "Then (he runs.)", "3 cats look."],
        "Mr. Lee of the U.S. Army, e.g. J. Doe, sits": ["Mr. Lee of the U.S. Army, e.g. J. Doe, sits"],
        "A sign reads stop. and no more... Über": ["A sign reads stop. and no more...", "Über"],
        "version 2.5 of example.org": ["version 2.5 of example.org"], ". . .": [".", ".", "."],
    }.items():
        assert sentences(text) == want


def test_unknown_views_are_refused():
    with pytest.raises(ValueError, match="short: want whole, sentences and parts"):
        draw_view(VECTORS["Rows"][0], 0, 0, {"short": 1})


def test_paraphrase_pairs():
    """The row of TestParaphrasesOfARow in Go."""
    row = {"pos_kind": ["caption", "object", "paraphrase", "paraphrase", "relation", "paraphrase"]}
    assert [paraphrase_pairs(row, most) for most in range(5)] == [[(1, 2), (1, 3), (4, 5)][:most] for most in range(5)]


def test_unknown_classes_are_refused():
    with pytest.raises(ValueError, match="none: want c_obj, c_rel, c_attr and caption"):
        cg.draw_texts(VECTORS["Rows"][0], 0, 0, weights={"c_obj": 1, "none": 1})


def test_normal_form():
    """Two texts have one normal form exactly where they have one pos_id: docs/format.md's table."""
    page = (Path(__file__).parents[2] / "docs/format.md").read_text()
    page = page.split("## Normalised text and pos_id")[1].split("\n## ")[0]
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| `") and line.count("|") == 4]
    rows = [[c.strip() for c in row] for row in rows]
    assert len(rows) >= 10
    for text, normal, _ in rows:
        if text.startswith("`") and text.endswith("`"):
            normal = "" if normal == "(empty)" else normal.strip("`")
            assert cg.normalize(text[1:-1]) == normal, text
    assert cg.normalize("Cafe\u0301 au lait") == "café au lait"
    assert cg.normalize("") == ""
