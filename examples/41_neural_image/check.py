# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the network for three epochs, and compares the gradients of the first step and
the losses of all steps with NumPy in float64.

  check.py [--on cpu|emulator|cuda] [--size COLUMNS,ROWS] [--plot FILE.svg]

The package tile_mlir must be installed, and for cuda PyTorch."""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import neural_image
import tile_mlir as tile
from example import check_norm, parse_size
from picture import Picture

EPOCHS, BATCH, BLOCK = 3, 128, 32


# ----------------------------------------------------------------------------
# The image and the network
# ----------------------------------------------------------------------------


def make_points(columns, rows):
    """Returns the coordinates of the centres of pixels, row by row; x grows to the
    right, y upwards, and the shorter side has those from -1 to 1."""
    side = min(columns, rows)
    x, y = ((2 * np.arange(n) + 1 - n) / side for n in (columns, rows))
    return np.stack(np.broadcast_arrays(x, y[:, None]), axis=-1).reshape(-1, 2)


def paint(points):
    """Returns the brightness of an image: the sun over the sea."""
    x, y = points.T
    sun = 1 / (1 + np.exp(12 * (np.hypot(x - 0.2, y - 0.3) - 0.4)))
    sky = 0.25 + 0.15 * y + 0.6 * sun
    waves = 0.3 + 0.2 * np.sin(7 * x + 2 * np.sin(5 * x)) * np.sin(12 * y + 3 * np.sin(3 * x))
    sea = 1 / (1 + np.exp(40 * (y + 0.25 + 0.05 * np.sin(5 * x))))
    return sea * waves + (1 - sea) * sky


def make_weights(random):
    n = neural_image.HIDDEN
    shapes = ((2, neural_image.FREQUENCIES), (n, n), (n, n), (n,))
    scales = (3, (2 / n) ** 0.5, (2 / n) ** 0.5, n ** -0.5)
    return [(scale * random.standard_normal(shape)).astype(np.float32)
            for shape, scale in zip(shapes, scales)]


# ----------------------------------------------------------------------------
# The reference
# ----------------------------------------------------------------------------


class Reference:
    """The network, its gradients and Adam, in float64."""

    def __init__(self, frequencies, weights, rate, betas):
        self.frequencies = frequencies.astype(np.float64)
        self.weights = [w.astype(np.float64) for w in weights]
        self.moments = [[np.zeros(w.shape) for w in weights] for _ in range(2)]
        self.rate, self.betas, self.steps = rate, betas, 0

    def find(self, points, image):
        """Returns the loss, and its gradients by the weights."""
        phases = points.astype(np.float64) @ self.frequencies
        layers = [np.concatenate([np.sin(phases), np.cos(phases)], axis=1)]
        for w in self.weights[:2]:
            layers.append(np.maximum(layers[-1] @ w, 0))
        y = 1 / (1 + np.exp(-layers[-1] @ self.weights[2]))
        rest = y - image
        slope = 2 * rest / len(image) * y * (1 - y)
        gradients = [slope @ layers[-1]]
        slope = slope[:, None] * self.weights[2]
        for values, layer, w in zip(layers[1::-1], layers[:0:-1], self.weights[1::-1]):
            slope = slope * (layer > 0)
            gradients.insert(0, values.T @ slope)
            slope = slope @ w.T
        return (rest ** 2).mean(), gradients

    def train(self, points, image):
        """Makes a step; returns the loss before it."""
        loss, gradients = self.find(points, image)
        self.steps += 1
        for w, g, mean, square in zip(self.weights, gradients, *self.moments):
            mean += (1 - self.betas[0]) * (g - mean)
            square += (1 - self.betas[1]) * (g * g - square)
            rises = [1 - beta ** self.steps for beta in self.betas]
            w -= self.rate * mean / rises[0] / (np.sqrt(square / rises[1]) + 1e-8)
        return loss


# ----------------------------------------------------------------------------
# The run
# ----------------------------------------------------------------------------


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--on", choices=["cpu", "emulator", "cuda"], default="cpu")
    parser.add_argument("--size", type=parse_size, default=(97, 65))
    parser.add_argument("--plot", metavar="FILE.svg")
    return parser.parse_args()


def get_library(on):
    """Returns functions to and from arrays of NumPy."""
    if on != "cuda":
        return np.copy, np.asarray
    import torch
    return (lambda array: torch.from_numpy(array).cuda(),
            lambda array: array.cpu().numpy())


def make_networks(on):
    """Returns the network on a machine, and its reference, with the same weights."""
    frequencies, *weights = make_weights(np.random.default_rng(1))
    to, _ = get_library(on)
    network = neural_image.Trainer(to(frequencies), list(map(to, weights)))
    return network, Reference(frequencies, weights, network.rate, network.betas)


def check_gradients(network, reference, points, image, on):
    to, back = get_library(on)
    losses = to(np.zeros(tile.cdiv(len(image), BLOCK), np.float32))
    _, found = tile.value_and_grad(neural_image.loss_kernel, wrt=("w1", "w2", "w3"))(
        to(points), to(image), network.frequencies, *network.weights, losses)
    loss, expected = reference.find(points, image)
    check_norm(back(losses).sum(), np.asarray(loss), 1e-5, "loss")
    for layer, pair in enumerate(zip(map(back, found), expected), 1):
        check_norm(*pair, 1e-5, "gradient of layer %d" % layer)


def train(network, reference, points, image, on):
    """Trains both; yields the network's image after each epoch."""
    to, back = get_library(on)
    order = np.random.default_rng(2).permutation(len(points))
    parts = [array[order] for array in (points, image)]
    first = None
    for epoch in range(1, EPOCHS + 1):
        losses = back(network.train_epoch(*map(to, parts), BATCH)).sum(axis=1)
        expected = np.array([
            reference.train(*(array[at:at + BATCH] for array in parts))
            for at in range(0, len(points), BATCH)])
        check_norm(losses, expected, 1e-4, "losses of epoch %d" % epoch)
        first = losses[0] if first is None else first
        print("epoch %d: loss %.4f" % (epoch, losses.mean()))
        yield back(network.draw(to(points)))
    if not losses.mean() < first / 20:
        sys.exit("expected a loss below a 20th of %.4f, that of the first step, got %.4f"
                 % (first, losses.mean()))


def main():
    options = parse_options()
    columns, rows = options.size
    points = make_points(columns, rows).astype(np.float32)
    image = paint(points).astype(np.float32)
    network, reference = make_networks(options.on)
    with tile.cpu() if options.on == "cpu" else tile.emulator():
        check_gradients(network, reference, points[:77], image[:77], options.on)
        images = list(train(network, reference, points, image, options.on))
    if options.plot:
        whole = np.concatenate([one.reshape(rows, columns)
                                for one in (image, *images)], axis=1)
        picture = Picture("The image, and the network's after each of three epochs",
                          "pixels", (0, whole.shape[1]), "pixels", (0, rows))
        picture.draw_image(whole, 0, 1)
        picture.save(options.plot)


if __name__ == "__main__":
    main()
