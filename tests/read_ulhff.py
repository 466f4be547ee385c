#!/usr/bin/env python3
"""Reads a ULHFF 1 file, written from docs/format.md alone as a check of that page.

Usage: read_ulhff.py FILE      prints all of the file as JSON, bytes as hexadecimal digits.
Sums are checked if the module xxhash is there. Sections (the paragraph signs) are those of the page.
"""
import json
import struct
import sys

try:
    import xxhash
except ImportError:
    xxhash = None

BLOCK = 4096
CHUNK = 262144
MAGIC = b"\x89ULHFF\r\n\x1a\n"
KINDS = ["directory", "media", "text", "blob"]
(OBJECTS, BLOBS, PAIR_STARTS, PAIR_TREE, TEXTS, OBJECT_EXTENSIONS, ORDER_STARTS, ORDER_PAIRS, ORDER, SPLIT_PAIRS,
 SPLIT_COUNTS, NAMES, NAME_STARTS, DIRECTORY_STARTS, DIRECTORY_PARENTS, DIRECTORY_CHILDREN, OBJECT_LINKS, TEXT_LINKS,
 BLOB_LINKS, OBJECT_TIMES, TEXT_TIMES, BLOB_TIMES, DIRECTORY_TIMES) = range(1, 24)


def check(condition, text):
    if not condition:
        raise SystemExit("malformed: " + text)


def check_sum(data, want, what):
    if xxhash is not None:
        check(xxhash.xxh3_64_intdigest(data) == want, "sum of " + what)


def last_at_most(get, low, high, value):
    """The last i in [low, high) with get(i) <= value; get ascends and get(low) <= value."""
    while high - low > 1:
        middle = (low + high) // 2
        if get(middle) <= value:
            low = middle
        else:
            high = middle
    return low


