"""Hard negatives in the workers of a DataLoader over webdataset: python dataloader.py 'images/*.tar'."""
import glob
import sys

import capgraph
import torch
import webdataset as wds


def add_texts(samples):
    """Adds to each sample of a batch of them its caption's negatives. Each worker process has a capgraph of its own."""
    for sample, texts in zip(samples, capgraph.texts([sample["txt"] for sample in samples])):
        if not texts.reason:  # cleaning rejects some captions
            yield {"key": sample["__key__"], "caption": texts.text, "negatives": [n.text for n in texts.negatives if n.of == 0]}


def main(pattern):
    data = wds.DataPipeline(wds.SimpleShardList(sorted(glob.glob(pattern))), wds.split_by_worker, wds.tarfile_to_samples(), wds.decode(),
                            wds.batched(1024, collation_fn=list), lambda batches: (item for batch in batches for item in add_texts(batch)))
    for item in torch.utils.data.DataLoader(data, batch_size=None, num_workers=2):
        print(item["key"], item["caption"], item["negatives"][:1], sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
