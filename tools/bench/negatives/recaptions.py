"""Captions of vision–language models, which kinds.py measures."""
import json


def write_recaptions(data, file):
    """Writes DiscoSG's 300 captions and those of written/long.jsonl, 150 words in the mean, and returns the settings that read them."""
    graphs = json.loads((data / "discosg/human_anno_train_300.json").read_text())
    rows = [(g["caption"], f"discosg/{i}") for i, g in enumerate(graphs)]
    rows += [(r["text"], f"long/{r['file']}/{r['row']}") for r in map(json.loads, (data / "written/long.jsonl").read_text().splitlines())]
    file.write_text("".join(json.dumps({"caption": text, "image": key}) + "\n" for text, key in rows))
    return ["source.format=jsonl", "source.columns={caption: caption, image: image}", f"source.paths={file}"]
