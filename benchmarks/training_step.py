#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the training step of examples/41_neural_image, on a GPU: the loss and the
gradients of a network by derived kernels, by kernels that are written by hand, and by
PyTorch, compiled.

  python3 training_step.py [POINTS...]

Needs PyTorch and the package tile_mlir. Prints a row of a CSV file for each number of
points: times in microseconds, timed in turns in bursts, and the largest differences of
the gradients from those of PyTorch in f64, in units of the largest gradient.
"""

import sys
from pathlib import Path

import torch

import tile_mlir as tile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples/41_neural_image"))
from bursts import time_in_turns
from neural_image import FREQUENCIES, HIDDEN, loss_kernel

PARTS = 264  # of the sums over points, as in derived kernels


@tile.kernel
def step_kernel(points, image, frequencies, w1, w2, w3, losses, g1, g2, g3, *, m=32):
    """Stores the block's part of the loss and of the gradients; block i has the points
    from i m on, and every `PARTS` m-th after them."""
    part, count = tile.program_id(0), points.shape[0]
    first, second, last = w1[0:HIDDEN, 0:HIDDEN], w2[0:HIDDEN, 0:HIDDEN], w3[0:HIDDEN]
    d1, d2 = tile.zeros((HIDDEN, HIDDEN)), tile.zeros((HIDDEN, HIDDEN))
    d3, loss = tile.zeros(HIDDEN), tile.zeros(m)
    for at in range(part * m, count, PARTS * m):
        phases = tile.load(points, (at, 0), (m, 2)) @ frequencies[0:2, 0:FREQUENCIES]
        values = tile.concatenate([tile.sin(phases), tile.cos(phases)], axis=1)
        hidden = tile.relu(values @ first)
        top = tile.relu(hidden @ second)
        y = tile.sigmoid((top * last).sum(axis=1))
        rest = y - tile.load(image, at, m)
        rest = tile.where(at + tile.arange(m) < count, rest, 0)
        loss += rest * rest
        slope = (2 / count * rest * y * (1 - y))[:, None]
        d3 += (slope * top).sum(axis=0)
        of_top = tile.where(top > 0, slope * last, 0)
        d2 += hidden.T @ of_top
        of_hidden = tile.where(hidden > 0, of_top @ second.T, 0)
        d1 += values.T @ of_hidden
    tile.store(losses, part, loss.sum() / count)
    tile.store(g1, (part, 0, 0), d1)
    tile.store(g2, (part, 0, 0), d2)
    tile.store(g3, (part, 0), d3)


@tile.kernel(grid=lambda g, n: tile.cdiv(g.shape[0], n))
def sum_kernel(parts, g, *, n=64):
    at = tile.program_id(0) * n
    total = tile.zeros(n)
    for start in range(0, PARTS, 24):
        total += tile.load(parts, (start, at), (24, n)).sum(axis=0)
    tile.store(g, at, total)


def find_loss(points, image, frequencies, w1, w2, w3):
    phases = points @ frequencies
    values = torch.cat([torch.sin(phases), torch.cos(phases)], 1)
    for w in (w1, w2):
        values = torch.relu(values @ w)
    return ((torch.sigmoid((values * w3).sum(1)) - image) ** 2).mean()


def draw(*shape):
    return torch.randn(*shape, device="cuda")


def measure(count):
    points, image = draw(count, 2), torch.rand(count, device="cuda")
    frequencies = 3 * draw(2, FREQUENCIES)
    weights = [draw(HIDDEN, HIDDEN) / 8, draw(HIDDEN, HIDDEN) / 8, draw(HIDDEN) / 8]
    arguments = points, image, frequencies, *weights
    losses = draw(tile.cdiv(count, 32))
    gradients = [[torch.full_like(w, float("nan")) for w in weights] for _ in range(2)]
    parts = [draw(PARTS, *w.shape) for w in weights]
    find = tile.value_and_grad(loss_kernel, wrt=("w1", "w2", "w3"))

    def derived():
        find(*arguments, losses, gradients=gradients[0])

    def written():
        step_kernel[PARTS](*arguments, losses, *parts)
        for part, gradient in zip(parts, gradients[1]):
            sum_kernel(part.view(PARTS, -1), gradient.view(-1))

    wanted = [w.clone().requires_grad_() for w in weights]
    compiled = torch.compile(lambda: torch.autograd.grad(
        find_loss(points, image, frequencies, *wanted), wanted))
    calls = [derived, written, compiled]
    for call in calls:
        call()
    times = time_in_turns(calls)
    wide = [w.double().requires_grad_() for w in weights]
    find_loss(*(x.double() for x in arguments[:3]), *wide).backward()
    errors = [max(((found.double() - w.grad).abs().max() / w.grad.abs().max()).item()
                  for found, w in zip(several, wide)) for several in gradients]
    print(",".join([str(count), *(f"{us:.1f}" for us in times),
                    f"{times[0] / times[1]:.2f}",
                    *(f"{error:.1e}" for error in errors)]), flush=True)


def main():
    print(f"# {torch.cuda.get_device_name()}")
    print("points,derived,hand_written,torch,ratio,error_derived,error_hand_written")
    for count in map(int, sys.argv[1:] or (4099, 65536, 262144)):
        measure(count)


main()
