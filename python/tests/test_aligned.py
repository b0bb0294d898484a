"""Exports of phrases and triplets, read without capgraph."""
import json
import subprocess


def test_aligned_exports(binary, tmp_path):
    """Phrases as readers of Flickr30k Entities take them apart, and triplets by their places."""
    captions = ["A café dog rides a red horse.", "Two young men in hats sit on a bench near a tree.", "A man without a hat."]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"image": f"{i}.jpg", "caption": c}) + "\n" for i, c in enumerate(captions)))
    run = lambda *args: subprocess.run([binary, *args], cwd=tmp_path, check=True, capture_output=True)
    run("run", "--set", "source.format=jsonl", "--set", "source.paths=in.jsonl", "--set", "output.dir=out", "--set", "negatives.public_counts=1000")
    run("export", "out", "--to", "phrases", "-o", "phrases.tsv")
    run("export", "out", "--to", "triplets", "-o", "triplets.jsonl")
    seen = []
    for line, caption in zip((tmp_path / "phrases.tsv").read_text().splitlines(), captions):
        image, marked = line.split("\t")
        words, phrases, inside = [], [], None
        for token in marked.split():
            if token.startswith("[/EN#"):
                inside = [token[5:].split("/")[0]]
                continue
            end = "]" in token
            words.append(token.replace("]", ""))
            if inside is not None:
                inside.append(token.split("]")[0])
                if end:
                    phrases.append((inside[0], " ".join(inside[1:])))
                    inside = None
        assert " ".join(words) == caption
        seen.append(phrases)
    assert seen[0] == [("1", "A café dog"), ("2", "a red horse")]
    assert [p for _, p in seen[1]] == ["Two young men", "hats", "a bench", "a tree"]
    assert seen[2] == [("1", "A man"), ("0", "a hat")]
    rows = [json.loads(line) for line in (tmp_path / "triplets.jsonl").read_text().splitlines()]
    assert [row["caption"] for row in rows] == captions
    said = 0
    for row in rows:
        for t in row["triplets"]:
            for part in t.values():
                if part["start"] is not None:
                    said += 1
                    assert row["caption"][part["start"]:part["end"]].lower() == part["text"]
    assert said >= 9 and not rows[2]["triplets"]
