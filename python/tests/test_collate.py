"""What a batch says is true of an image, against the columns of the corpus."""
import re
from pathlib import Path

import capgraph_torch as cg
import pytest
import torch


def test_true_is_what_the_ids_say(captions):
    texts = cg.Texts(str(captions.out / "texts"), by="image")
    rows = list(captions.rows.values())
    samples = [texts[image] | {"image": torch.zeros(3, 2, 2)} for image in sorted({row["image"] for row in rows})]
    batch = cg.collate(samples)
    n, m, r = len(samples), batch["m"], len(batch["of"])
    assert batch["images"].shape == (n, 3, 2, 2) and batch["true"].shape == (n, m + r) and len(batch["texts"]) == m + r
    known = {}
    for row in rows:
        known.setdefault(row["image"], {}).update(zip(row["pos_id"], row["pos"]))
    ids = [x for s in samples for x in s["pos_id"]]
    for i, s in enumerate(samples):
        assert batch["true"][i, :m].tolist() == [x in known[s["image_path"]] for x in ids]
        said = {cg.normalize(t) for t in known[s["image_path"]].values()}
        assert batch["true"][i, m:].tolist() == [cg.normalize(t) in said for t in batch["texts"][m:]]
    assert batch["true"][:, :m].sum() >= m
    owner = [i for i, s in enumerate(samples) for _ in s["pos"]]
    assert all(batch["true"][i, j] for j, i in enumerate(owner))
    negatives = iter(zip(batch["of"].tolist(), batch["kind"].tolist()))
    for i, s in enumerate(samples):
        for of, kind in zip(s["neg_of"], s["kind"]):
            p, k = next(negatives)
            assert owner[p] == i and batch["texts"][p] == s["pos"][of] and k == kind


def test_margins_and_weights_are_of_what_is_sure_and_concrete(captions):
    go = (Path(__file__).parents[2] / "schemas/drawing/concreteness.go").read_text()
    table = {name.lower(): float(x) for name, x in re.findall(r"(?:case schemas.Changed(\w+)|default):\s+return ([\d.]+)", go)}
    assert table == cg.draw.CONCRETENESS
    for classes in (None, cg.CECLIP):
        texts = cg.Texts(str(captions.out / "texts"), by="image", classes=classes)
        rows = {row["key"]: row for row in captions.rows.values()}
        samples = [texts[image] | {"image": torch.zeros(1)} for image in sorted({row["image"] for row in rows.values()})]
        batch, want, margin = cg.collate(samples), [], []
        for s in samples:
            row = rows[s["key"]]
            sure = dict(zip(row["pos"], row["pos_confidence"]))
            want += [max(sure[text], 0.01) for text in s["pos"]]
            changed = {(row["pos"][of], neg): how for of, neg, how in zip(row["neg_of"], row["neg"], row["neg_changed"])}
            margin += [sure[s["pos"][of]] * table.get(changed[s["pos"][of], neg], table[""]) for of, neg in zip(s["neg_of"], s["neg"])]
        torch.testing.assert_close(batch["weight"], torch.tensor(want))
        torch.testing.assert_close(batch["margin"], torch.tensor(margin))
        assert 0 < len(margin) and 0.3 < min(margin) and max(margin) <= 0.94
        push = cg.margins(len(samples), batch, 2.0)
        assert push.shape == batch["true"].shape and (push > 0).sum() == len(margin)


def test_negatives_behind_the_context_are_left_out():
    sample = {"image_key": "a", "image": torch.zeros(3, 2, 2), "pos": ["a b c d", "a b"], "pos_id": [1, 2], "neg": ["a b c e", "a f", "a b g d"], "neg_of": [0, 1, 0],
              "kind": [0, 0, 0], "known": [1, 2]}
    batch = cg.collate([sample])
    words = {w: i for i, w in enumerate(" abcdefg")}
    tokens = lambda n: torch.tensor([[words[w] for w in (t.split() + [" "] * n)[:n]] for t in batch["texts"]])  # noqa: E731
    assert cg.mask_cut(batch, tokens(4)) == 0 and not batch["true"][0, 2:].any()
    assert cg.mask_cut(batch, tokens(3)) == 1 and batch["true"][0].tolist() == [True, True, True, False, False]


