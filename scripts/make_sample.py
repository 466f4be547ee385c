#!/usr/bin/env python3
"""Makes a small image-text dataset of plain files, drawn and described by this script (no licence to mind).

Usage: make_sample.py DIRECTORY

Layout: DIRECTORY/000000/000123.png and .txt, one pair each, as image-text sets are published. A picture with five
captions is stored five times, and two pictures turn up a second time with other captions: the duplicates
that ULHFF stores once. A few sounds (.wav) are among the pictures. The same dataset at every run.
"""
import math
import os
import random
import struct
import sys
import wave
import zlib
from io import BytesIO

WIDTH, HEIGHT = 144, 96
PICTURES = 36
SOUNDS = 4
CAPTIONS = 5
REPEATED_PICTURES = (3, 17)  # shown again at the end, with captions of their own

SKIES = {
    "clear blue": ((70, 130, 210), (190, 220, 250)),
    "orange evening": ((70, 50, 110), (250, 160, 80)),
    "pale morning": ((150, 170, 200), (250, 225, 210)),
    "starry night": ((8, 10, 35), (35, 40, 80)),
}
GROUNDS = {"green meadow": (70, 140, 60), "sandy desert": (210, 180, 120), "snowfield": (235, 240, 245)}
SUBJECTS = ("house", "tree", "sailing boat", "hot-air balloon")
COLOURS = {"red": (200, 45, 40), "yellow": (235, 200, 50), "purple": (130, 60, 160), "white": (240, 240, 235)}


