"""What epochs take of folders of texts, by capgraph_torch and docs/format.md alone: a line of JSON for each place in the order. The
argument is JSON, a list of [folder with *.parquet, seed, epoch, window, with replacement]."""
import functools, glob, itertools, json, os, sys
import pyarrow.parquet as pq
from capgraph_torch import CECLIP, NEGCLIP, Texts, numbers

HOW = {"mosaiclip": {"stage": 2}, "negclip": {"classes": NEGCLIP}, "ceclip": {"classes": CECLIP}}


def permuted(seed, epoch, purpose, key, n):
    random, order = numbers(purpose, seed, epoch, key), list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(random) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def drawn(seed, epoch, key, n):
    random = numbers("replacement", seed, epoch, key)
    return [next(random) % n for _ in range(n)]


@functools.cache
def texts_of(path, seed, name):
    return Texts(path, by="image_key", seed=seed, **HOW[name])


def order(folder, seed, epoch, window, replacement):
    """The images in their order: file, image key, and how often the window had it before."""
    shards = sorted(glob.glob(os.path.join(folder, "*.parquet")))
    images = [[key for key, _ in itertools.groupby(pq.read_table(s)["image_key"].to_pylist())] for s in shards]
    read = [(shards[i], key) for i in permuted(seed, epoch, "shards", "0", len(shards)) for key in images[i]]
    for w, first in enumerate(range(0, len(read), window)):
        of, key = read[first:first + window], f"0\n{w}"
        places = drawn(seed, epoch, key, len(of)) if replacement else permuted(seed, epoch, "order", key, len(of))
        for at, i in enumerate(places):
            yield *of[i], places[:at].count(i)


for folder, seed, epoch, window, replacement in json.loads(sys.argv[1]):
    for path, image, again in order(folder, seed, epoch, window, replacement):
        sample = {"image_key": image}
        for name in HOW:
            texts = texts_of(path, seed, name)
            texts.set_epoch(epoch + again * 2**32)
            got = texts[image]
            sample[name] = {k: got[k] for k in ("pos", "pos_id", "neg", "neg_of", "kind")} | {k: [round(x, 4) for x in got[k]] for k in ("weight", "margin")}
        print(json.dumps(sample | {"key": got["key"], "text": got["text"], "known": got["known"]}))
