"""What an epoch takes of a folder of texts, by capgraph_torch and docs/format.md alone: a line of JSON for each place in the order.
Arguments: the folder with *.parquet, seed, epoch, window, and 1 for replacement."""
import functools, glob, itertools, json, os, sys
import pyarrow.parquet as pq
from capgraph_torch import CECLIP, NEGCLIP, Texts, numbers

folder, (seed, epoch, window, replacement) = sys.argv[1], map(int, sys.argv[2:])


def permuted(purpose, key, n):
    random, order = numbers(purpose, seed, epoch, key), list(range(n))
    for i in range(n - 1, 0, -1):
        j = next(random) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def drawn(key, n):
    random = numbers("replacement", seed, epoch, key)
    return [next(random) % n for _ in range(n)]


@functools.cache
def texts_of(path, how):
    return Texts(path, by="image_key", seed=seed, **dict(how))


shards = sorted(glob.glob(os.path.join(folder, "*.parquet")))
images = [[k for k, _ in itertools.groupby(pq.read_table(s)["image_key"].to_pylist())] for s in shards]
read = [(shards[i], key) for i in permuted("shards", "0", len(shards)) for key in images[i]]
for w, first in enumerate(range(0, len(read), window)):
    of, times = read[first:first + window], {}
    for i in drawn(f"0\n{w}", len(of)) if replacement else permuted("order", f"0\n{w}", len(of)):
        (path, key), again = of[i], times.get(i, 0)
        times[i] = again + 1
        sample = {"image_key": key}
        for name, how in (("mosaiclip", {"stage": 2}), ("negclip", {"classes": NEGCLIP}), ("ceclip", {"classes": CECLIP})):
            texts = texts_of(path, tuple(how.items()))
            texts.set_epoch(epoch + again * 2**32)
            got = texts[key]
            sample[name] = {k: got[k] for k in ("pos", "pos_id", "neg", "neg_of", "kind")}
        print(json.dumps(sample | {"key": got["key"], "text": got["text"], "known": sorted(set(got["known"]["pos_id"]))}))
