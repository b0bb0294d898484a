"""Counts the scores of the files beside it, each as the benchmark's own script does.

Images and texts have the features that the test's encoder gives them: eight whole
numbers from -8 to 7 of a hash of the name, so that sums are exact and ties are
many. argv[1] names a JSON file with the options of ARO's word order, whose
shuffles need a tagger. Prints {file: {measure: value}}. The standard library alone.
"""
import ast
import csv
import hashlib
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def feature(name):
    return [byte % 16 - 8 for byte in hashlib.sha256(name.encode()).digest()[:8]]


def image(name, box=None):
    return feature("image %s %s" % (name, "%d %d %d %d" % box if box else ""))


def text(words):
    return feature("text " + words)


def sim(a, b):
    return sum(x * y for x, y in zip(a, b))


def share(rights):
    rights = list(rights)
    return sum(rights) / len(rights)


def load(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        if name.endswith((".jsonl", ".jsonlines")):
            return [json.loads(line) for line in file]
        if name.endswith(".csv"):
            return list(csv.DictReader(file))
        return json.load(file)


def pairs(cases):
    """cases: (image, true caption, false caption)."""
    margins = [sim(i, text(true)) - sim(i, text(false)) for i, true, false in cases]
    return {
        "accuracy": share(m > 0 for m in margins),
        "intra-modal similarity": share(sim(text(true), text(false)) for _, true, false in cases),
        "cross-modal gap": share(margins),
    }


def first(i, texts):
    """Is the image nearer to the first text than to any other?"""
    scores = [sim(i, text(t)) for t in texts]
    return all(scores[0] > s for s in scores[1:])


def sugarcrepe():
    return pairs([(image(e["filename"]), e["caption"], e["negative_caption"]) for e in load("sugarcrepe.json").values()])


def cc_neg():
    file = load("cc_neg.json")
    return pairs([(image(os.path.basename(path)), e["json"]["caption"], e["sop_data"]["negative-prompt"].replace(",", ""))
                  for path, e in zip(file["image_paths"], file["annotations"])])


def sugarcrepe_pp():
    itt, tot = [], []
    for e in load("sugarcrepepp.json"):
        i, p1, p2, n = image(e["filename"]), text(e["caption"]), text(e["caption2"]), text(e["negative_caption"])
        itt.append(sim(i, p1) > sim(i, n) and sim(i, p2) > sim(i, n))
        tot.append(sim(p1, p2) > sim(p1, n) and sim(p1, p2) > sim(p2, n))
    return {"image-to-text": share(itt), "text-only": share(tot)}


def aro(name, least, over):
    data = load(name)
    box = lambda e: (e["bbox_x"], e["bbox_y"], e["bbox_x"] + e["bbox_w"], e["bbox_y"] + e["bbox_h"])
    scores = pairs([(image(e["image_path"], box(e)), e["true_caption"], e["false_caption"]) for e in data])
    groups = {}
    for e in data:
        key = e.get("relation_name") or "_".join(e["attributes"])
        groups.setdefault(key, []).append(first(image(e["image_path"], box(e)), [e["true_caption"], e["false_caption"]]))
    scores["accuracy, mean over " + over] = share(share(g) for g in groups.values() if len(g) >= least)
    return scores


def order():
    with open(sys.argv[1], encoding="utf-8") as file:
        return {"accuracy": share(first(image(name), texts) for name, texts in json.load(file))}


def valse():
    return pairs([(image(e["image_file"]), e["caption"], e["foil"]) for e in load("valse.json").values() if e["mturk"]["caption"] >= 2])


def vl_checklist():
    return pairs([(image(name), e["POS"][0], e["NEG"][0]) for name, e in load("vlchecklist.json")])


def crepe(name, columns):
    scores = {}
    for measure, column in columns.items():
        ranks = []
        for e in load(name):
            negatives = ast.literal_eval(e[column])
            x, y, w, h = (int(e[c]) for c in ("x", "y", "width", "height"))
            if negatives:
                ranks.append(first(image(e["image_id"] + ".jpg", (x, y, x + w, y + h)), [e["caption"]] + negatives))
        scores[measure] = share(ranks)
    return scores


def cola():
    rights = []
    for i0, c0, i1, c1 in load("cola.json"):
        i0, i1 = image(os.path.basename(i0)), image(os.path.basename(i1))
        rights.append(sim(i0, text(c0)) > sim(i1, text(c0)) and sim(i1, text(c1)) > sim(i0, text(c1)))
    return {"accuracy": share(rights)}


def svo():
    return {"accuracy": share(
        sim(image(e["pos_image_id"] + ".jpg"), text(e["sentence"])) > sim(image(e["neg_image_id"] + ".jpg"), text(e["sentence"]))
        for e in load("svo_probes.csv"))}


def two_by_two(cases, names=("text score", "image score", "group score")):
    """cases: (image, image, caption of the first, caption of the second)."""
    texts, images, groups = [], [], []
    for i0, i1, c0, c1 in cases:
        s = {(c, i): sim(image(name), text(words)) for c, words in enumerate((c0, c1)) for i, name in enumerate((i0, i1))}
        texts.append(s[0, 0] > s[1, 0] and s[1, 1] > s[0, 1])
        images.append(s[0, 0] > s[0, 1] and s[1, 1] > s[1, 0])
        groups.append(texts[-1] and images[-1])
    return dict(zip(names, (share(texts), share(images), share(groups))))


def winoground():
    return two_by_two([(e["image_0"] + ".png", e["image_1"] + ".png", e["caption_0"], e["caption_1"]) for e in load("winoground.jsonl")])


def colorswap():
    return two_by_two([(e["image_1"], e["image_2"], e["caption_1"], e["caption_2"]) for e in load("colorswap.json")])


def bivlc():
    cases = [(e["image"], e["negative_image"], e["caption"], e["negative_caption"]) for e in load("bivlc.jsonl")]
    return two_by_two(cases, ("image-to-text", "text-to-image", "group score"))


def eqben_subset():
    return two_by_two([(e["image0"], e["image1"], e["caption0"], e["caption1"]) for e in load("eqben_subset.json")])


def eqben():
    """The similarity of each entry by its name and sample, as the script stores it."""
    samples = {}
    for e in load("eqben.json"):
        info = e["private_info"]
        samples.setdefault(info["sample_cnt"], {})[info["name"]] = sim(image(e["image"]), text(e["caption"]))
    right_texts = [s["c0i0"] > s["c1i0"] and s["c1i1"] > s["c0i1"] for s in samples.values()]
    right_images = [s["c0i0"] > s["c0i1"] and s["c1i1"] > s["c1i0"] for s in samples.values()]
    both = [t and i for t, i in zip(right_texts, right_images)]
    return {"text score": share(right_texts), "image score": share(right_images), "group score": share(both)}


def naturalbench():
    return two_by_two([(e["image_0"], e["image_1"], e["caption_0"], e["caption_1"]) for e in load("naturalbench.json")])


def negbench():
    rights = []
    for e in load("negbench_mcq.csv"):
        i = image(os.path.basename(e["image_path"]))
        scores = [sim(i, text(e["caption_%d" % n])) for n in range(4)]
        right = int(e["correct_answer"])
        rights.append(all(scores[right] > s for n, s in enumerate(scores) if n != right))
    return {"accuracy": share(rights)}


def half_truths():
    rights, orders = [], []
    for e in load("half_truths.jsonl"):
        anchor, half, full = (sim(image(e["image"]), text(e[name])) for name in ("anchor", "half_truth", "full_truth"))
        rights.append(anchor > half)
        orders.append(full > anchor > half)
    return {"half-truth accuracy": share(rights), "correct-ordering rate": share(orders)}


def mmvp():
    rights = []
    rows = load("mmvp_vlm.csv")
    for one, two in zip(rows[::2], rows[1::2]):
        images = [image("%s/%s.jpg" % (one["Type"], e["Question ID"])) for e in (one, two)]
        texts = [text("a photo of " + e["Statement"]) for e in (one, two)]
        rights.append(sim(images[0], texts[0]) > sim(images[1], texts[0]) and sim(images[1], texts[1]) > sim(images[0], texts[1]))
    return {"accuracy": share(rights)}


def spec(name, measure, query, key):
    rights = []
    for e in load(name):
        scores = [sim(query(e["query"]), key(k)) for k in e["keys"]]
        rights.append(all(scores[e["label"]] > s for n, s in enumerate(scores) if n != e["label"]))
    return {measure: share(rights)}


def whatsup():
    data = load("whatsup.json")
    right = [first(image(e["image_path"]), e["caption_options"]) for e in data]
    sets = {}
    for e, r in zip(data, right):
        words = os.path.basename(e["image_path"])[:-5].split("_")
        sets.setdefault((words[0], words[-1]), {})[words[1]] = r
    couples = sum((s["left"] and s["right"]) + (s["on"] and s["under"]) for s in sets.values())
    return {"accuracy": share(right), "pairs": couples / (len(data) / 2), "sets of four": sum(all(s.values()) for s in sets.values()) / (len(data) / 4)}


def whatsup_spatial(name, called):
    return pairs([(image(called(e[0])), e[1], e[2]) for e in load(name)])


def vsr():
    rights = []
    for e in load("vsr.jsonl"):
        false, true = (sim(image(e["image"]), text(e["caption"] + end)) for end in (" (False)", " (True)"))
        rights.append(true > false if e["label"] else false > true)
    return {"accuracy": share(rights)}


def own_groups():
    texts, images, groups = [], [], []
    for e in load("own_groups.jsonl"):
        s = [[sim(image(i), text(t)) for t in e["captions"]] for i in e["images"]]
        texts.append(all(s[k][k] > s[k][t] for k in range(2) for t in range(len(e["captions"])) if t != k))
        images.append(all(s[k][k] > s[1 - k][k] for k in range(2)))
        groups.append(texts[-1] and images[-1])
    return {"text score": share(texts), "image score": share(images), "group score": share(groups)}


def own_confusion():
    return {"accuracy": share(first(image(e["images"]), e["captions"]) for e in load("own_confusion.jsonl"))}


def retrieval(data):
    """data: (image, captions)."""
    images = [image(name) for name, _ in data]
    texts = [(text(t), i) for i, (_, captions) in enumerate(data) for t in captions]
    scores = {}
    for k in (1, 5, 10):
        hits = []
        for t, own in texts:
            hits.append(sum(sim(i, t) >= sim(images[own], t) for n, i in enumerate(images) if n != own) < k)
        scores["text to image R@%d" % k] = share(hits)
        hits = []
        for n, i in enumerate(images):
            best = max(sim(i, t) for t, own in texts if own == n)
            hits.append(sum(sim(i, t) >= best for t, own in texts if own != n) < k)
        scores["image to text R@%d" % k] = share(hits)
    scores["text to image nDCG@10"] = share(
        ndcg(rank_all([(sim(i, t), n == own) for n, i in enumerate(images)])) for t, own in texts)
    scores["image to text nDCG@10"] = share(
        ndcg(rank_all([(sim(i, t), own == n) for t, own in texts])) for n, i in enumerate(images))
    return scores


def rank_all(scored):
    """The relevance of all answers, the highest score first; of ties those that are not relevant first."""
    return [relevant for _, relevant in sorted(scored, key=lambda e: (-e[0], e[1]))]


def ndcg(relevance):
    """ndcg_at_10 of MTEB, as pytrec_eval computes it."""
    dcg = lambda ranking: sum(relevant / math.log2(rank + 2) for rank, relevant in enumerate(ranking[:10]))
    return dcg(relevance) / dcg(sorted(relevance, reverse=True))


def urban1k():
    folder = os.path.join(HERE, "urban1k", "caption")
    data = []
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            data.append((name[:-4] + ".jpg", [file.readlines()[0].strip()]))
    return retrieval(data)


def zeroshot():
    data = load("labels.csv")
    labels = sorted({e["label"] for e in data})
    classes = []
    for label in labels:
        features = [text(t % label.replace("_", " ")) for t in ("a photo of a %s.", "the %s")]
        mean = [sum(f) / len(features) for f in zip(*features)]
        length = sum(x * x for x in mean) ** 0.5
        classes.append([x / length for x in mean])
    ones, fives, each = [], [], {}
    for e in data:
        scores = [sim(image(e["image"]), c) for c in classes]
        own = scores[labels.index(e["label"])]
        before = sum(s >= own for s in scores) - 1
        ones.append(before < 1)
        fives.append(before < 5)
        each.setdefault(e["label"], []).append(before < 1)
    return {"top-1": share(ones), "top-5": share(fives), "top-1, mean over classes": share(share(e) for e in each.values())}


def tree_scores():
    """The score of the tree whose splits are the best of each span, less that of random splits of the same spans, on average."""
    scores = {}
    for layer in (0, 1, 2):
        values = []
        for words in (e["caption"][0].split() for e in load("captions.json")):
            def invariance(i, j):
                return feature("span %d %d %d of %s" % (layer, i, j, " ".join(words)))[0]

            def project(i, j):
                """Of words i to j, both included."""
                if i == j:
                    return 0
                values = {k: invariance(i, k) + invariance(k + 1, j) for k in range(i, j)}
                split = max(values, key=values.get)
                return project(i, split) + project(split + 1, j) + values[split] - sum(values.values()) / len(values)

            values.append(project(0, len(words) - 1))
        scores["spans alone from layer %d" % layer] = sum(values) / len(values)
    return scores


print(json.dumps({
    "tree of captions.json": tree_scores(),
    "captions.json": retrieval([(e["image"], e["caption"]) for e in load("captions.json")]),
    "negbench_retrieval.csv": retrieval([(os.path.basename(e["filepath"]), ast.literal_eval(e["captions"])) for e in load("negbench_retrieval.csv")]),
    "docci.jsonlines": retrieval([(e["image_file"], [e["description"]]) for e in load("docci.jsonlines") if e["split"] == "test"]),
    "urban1k": urban1k(),
    "labels.csv": zeroshot(),
    "sugarcrepe.json": sugarcrepe(),
    "cc_neg.json": cc_neg(),
    "sugarcrepepp.json": sugarcrepe_pp(),
    "aro_relation.json": aro("aro_relation.json", 1, "relations"),
    "aro_attribution.json": aro("aro_attribution.json", 25, "pairs of attributes"),
    "aro_order.json": order(),
    "valse.json": valse(),
    "vlchecklist.json": vl_checklist(),
    "crepe_syst.csv": crepe("crepe_syst.csv", {"R@1 of atom": "valid_hard_negs_atom", "R@1 of comp": "valid_hard_negs_comp"}),
    "crepe_prod.csv": crepe("crepe_prod.csv", {"R@1": "hard_negs"}),
    "cola.json": cola(),
    "svo_probes.csv": svo(),
    "winoground.jsonl": winoground(),
    "colorswap.json": colorswap(),
    "bivlc.jsonl": bivlc(),
    "eqben_subset.json": eqben_subset(),
    "eqben.json": eqben(),
    "naturalbench.json": naturalbench(),
    "negbench_mcq.csv": negbench(),
    "half_truths.jsonl": half_truths(),
    "mmvp_vlm.csv": mmvp(),
    "image2text.json": spec("image2text.json", "image-to-text", image, text),
    "text2image.json": spec("text2image.json", "text-to-image", text, image),
    "whatsup.json": whatsup(),
    "whatsup_coco.json": whatsup_spatial("whatsup_coco.json", lambda i: "%012d.jpg" % i),
    "whatsup_gqa.json": whatsup_spatial("whatsup_gqa.json", lambda i: i + ".jpg"),
    "vsr.jsonl": vsr(),
    "own_groups.jsonl": own_groups(),
    "own_confusion.jsonl": own_confusion(),
}))
