"""MosaicML Streaming on local shards: StreamingDataset, indexed at random. Options: path."""
from serve import serve
from streaming import StreamingDataset


class MdsLoader:
    """allow_unsafe_types is off and shuffle too: the driver's own order is used, as for all others."""

    def __init__(self, options):
        self.data = StreamingDataset(local=options["path"], remote=None, shuffle=False, batch_size=1)

    def read(self, pair):
        sample = self.data[pair]
        return sample["image"], sample["caption"].encode()


if __name__ == "__main__":
    serve(MdsLoader)