def test_one_normal_form_is_one_id(captions):
    ids, forms = {}, {}
    for row in captions.rows.values():
        for text, x in zip(row["pos"], row["pos_id"]):
            assert ids.setdefault(cg.normalize(text), x) == x
            assert forms.setdefault(x, cg.normalize(text)) == cg.normalize(text)
    assert len(ids) > 100


def sample(known, neg=(), of=()):
    pos = known[:1]
    return {"image": torch.zeros(1), "image_key": known[0], "pos": pos, "pos_id": [cg.text_id(pos[0])], "neg": list(neg), "neg_of": list(of),
            "kind": [0] * len(of), "known": sorted(map(cg.text_id, known))}


def test_a_negative_that_is_true_of_another_image_leaves_its_denominator():
    batch = cg.collate([sample(["a red bus", "a bus"], ["a blue bus"], [0]), sample(["A blue bus.", "a bus"])])
    assert batch["true"].tolist() == [[True, False, False], [False, True, True]]
    assert batch["m"] == 2 and batch["of"].tolist() == [0]


def test_images_share_texts():
    batch = cg.collate([sample(["a bus"]), sample(["a red bus", "the bus"]), sample(["A bus"])])
    assert batch["true"].tolist() == [[True, False, True], [True, True, True], [True, False, True]]


def test_texts_that_another_image_states():
    """The images of TestMaskOfWhatOtherImagesState in Go, and the same masks."""
    def image(key, pos, neg, known, known_parts):
        return {"image": torch.zeros(1), "image_key": key, "pos": [""] * len(pos), "pos_id": list(pos), "pos_parts": list(pos.values()),
                "neg": neg, "neg_of": [0] * len(neg), "kind": [0] * len(neg), "known": known, "known_parts": known_parts}
    first = image("a", {1: [], 2: [1, 2]}, ["three", "four"], [1, 2], [1, 2, 3]) | {"neg_parts": [[1, 3], []]}
    second = image("b", {5: [], 6: [3]}, ["one", "eight"], [2, 5, 6], [1, 3, 9]) | {"neg_parts": [[2], [2, 9]]}
    for s in first, second:
        s["known"] = sorted(s["known"] + [cg.text_id("one")] * (1 in s["known"]))
    want = [[1, 1, 0, 1, 0, 0, 1, 0], [0, 1, 1, 1, 1, 0, 0, 0]]
    assert cg.collate([first, second])["true"].int().tolist() == want
    for s in first, second:
        del s["known_parts"]
    assert cg.collate([first, second])["true"].int().tolist() == [[1, 1, 0, 0, 0, 0, 1, 0], [0, 1, 1, 1, 0, 0, 0, 0]]


def stated(key, pos, neg):
    """A sample whose texts state parts: {text: parts}."""
    return {"image": torch.zeros(1), "image_key": key, "pos": list(pos), "pos_id": [cg.text_id(t) for t in pos], "pos_parts": [[], *list(pos.values())[1:]],
            "neg": list(neg), "neg_parts": list(neg.values()), "neg_of": [0] * len(neg), "kind": [0] * len(neg),
            "known": sorted(map(cg.text_id, pos)), "known_parts": sorted(set().union(*pos.values()))}


SAMPLES = [
    stated("a", {"a red bus by a tree": [1, 2, 3], "a red bus": [2]}, {"a blue bus": [4], "a tree on a bus": [9]}),
    stated("b", {"a blue bus": [1, 4], "a bus": [1]}, {"a blue car": [7]}),
    stated("c", {"two buses, red and blue": [1, 2, 4, 8]}, {}),
    stated("d", {"a car": [6], "a blue car": [6, 7]}, {"a bus": [1]}),
]


