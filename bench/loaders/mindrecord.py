"""MindRecord through MindDataset, as MindSpore documents it: one reader thread, an order set by a sampler.

Options: path, order-driven: MindDataset has no random access, so each pass builds a dataset over its order.
"""
import mindspore.dataset as ds
from serve import load_numbers, serve


class MindRecordLoader:
    def __init__(self, options):
        self.path = options["path"]

    def stream(self, pairs):
        sampler = ds.SubsetSampler(list(pairs))
        data = ds.MindDataset(
            self.path, columns_list=["pair", "image", "caption"], sampler=sampler, num_parallel_workers=1
        )
        for row in data.create_dict_iterator(num_epochs=1, output_numpy=True):
            yield int(row["pair"]), row["image"].tobytes(), str(row["caption"]).encode()


if __name__ == "__main__":
    serve(MindRecordLoader)