class Canvas:
    """An RGB picture; coordinates are pixels from the upper left corner."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.rows = [bytearray(3 * width) for _ in range(height)]

    def set(self, x, y, colour):
        if 0 <= x < self.width and 0 <= y < self.height:
            self.rows[y][3 * x:3 * x + 3] = bytes(max(0, min(255, int(c))) for c in colour)

    def fill(self, inside, colour, box):
        left, top, right, bottom = (int(edge) for edge in box)
        for y in range(top, bottom + 1):
            for x in range(left, right + 1):
                if inside(x, y):
                    self.set(x, y, colour)

    def disc(self, x0, y0, radius, colour):
        box = (x0 - radius, y0 - radius, x0 + radius, y0 + radius)
        self.fill(lambda x, y: (x - x0) ** 2 + (y - y0) ** 2 <= radius**2, colour, box)

    def rectangle(self, left, top, right, bottom, colour):
        self.fill(lambda x, y: True, colour, (left, top, right, bottom))

    def triangle(self, x0, top, bottom, half_width, colour):
        def inside(x, y):
            return abs(x - x0) * (bottom - top) <= half_width * (y - top)

        self.fill(inside, colour, (x0 - half_width, top, x0 + half_width, bottom))

    def png(self):
        def chunk(kind, data):
            check = zlib.crc32(kind + data)
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + bytes(row) for row in self.rows), 6)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def draw_landscape(canvas, sky, ground, rng):
    """Sky, sun or moon, a mountain range and the ground; grain makes it as hard to compress as a photo."""
    top, bottom = SKIES[sky]
    horizon = HEIGHT * 2 // 3
    peaks = [(rng.uniform(0.02, 0.09), rng.uniform(0, 6), rng.uniform(3, 9)) for _ in range(3)]
    for x in range(WIDTH):
        ridge = horizon - 12 - sum(size * math.sin(x * rate + phase) for rate, phase, size in peaks)
        for y in range(HEIGHT):
            share = y / horizon
            if y >= horizon:
                colour = [c * (1.15 - 0.4 * (y - horizon) / (HEIGHT - horizon)) for c in GROUNDS[ground]]
            elif y >= ridge:
                colour = [c * 0.45 + 40 for c in bottom]
            else:
                colour = [a + (b - a) * share for a, b in zip(top, bottom)]
            grain = rng.randint(-6, 6)
            canvas.set(x, y, [c + grain for c in colour])
    night = sky == "starry night"
    for _ in range(40 if night else 0):
        canvas.set(rng.randrange(WIDTH), rng.randrange(horizon // 2), (250, 250, 230))
    canvas.disc(rng.randint(12, WIDTH - 12), rng.randint(10, 26), 7, (240, 240, 225) if night else (255, 235, 140))


def draw_subject(canvas, subject, colour, x):
    """The subject stands, floats or flies at x."""
    ground = HEIGHT - 14
    if subject == "house":
        canvas.rectangle(x - 13, ground - 18, x + 13, ground, colour)
        canvas.triangle(x, ground - 34, ground - 18, 18, (110, 60, 40))
        canvas.rectangle(x - 4, ground - 10, x + 3, ground, (70, 45, 30))
        canvas.rectangle(x + 6, ground - 13, x + 10, ground - 8, (250, 235, 150))
    elif subject == "tree":
        canvas.rectangle(x - 2, ground - 18, x + 2, ground, (95, 65, 40))
        for dx, dy in ((0, -30), (-8, -22), (8, -22)):
            canvas.disc(x + dx, ground + dy, 10, colour)
    elif subject == "sailing boat":
        canvas.rectangle(x - 17, ground - 5, x + 17, ground, (90, 60, 40))
        canvas.triangle(x + 6, ground - 40, ground - 7, 12, colour)
        canvas.rectangle(x - 7, ground - 40, x - 6, ground - 5, (60, 45, 35))
    else:
        canvas.disc(x, 34, 15, colour)
        canvas.rectangle(x - 3, 53, x + 3, 58, (120, 85, 50))
        for side in (-1, 1):
            canvas.fill(lambda px, py: px == x + side * (8 - (py - 46)), (60, 50, 40), (x - 9, 46, x + 9, 52))


def article(words):
    return ("an " if words[0] in "aeiou" else "a ") + words


def picture(number):
    """The PNG of picture `number`, and all the captions that fit it."""
    rng = random.Random(number)
    subject = SUBJECTS[number % len(SUBJECTS)]
    colour = list(COLOURS)[number // len(SUBJECTS) % len(COLOURS)]
    sky, ground = rng.choice(list(SKIES)), rng.choice(list(GROUNDS))
    x = rng.randint(28, WIDTH - 28)
    side = "left" if x < WIDTH // 2 else "right"
    canvas = Canvas(WIDTH, HEIGHT)
    draw_landscape(canvas, sky, ground, rng)
    draw_subject(canvas, subject, COLOURS[colour], x)
    what = article(f"{colour} {subject}")
    captions = [
        f"{what.capitalize()} in front of mountains.",
        f"A drawing of {what} with {article(ground)} and {article(sky)} sky.",
        f"On the {side}: {what}.",
        f"{sky.capitalize()} sky, mountains, {article(ground)} and {what}",
        f"There is one {subject} here; it is {colour}.",
        f"Un dibujo: {subject} ({colour}) – picture № {number}",
        f"{subject}, {colour}, {side}, {ground}",
        f"Nobody is near the {colour} {subject}.",
        f"A small landscape of {WIDTH} by {HEIGHT} pixels with {what}.",
        f"the {subject} on the {side} side",
    ]
    return canvas.png(), captions


def sound(number):
    """A WAV file of half a second, and its captions."""
    rate, seconds, low, high = 8000, 0.5, 220 * (number + 1), 440 * (number + 1)
    frames, phase = bytearray(), 0.0
    for i in range(int(rate * seconds)):
        phase += 2 * math.pi * (low + (high - low) * i / (rate * seconds)) / rate
        frames += struct.pack("<h", int(12000 * math.sin(phase)))
    out = BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(bytes(frames))
    captions = [
        f"A tone that rises from {low} to {high} hertz.",
        f"Half a second of a rising sine wave, starting at {low} Hz.",
        "something electronic goes up by an octave",
        f"One octave up, ending at {high} Hz.",
        "A short synthetic sweep without any other sound.",
    ]
    return out.getvalue(), captions


def objects():
    """(extension, bytes, captions) of everything in the dataset, in its order."""
    for number in range(PICTURES):
        data, captions = picture(number)
        yield ".png", data, captions[:CAPTIONS]
    for number in range(SOUNDS):
        yield (".wav",) + sound(number)
    for number in REPEATED_PICTURES:
        data, captions = picture(number)
        yield ".png", data, captions[CAPTIONS:2 * CAPTIONS]


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_sample.py DIRECTORY")
    folder = os.path.join(sys.argv[1], "000000")
    os.makedirs(folder)
    key = 0
    for extension, data, captions in objects():
        for caption in captions:
            write(os.path.join(folder, f"{key:06d}{extension}"), data)
            write(os.path.join(folder, f"{key:06d}.txt"), caption.encode())
            key += 1
    write(os.path.join(sys.argv[1], "LICENSE"), b"Drawn by scripts/make_sample.py. Public domain (CC0 1.0).\n")
    print(f"{key} pairs of {PICTURES} pictures and {SOUNDS} sounds, {2 * key + 1} files")


if __name__ == "__main__":
    main()