def gathered(rank, init, queue):
    torch.distributed.init_process_group("gloo", init_method=init, rank=rank, world_size=2)
    batch = cg.collate(SAMPLES[:3] if rank == 0 else SAMPLES[3:])
    image, text, whole = cg.gather(torch.zeros(len(batch["images"]), 2), torch.zeros(len(batch["texts"]), 2), batch)
    if rank == 0:
        queue.put({k: v.tolist() if k != "m" else v for k, v in whole.items() if k in ("true", "m", "of", "kind")} | {"shape": [len(image), len(text)]})
    torch.distributed.destroy_process_group()


def test_ranks_know_what_other_ranks_images_state(tmp_path):
    whole = cg.collate(SAMPLES)
    assert whole["true"].int().tolist() == [
        [1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1], [0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 1], [0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1], [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]]
    queue = torch.multiprocessing.get_context("spawn").SimpleQueue()
    torch.multiprocessing.spawn(gathered, (f"file://{tmp_path}/init", queue), nprocs=2)
    got = queue.get()
    assert got == {"true": whole["true"].tolist(), "m": whole["m"], "of": whole["of"].tolist(), "kind": whole["kind"].tolist(), "shape": [4, 11]}


def test_no_negatives_and_one_image():
    batch = cg.collate([sample(["a bus"])])
    assert batch["true"].tolist() == [[True]] and batch["of"].dtype == torch.int64 and batch["of"].shape == (0,)
    assert cg.mosaiclip(torch.ones(1, 3), torch.ones(1, 3), 10.0, batch["true"], batch["m"]) == 0
    assert cg.CEClip()(torch.ones(1, 3), torch.ones(1, 3), 10.0, batch["of"], batch["kind"]) == 0


def test_an_image_that_is_missing_is_left_out_and_named():
    here, gone = sample(["a bus"], ["a car"], [0]), sample(["a dog"]) | {"image": None, "error": "FileNotFoundError: dog.jpg"}
    batch = cg.collate([gone, here, here])
    assert batch["missing"] == {"a dog": "FileNotFoundError: dog.jpg"} and batch["m"] == len(batch["images"]) == 2
    assert batch["of"].tolist() == [0, 1] and batch["true"].tolist() == [[True, True, False, False]] * 2
    with pytest.raises(ValueError, match="none of the 1 images .* a dog: FileNotFoundError: dog.jpg"):
        cg.collate([gone])


def test_texts_with_their_paraphrases():
    """A text with the same paraphrase twice, and once turned around, as TestPairsThatSayTheSame in Go."""
    def image(*pairs):
        ids = [list(x) for x in zip(*pairs)] or [[], []]
        return sample(["a bus"]) | {"pair_texts": [f"t{x}" for x in ids[0]], "pair_ids": ids[0], "paraphrases": [f"t{x}" for x in ids[1]], "paraphrase_ids": ids[1]}

    batch = cg.collate([image((1, 2), (3, 4)), image(), image((1, 2), (4, 3))])
    assert batch["pair_texts"] == ["t1", "t3", "t1", "t4"] and batch["paraphrases"] == ["t2", "t4", "t2", "t3"]
    assert batch["same"].tolist() == [[True, False, True, False], [False, True, False, True]] * 2
    assert cg.collate([image()])["same"].shape == (0, 0)
    assert "same" not in cg.collate([sample(["a bus"])])


def test_pairs_are_the_first_paraphrases_of_the_row(captions):
    for most in (0, 1, 3):
        texts, found = cg.Texts(str(captions.out / "texts"), pairs=most), 0
        for row in captions.rows.values():
            sample = texts[row["key"]]
            want = [(row["pos"][k - 1], row["pos"][k]) for k, kind in enumerate(row["pos_kind"]) if kind == "paraphrase"][:most]
            assert list(zip(sample.get("pair_texts", []), sample.get("paraphrases", []))) == want
            assert sample.get("pair_ids", []) + sample.get("paraphrase_ids", []) == [cg.text_id(t) for pair in zip(*want) for t in pair]
            found += len(want)
        assert (found > 0) == (most > 0)
