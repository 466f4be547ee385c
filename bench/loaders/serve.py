"""What every Python loader shares: obeys the driver line by line, times passes, checks every pair.

A loader is `serve(Class)`: Class(options) opens the data; read(pair) gives (media, text), both bytes, or, for data that
come in an order of their own, stream(pairs) yields (pair, media, text). Options are KEY=VALUE arguments; `sampled` and `full` name the files of expected fingerprints (../dataset.py).

Lines on standard input, a JSON line answers each:
    open                                      construct Class
    pass ORDER COUNT WORKER WORKERS LATENCIES  read every WORKERS-th of the first COUNT pairs of ORDER, from WORKER on;
                                              LATENCIES: file to write the seconds of each read into, or -
    verify COUNT                              read pairs 0..COUNT-1, check every byte
"""
import array
import json
import sys
import time
import zlib


def load_numbers(path):
    numbers = array.array("I")
    with open(path, "rb") as file:
        numbers.frombytes(file.read())
    return numbers


def sampled_fingerprint(media, text):
    """As in ../dataset.py; here again because loaders run alone, in environments of their own."""
    size = len(media)
    crc = zlib.crc32(media[:64], size & 0xFFFFFFFF)
    crc = zlib.crc32(media[size // 2 : size // 2 + 64], crc)
    crc = zlib.crc32(media[-64:], crc)
    return zlib.crc32(text, crc)


def full_fingerprint(media, text):
    return zlib.crc32(text, zlib.crc32(media))


class Tally:
    """One pass: its clock, its bytes, and the pairs that did not read as expected."""

    def __init__(self, expected, fingerprint):
        self.expected, self.fingerprint = expected, fingerprint
        self.latencies = array.array("f")
        self.wrong = self.media_bytes = 0
        self.start = time.monotonic()

    def add(self, pair, media, text, seconds):
        self.latencies.append(seconds)
        self.media_bytes += len(media)
        if self.fingerprint(media, text) != self.expected[pair]:
            self.wrong += 1

    def report(self):
        return {
            "start": self.start,
            "end": time.monotonic(),
            "pairs": len(self.latencies),
            "media_bytes": self.media_bytes,
            "wrong": self.wrong,
        }


def read_pairs(read, pairs, tally):
    clock = time.perf_counter
    for pair in pairs:
        begin = clock()
        media, text = read(pair)
        tally.add(pair, media, text, clock() - begin)


def read_stream(stream, tally):
    """For data that come in an order of their own: yields (pair, media, text)."""
    clock = time.perf_counter
    begin = clock()
    for pair, media, text in stream:
        tally.add(pair, media, text, clock() - begin)
        begin = clock()


class Server:
    def __init__(self, loader_class, options):
        self.loader_class, self.options = loader_class, options
        self.sampled = load_numbers(options["sampled"])
        self.full = load_numbers(options["full"])
        self.loader = None

    def open(self):
        begin = time.monotonic()
        self.loader = self.loader_class(self.options)
        return {"seconds": time.monotonic() - begin}

    def run_pass(self, order, count, worker, workers, latencies):
        pairs = load_numbers(order)[: int(count)][int(worker) :: int(workers)]
        tally = Tally(self.sampled, sampled_fingerprint)
        if hasattr(self.loader, "stream"):
            read_stream(self.loader.stream(pairs), tally)
        else:
            read_pairs(self.loader.read, pairs, tally)
        report = tally.report()
        if latencies != "-":
            with open(latencies, "wb") as file:
                tally.latencies.tofile(file)
        return report

    def verify(self, count):
        tally = Tally(self.full, full_fingerprint)
        if hasattr(self.loader, "stream"):
            read_stream(self.loader.stream(range(int(count))), tally)
        else:
            read_pairs(self.loader.read, range(int(count)), tally)
        return tally.report()

    def answer(self, words):
        actions = {"open": self.open, "pass": self.run_pass, "verify": self.verify}
        try:
            return actions[words[0]](*words[1:])
        except Exception as error:  # the driver records it as the cell's outcome
            return {"error": f"{type(error).__name__}: {error}"}


def serve(loader_class):
    options = dict(argument.split("=", 1) for argument in sys.argv[1:])
    # Libraries print; the protocol keeps the real standard output to itself.
    output, sys.stdout = sys.stdout, sys.stderr
    server = Server(loader_class, options)
    print(json.dumps({"ready": True}), file=output, flush=True)
    for line in sys.stdin:
        print(json.dumps(server.answer(line.split())), file=output, flush=True)
