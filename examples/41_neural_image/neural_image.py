# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains a network to draw an image: its inputs are the coordinates of a point, its
output is the brightness there. A kernel computes all layers and the loss for m points;
the values between them stay in registers. The kernel of the gradients is derived from
it. The first layer has fixed random frequencies (Tancik et al., "Fourier features let
networks learn high frequency functions in low dimensional domains", 2020); the others
are trained by Adam (Kingma and Ba, "Adam: a method for stochastic optimization",
2015). Elements are f32."""

import tile_mlir as tile

FREQUENCIES = 32
HIDDEN = 2 * FREQUENCIES


@tile.function
def predict(points, at, m, frequencies, w1, w2, w3):
    """Returns the brightness, from 0 to 1, of m points from index `at` on."""
    phases = tile.load(points, (at, 0), (m, 2)) @ frequencies[0:2, 0:FREQUENCIES]
    values = tile.concatenate([tile.sin(phases), tile.cos(phases)], axis=1)
    for w in (w1, w2):
        values = tile.relu(values @ w[0:HIDDEN, 0:HIDDEN])
    return tile.sigmoid((values * w3[0:HIDDEN]).sum(axis=1))


@tile.kernel(grid=lambda points, m: tile.cdiv(points.shape[0], m))
def draw_kernel(points, frequencies, w1, w2, w3, image, *, m=32):
    at = tile.program_id(0) * m
    tile.store(image, at, predict(points, at, m, frequencies, w1, w2, w3))


@tile.kernel(grid=lambda points, m: tile.cdiv(points.shape[0], m))
def loss_kernel(points, image, frequencies, w1, w2, w3, losses, *, m=32):
    """Stores the block's part of the mean square of the differences to an image."""
    at, count = tile.program_id(0) * m, points.shape[0]
    rest = predict(points, at, m, frequencies, w1, w2, w3) - tile.load(image, at, m)
    square = tile.where(at + tile.arange(m) < count, rest * rest, 0)
    tile.store(losses, tile.program_id(0), square.sum() / count)


@tile.kernel(grid=lambda w, n: tile.cdiv(w.shape[0], n))
def adam_kernel(w, g, mean, square, rate, rise1, rise2, *, betas, eps=1e-8, n=1024):
    """Makes a step of Adam in place. The rises are 1 - beta ** step."""
    at = tile.program_id(0) * n
    slope = tile.load(g, at, n)
    first = betas[0] * tile.load(mean, at, n) + (1 - betas[0]) * slope
    second = betas[1] * tile.load(square, at, n) + (1 - betas[1]) * slope * slope
    step = rate * (first / rise1) / (tile.sqrt(second / rise2) + eps)
    tile.store(w, at, tile.load(w, at, n) - step)
    tile.store(mean, at, first)
    tile.store(square, at, second)


class Trainer:
    """Trains the weights, a list of arrays, in place. All arrays are of one library,
    such as NumPy or PyTorch."""

    def __init__(self, frequencies, weights, rate=0.01, betas=(0.9, 0.999)):
        self.frequencies, self.weights = frequencies, weights
        self.rate, self.betas, self.steps = rate, betas, 0
        self._gradients = [tile.empty_like(w) for w in weights]
        self._moments = [(0 * w, 0 * w) for w in weights]
        self._find = tile.value_and_grad(loss_kernel, wrt=("w1", "w2", "w3"))

    def train(self, points, image, losses):
        """Makes a step with some points. The sum of `losses`, with an element for each
        block of 32 points, is the loss before it."""
        arguments = points, image, self.frequencies, *self.weights, losses
        self._find(*arguments, gradients=self._gradients)
        self.steps += 1
        rises = [1 - beta**self.steps for beta in self.betas]
        for w, g, moments in zip(self.weights, self._gradients, self._moments):
            flat = (array.reshape(-1) for array in (w, g, *moments))
            adam_kernel(*flat, self.rate, *rises, betas=self.betas)

    def train_epoch(self, points, image, batch):
        """Makes a step with each `batch` points, in their order; returns the losses of
        the steps, as rows to be added up."""
        starts = range(0, len(points), batch)
        losses = tile.empty_like(image, (len(starts), tile.cdiv(batch, 32)))
        losses[...] = 0
        for row, start in zip(losses, starts):
            part = slice(start, start + batch)
            self.train(points[part], image[part], row)
        return losses

    def draw(self, points):
        image = tile.empty_like(points, points.shape[:1])
        draw_kernel(points, self.frequencies, *self.weights, image)
        return image
