"""The seven datasets of the FFSlim paper's Table I as recipes: how many media and texts, and how large."""
import dataclasses
import math
import random

KIB = 1024


@dataclasses.dataclass(frozen=True)
class Shape:
    name: str
    media: int  # at scale 1
    mean_texts: float  # texts per media
    min_texts: int
    max_texts: int
    media_bytes: int  # mean
    text_bytes: int  # mean
    extension: str

    @property
    def fixed(self):
        return self.min_texts == self.max_texts

    def media_at(self, scale):
        return max(2, round(self.media * scale))

    def texts_per_media(self, count, rng):
        """How many texts each of `count` media has: constant, or a long tail between the limits."""
        if self.fixed:
            return [self.min_texts] * count
        mean_excess = self.mean_texts - self.min_texts
        counts = [
            min(self.max_texts, self.min_texts + round(rng.expovariate(1 / mean_excess)))
            for _ in range(count)
        ]
        counts[rng.randrange(count)] = self.max_texts
        return counts

    def media_size(self, rng):
        return lognormal(rng, self.media_bytes, 0.45, minimum=2 * KIB)

    def text_size(self, rng):
        return lognormal(rng, self.text_bytes, 0.35, minimum=8)


def lognormal(rng, mean, sigma, minimum):
    """A size whose average is `mean` and whose logarithm spreads by `sigma`."""
    mu = math.log(mean) - sigma * sigma / 2
    return max(minimum, round(rng.lognormvariate(mu, sigma)))


SHAPES = {
    shape.name: shape
    for shape in (
        Shape("flickr30k", 31_000, 5, 5, 5, 136 * KIB, 63, "jpg"),
        Shape("f30e", 31_000, 5, 5, 5, 136 * KIB, 330, "jpg"),
        Shape("mscoco", 118_000, 5, 5, 5, 159 * KIB, 52, "jpg"),
        Shape("vqa2", 82_000, 5.4, 3, 275, 153 * KIB, 826, "jpg"),
        Shape("gqa", 69_000, 13.6, 1, 112, 138 * KIB, 125, "jpg"),
        Shape("msrvtt", 10_000, 20, 20, 20, 656 * KIB, 48, "mp4"),
        Shape("clotho", 4_000, 5, 5, 5, 1933 * KIB, 63, "wav"),
        Shape("onetoone", 31_000, 1, 1, 1, 136 * KIB, 63, "jpg"),  # not in the paper's table
    )
}

TABLE_1 = tuple(name for name in SHAPES if name != "onetoone")

# The first bytes of each kind, so that tools which look recognise it; the rest is noise.
MAGIC = {
    "jpg": bytes.fromhex("ffd8ffe000104a46494600010100000100010000"),
    "mp4": bytes.fromhex("0000001866747970") + b"isom\0\0\2\0isomiso2",
    "wav": b"RIFF\xf0\xff\xff\x7fWAVEfmt ",
}


def media_content(shape, seed, media, size):
    """The bytes of media number `media`: incompressible, and the same for the same seed."""
    magic = MAGIC[shape.extension]
    rng = random.Random(f"{seed}/{shape.name}/{media}")
    return magic + rng.randbytes(size - len(magic))


WORDS = (
    "a the two young man woman child dog white red blue large small old street field water "
    "house table bicycle standing sitting walking running holding looking playing beside "
    "under near with and of in on while another people group camera tree sky"
).split()


def text_content(rng, size):
    """`size` bytes of words; what follows the last whole word is cut."""
    words = []
    length = 0
    while length < size:
        words.append(rng.choice(WORDS))
        length += len(words[-1]) + 1
    return " ".join(words)[: size - 1].encode() + b"."
