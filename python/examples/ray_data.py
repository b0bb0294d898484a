"""Texts as columns of a dataset of Ray: python ray_data.py."""
import capgraph
import ray

CAPTIONS = ["a man in a red shirt holding a dog", "a brown horse in a field"]


def add_texts(table):
    return table.append_column("negatives", capgraph.texts(table["caption"]).negatives)


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    data = ray.data.from_items([{"caption": caption} for caption in CAPTIONS])
    for row in data.map_batches(add_texts, batch_format="pyarrow", batch_size=1024).take_all():
        print(row["caption"], list(row["negatives"])[:1], sep="\t")