class Packed:
    """§6.2"""

    def __init__(self, file, entry):
        self.file, self.entry, self.count = file, entry, entry["count"]
        check(entry["blocks"] == -(-self.count // entry["per_block"]), "blocks of a packed section")

    def pair(self, i):
        check(i < self.count, "element beyond the end")
        number, j = divmod(i, self.entry["per_block"])
        block = self.file.block(self.entry["first_block"] + number)
        base, slope, width = struct.unpack_from("<QQB", block)
        bits = width + self.entry["extra_bits"]
        check(bits <= 64 and self.entry["per_block"] * bits <= 32576, "width of a packed block")
        at = 24 + j * bits // 8  # an element touches nine bytes at most
        raw = int.from_bytes(block[at:at + 9], "little") >> (j * bits % 8)
        line = (j * slope) % 2**64 >> 16
        value = (base + line + raw % 2**width) % 2**64
        return value, (raw >> width) % 2 ** self.entry["extra_bits"]

    def __getitem__(self, i):
        return self.pair(i)[0]

    def signed(self, i):
        value = self[i]
        return value - 2**64 if value >= 2**63 else value


class Ulhff:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.cache = {}
        self.read_superblock()
        self.read_sections()
        self.check_sum_tree()
        self.starts = self.packed(PAIR_STARTS)
        self.texts = self.packed(TEXTS)

    # --- §3
    def read_superblock(self):
        check(len(self.data) >= 8192, "cut")
        slots = [self.data[0:4096], self.data[4096:8192]]
        valid = [s for s in slots if s[:10] == MAGIC and s[10:12] == b"\x01\0" and self.slot_sum_is_right(s)]
        check(valid, "no valid superblock")
        slot = max(valid, key=lambda s: struct.unpack_from("<Q", s, 16)[0])
        names = ("generation compat incompat pairs objects ratio blobs directories entries type index default_view "
                 "alignment fields extensions splits sections strings_size body_offset blobs_offset index_offset "
                 "index_blocks file_length media_bytes text_bytes duplicates_merged source_files source_bytes "
                 "default_mtime object_links text_links blob_links body_digest root_sum").split()
        values = struct.unpack_from("<9Q4B4HI10Qq3Q16s16s", slot, 16)
        self.info = dict(zip(names, values))
        self.slot = slot
        check(self.info["incompat"] == 0, "incompatible feature")
        self.unit = 1 << self.info["alignment"]
        strings = self.read_strings(slot[1856:1856 + self.info["strings_size"]])
        fields, extensions = 2 * self.info["fields"], self.info["extensions"]
        check(len(strings) == fields + extensions + self.info["splits"], "string area")
        self.fields = strings[:fields]
        self.extensions = strings[fields:fields + extensions]
        self.splits = strings[fields + extensions:]

    @staticmethod
    def slot_sum_is_right(slot):
        want = struct.unpack_from("<Q", slot, 4088)[0]
        return xxhash is None or xxhash.xxh3_64_intdigest(slot[:4088]) == want

    @staticmethod
    def read_strings(area):
        strings = []
        while area:
            size = area[0]
            check(1 + size <= len(area), "string area")
            strings.append(area[1:1 + size])
            area = area[1 + size:]
        return strings

    # --- §5, §6
    def read_sections(self):
        self.sections = {}
        for i in range(self.info["sections"]):
            kind, flags, extra, first, blocks, count, per_block = struct.unpack_from(
                "<HHB3xQQQI", self.slot, 256 + 40 * i)
            check(kind not in self.sections, "section twice")
            check(first + blocks <= self.info["index_blocks"], "section beyond the index")
            self.sections[kind] = {"extra_bits": extra, "first_block": first, "blocks": blocks, "count": count,
                                   "per_block": per_block}

    def block(self, number):
        start = self.info["index_offset"] + BLOCK * number
        return self.data[start:start + BLOCK]

    def check_sum_tree(self):
        first, count = 0, self.info["index_blocks"]
        while True:
            above, parents = first + count, -(-count // 512)
            for i in range(count):
                want = struct.unpack_from("<Q", self.block(above + i // 512), i % 512 * 8)[0]
                check_sum(self.block(first + i), want, "index block %d" % (first + i))
            first, count = above, parents
            if count == 1:
                break
        root = self.block(first)
        if xxhash is not None:
            check(xxhash.xxh3_128_digest(root) == self.info["root_sum"], "root checksum")
        end = self.info["index_offset"] + BLOCK * (first + 1)
        check(end == self.info["file_length"] <= len(self.data), "file_length")

    def packed(self, kind):
        return Packed(self, self.sections[kind]) if kind in self.sections else None

    def column(self, kind, count, default):
        """A value for each of `count` things, or the default where the section is absent."""
        packed = self.packed(kind)
        return [packed[i] if packed else default for i in range(count)]

    def times(self, kind, count):
        packed = self.packed(kind)
        return [packed.signed(i) if packed else self.info["default_mtime"] for i in range(count)]

    # --- §4, §6.3, §6.4
    def extent(self, kind, number):
        packed = self.packed(kind)
        (value, padding), end = packed.pair(number), packed[number + 1]
        start = self.info["body_offset"] if kind == OBJECTS else self.info["blobs_offset"]
        return start + self.unit * value, self.unit * (end - value) - padding

    def pair_range(self, number):
        if self.starts:
            return self.starts[number], self.starts[number + 1]
        return number * self.info["ratio"], (number + 1) * self.info["ratio"]

    def split_body(self, offset, size, texts, text_count):
        """Media and sums of an object or blob."""
        rest = size - texts - 8 * text_count
        media_size = rest - 8 * -(-rest // (CHUNK + 8))
        chunks = -(-media_size // CHUNK)
        check(media_size >= 0 and media_size + texts + 8 * (chunks + text_count) == size, "size of an object")
        body = self.data[offset:offset + size]
        sums = struct.unpack("<%dQ" % (chunks + text_count), body[media_size + texts:])
        for i in range(chunks):
            check_sum(body[i * CHUNK:min((i + 1) * CHUNK, media_size)], sums[i], "media chunk")
        return body, media_size, sums[chunks:]

    def object(self, number):
        """Media, and the texts of all fields of all its pairs, None where absent."""
        first, last = [n * self.info["fields"] for n in self.pair_range(number)]
        base = self.texts[first] if self.texts else 0
        total = self.texts[last] - base if self.texts else 0
        offset, size = self.extent(OBJECTS, number)
        body, media_size, sums = self.split_body(offset, size, total, last - first)
        texts = []
        for text in range(first, last):
            (start, absent), end = self.texts.pair(text), self.texts[text + 1]
            data = body[media_size + start - base:media_size + end - base]
            if not absent:
                check_sum(data, sums[text - first], "text %d" % text)
            texts.append(None if absent else data)
        return body[:media_size], texts

    def blob(self, number):
        body, size, _ = self.split_body(*self.extent(BLOBS, number), 0, 0)
        return body[:size]

    # --- §7
    def locate(self, pair):
        """Object and slot of a pair."""
        if not self.starts:
            return divmod(pair, self.info["ratio"])
        levels = [self.sections[PAIR_STARTS]["blocks"]]
        while levels[-1] > 512:
            levels.append(-(-levels[-1] // 512))
        check(sum(levels) == self.sections[PAIR_TREE]["count"], "keys of PAIR_TREE")
        block, child = self.sections[PAIR_TREE]["first_block"], 0
        for keys in reversed(levels):
            values = struct.unpack("<512Q", self.block(block + child))
            child = 512 * child + last_at_most(lambda i: values[i], 0, 512, pair)
            block += -(-keys // 512)
        first = child * self.sections[PAIR_STARTS]["per_block"]
        last = min(first + self.sections[PAIR_STARTS]["per_block"], self.starts.count)
        number = last_at_most(lambda i: self.starts[i], first, last, pair)
        return number, pair - self.starts[number]

    # --- §6.5, §6.6
    def order(self):
        starts, pairs, all_pairs = self.packed(ORDER_STARTS), self.packed(ORDER_PAIRS), self.packed(ORDER)
        total = self.info["pairs"]
        if all_pairs:
            return [all_pairs[i] for i in range(total)]
        if not starts:
            return list(range(total))
        ends = [starts[i] for i in range(1, starts.count)] + [total]
        return [pairs[i] + k for i in range(starts.count) for k in range(ends[i] - starts[i])]

    def pairs_of_splits(self):
        found = [[] for _ in self.splits]
        starts, counts = self.packed(SPLIT_PAIRS), self.packed(SPLIT_COUNTS)
        for run in range(starts.count if starts else 0):
            first, split = starts.pair(run)
            found[split] += range(first, first + counts[run + 1] - counts[run])
        return found

    # --- §8
    @staticmethod
    def varint(block, pos):
        value = shift = 0
        while True:
            byte = block[pos]
            value |= (byte & 127) << shift
            pos, shift = pos + 1, shift + 7
            if byte < 128:
                return value, pos

    def names_of_block(self, number):
        if number in self.cache:
            return self.cache[number]
        block = self.block(self.sections[NAMES]["first_block"] + number)
        entries, restarts = struct.unpack_from("<HH", block)
        check(1 <= entries <= 2048 and restarts == -(-entries // 16), "head of a NAMES block")
        offsets = struct.unpack_from("<%dH" % restarts, block, BLOCK - 2 * restarts)
        found, pos, name, previous = [], 4, b"", [0] * 4
        for i in range(entries):
            if i % 16 == 0:
                check(pos == offsets[i // 16], "restart offset")
                previous = [0] * 4
            shared, pos = self.varint(block, pos)
            size, pos = self.varint(block, pos)
            check(shared <= len(name) and (i % 16 or shared == 0), "shared prefix")
            name = name[:shared] + block[pos:pos + size]
            target, pos = self.varint(block, pos + size)
            zigzag, kind = divmod(target, 4)
            previous[kind] += -(zigzag + 1) // 2 if zigzag % 2 else zigzag // 2
            found.append((name, kind, previous[kind]))
        self.cache[number] = found
        return found

    def entry(self, number):
        starts = self.packed(NAME_STARTS)
        block = last_at_most(lambda i: starts[i], 0, starts.count - 1, number)
        return self.names_of_block(block)[number - starts[block]]

    def lookup(self, directory, name):
        starts = self.packed(DIRECTORY_STARTS)
        first, last = starts[directory], starts[directory + 1]
        if first == last or self.entry(first)[0] > name:
            return None
        found = self.entry(last_at_most(lambda i: self.entry(i)[0], first, last, name))
        return found[1:] if found[0] == name else None

    def tree(self):
        """All paths: (path, kind, number), in entry order."""
        starts, parents = self.packed(DIRECTORY_STARTS), self.packed(DIRECTORY_PARENTS)
        children = self.packed(DIRECTORY_CHILDREN)
        check(starts[self.info["directories"]] == self.info["entries"], "last of DIRECTORY_STARTS")
        paths, found = [b""], []
        for directory in range(self.info["directories"]):
            entries = [self.entry(i) for i in range(starts[directory], starts[directory + 1])]
            names = [name for name, _, _ in entries]
            check(names == sorted(set(names)), "order of names")
            check(children[directory] == sum(kind == 0 for _, kind, _ in entries), "DIRECTORY_CHILDREN")
            for name, kind, number in entries:
                check(self.lookup(directory, name) == (kind, number), "lookup of a listed name")
                path = paths[directory] + (b"/" if directory else b"") + name
                if kind == 0:
                    check(number == len(paths) and parents[number] == directory, "number of a directory")
                    paths.append(path)
                found.append((path, kind, number))
        return found

    # --- all of it
    def dump(self):
        info = {k: v.hex() if isinstance(v, bytes) else v for k, v in self.info.items()}
        info["sections"] = sorted(self.sections)
        for name in ("fields", "extensions", "splits"):
            info[name] = [s.hex() for s in getattr(self, name)]
        count = {name: self.info[name] for name in ("objects", "blobs", "pairs", "directories")}
        texts = count["pairs"] * self.info["fields"]
        extensions = self.column(OBJECT_EXTENSIONS, count["objects"], 0)
        objects = []
        for number in range(count["objects"]):
            media, texts_of_it = self.object(number)
            first, last = self.pair_range(number)
            check(all(self.locate(p) == (number, p - first) for p in range(first, last)), "AvlPlus")
            objects.append({"media": media.hex(), "extension": self.extensions[extensions[number]].hex(),
                            "first_pair": first, "pairs": last - first,
                            "texts": [None if t is None else t.hex() for t in texts_of_it]})
        return {
            "info": info, "objects": objects, "blobs": [self.blob(b).hex() for b in range(count["blobs"])],
            "names": [[path.hex(), KINDS[kind], number] for path, kind, number in self.tree()],
            "order": self.order(), "splits": self.pairs_of_splits(),
            "object_links": self.column(OBJECT_LINKS, count["objects"], self.info["object_links"]),
            "text_links": self.column(TEXT_LINKS, texts, self.info["text_links"]),
            "blob_links": self.column(BLOB_LINKS, count["blobs"], self.info["blob_links"]),
            "object_times": self.times(OBJECT_TIMES, count["objects"]), "text_times": self.times(TEXT_TIMES, texts),
            "blob_times": self.times(BLOB_TIMES, count["blobs"]),
            "directory_times": self.times(DIRECTORY_TIMES, count["directories"]),
        }


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    json.dump(Ulhff(sys.argv[1]).dump(), sys.stdout)
