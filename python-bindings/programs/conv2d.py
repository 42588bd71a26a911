# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution of images with filters, as a matmul whose left matrix is gathered from
the images. Images are batch x channels x height x width, filters are outputs x
channels / groups x height x width, f16, bf16 or f32 of any sizes. Strides, padding,
dilation and groups are as in PyTorch's conv2d."""

import tile_mlir as tile


@tile.kernel(
    grid=lambda y, groups, m, n: (
        tile.cdiv(y.shape[0] * y.shape[2] * y.shape[3], m),
        tile.cdiv(y.shape[1] // groups, n),
        groups,
    )
)
def conv2d_kernel(
    x, w, bias, y, *, window, stride, padding, dilation, groups, m=64, n=64, k=32
):
    height, width = (size.astype(tile.i32) for size in y.shape[2:])
    outputs = y.shape[1] // groups
    area, length, channels = window[0] * window[1], w.shape[1], x.shape[1] // groups
    pixel = tile.iota((m, 1), 0, tile.i32, start=tile.program_id(0) * m)
    image, row, column = (
        pixel // (height * width),
        pixel // width % height,
        pixel % width,
    )
    first, group = tile.program_id(1) * n, tile.program_id(2)
    acc = tile.zeros((m, n)) + tile.load(bias, group * outputs + first, n)
    for p in range(0, length, k):
        tap = tile.iota(k, 0, tile.i32, start=p)
        channel = tile.where(tap < length, group * channels + tap // area, -1)[None]
        i = row * stride[0] - padding[0] + tap // window[1] % window[0] * dilation[0]
        j = column * stride[1] - padding[1] + tap % window[1] * dilation[1]
        at = [image, channel, i, j]
        patch = tile.gather(x, (0, 0, 0, 0), at, (m, k), axes=range(4))
        acc += patch @ tile.load(w, (group * outputs + first, p), (n, k)).T
    output = first + tile.arange(n)
    output = tile.where(output < outputs, group * outputs + output, -1)[None]
    at = [image, output, row, column]
    tile.scatter(y, (0, 0, 0, 0), at, acc, axes=range(4))


def conv2d(x, w, bias, stride=(1, 1), padding=(0, 0), dilation=(1, 1), groups=1):
    window = tuple(w.shape[2:])
    size = (
        (x.shape[2 + a] + 2 * padding[a] - dilation[a] * (window[a] - 1) - 1)
        // stride[a]
        + 1
        for a in (0, 1)
    )
    y = tile.empty_like(x, (x.shape[0], w.shape[0], *size))
    options = {"stride": stride, "padding": padding, "dilation": dilation}
    rows = w.reshape(w.shape[0], -1)
    conv2d_kernel(x, rows, bias, y, window=window, groups=groups, **options)
    return y
