# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the results of examples as SVG, without another library."""

import base64
import html
import math
import struct
import zlib

import numpy as np

# The area between the axes, and its margins.
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 640, 280, 56, 32, 16, 44
# The colours from the least value of an image to the greatest.
COLOURS = np.array([(13, 8, 41), (75, 20, 111), (164, 42, 104), (233, 96, 61),
                    (252, 178, 70), (252, 250, 196)], float)


class Picture:
    """A picture with one pair of axes, and lines or an image between them."""

    def __init__(self, title, x_label, x_range, y_label, y_range):
        self.x_range, self.y_range = x_range, y_range
        self.marks, self.legend = [], []
        self.frame = [text(LEFT, 20, title, "start", 14),
                      text(LEFT + WIDTH / 2, TOP + HEIGHT + 36, x_label),
                      '<g transform="translate(14 %d) rotate(-90)">%s</g>'
                      % (TOP + HEIGHT / 2, text(0, 0, y_label))]
        for value in list_ticks(*x_range):
            x = self.get_x(value)
            self.frame += [line(x, TOP + HEIGHT, x, TOP + HEIGHT + 4),
                           text(x, TOP + HEIGHT + 18, "%g" % value)]
        for value in list_ticks(*y_range):
            y = self.get_y(value)
            self.frame += [line(LEFT - 4, y, LEFT, y),
                           text(LEFT - 7, y + 4, "%g" % value, "end")]

    def get_x(self, value):
        least, most = self.x_range
        return LEFT + WIDTH * (value - least) / (most - least)

    def get_y(self, value):
        least, most = self.y_range
        return TOP + HEIGHT * (most - value) / (most - least)

    def draw_line(self, x, y, colour, label, width=1.5):
        points = " ".join("%.1f,%.1f" % p
                          for p in zip(self.get_x(x), self.get_y(y)))
        self.marks.append('<polyline points="%s" fill="none" stroke="%s" '
                          'stroke-width="%g"/>' % (points, colour, width))
        left = LEFT + WIDTH - 100 * (len(self.legend) + 1)
        self.legend.append(
            '<rect x="%g" y="14" width="12" height="4" fill="%s"/>%s'
            % (left, colour, text(left + 18, 20, label, "start")))

    def draw_image(self, values, least, most):
        """Draws the image `values`: columns lie along x, and rows along y, the first
        row lowest."""
        share = np.clip((values[::-1] - least) / (most - least), 0, 1)
        position = share * (len(COLOURS) - 1)
        pixels = np.stack([np.interp(position, range(len(COLOURS)), part)
                           for part in COLOURS.T], axis=-1)
        self.marks.append(
            '<image x="%d" y="%d" width="%d" height="%d" '
            'preserveAspectRatio="none" href="data:image/png;base64,%s"/>'
            % (LEFT, TOP, WIDTH, HEIGHT,
               base64.b64encode(encode_png(pixels)).decode()))

    def save(self, path):
        width, height = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
        border = ('<rect x="%d" y="%d" width="%d" height="%d" fill="none" '
                  'stroke="#444"/>' % (LEFT, TOP, WIDTH, HEIGHT))
        parts = ['<rect width="%d" height="%d" fill="white"/>' % (width, height),
                 *self.marks, border, *self.frame, *self.legend]
        with open(path, "w") as file:
            file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" '
                       'height="%d" viewBox="0 0 %d %d">\n%s\n</svg>\n'
                       % (width, height, width, height, "\n".join(parts)))


def text(x, y, words, anchor="middle", size=12):
    return ('<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" '
            'font-family="sans-serif" fill="#222">%s</text>'
            % (x, y, anchor, size, html.escape(words)))


def line(x1, y1, x2, y2):
    return ('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#444"/>'
            % (x1, y1, x2, y2))


def list_ticks(least, most):
    """Returns at most eight round values."""
    rough = (most - least) / 8
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * f for f in (1, 2, 5, 10) if power * f >= rough)
    first = math.ceil(least / step - 1e-9)
    last = math.floor(most / step + 1e-9)
    return [step * index for index in range(first, last + 1)]


def encode_png(pixels):
    """Encodes a PNG with 8 bits per colour. Each row starts with the index of its
    filter, 0 for none."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:] = np.rint(pixels).reshape(height, -1)

    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))

    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows.tobytes(), 9))
            + chunk(b"IEND", b""))
