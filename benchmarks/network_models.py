# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks as functions of PyTorch: the measured ones (network_programs.py), and the
smaller ones of the tests (test/Conversion/LinalgToTile/Inputs/networks.py)."""


def import_functional():
    import torch.nn.functional
    return torch.nn.functional


def mlp(x, w0, b0, w1, b1):
    f = import_functional()
    return f.linear(f.relu(f.linear(x, w0, b0)), w1, b1)


def layer_norm(x, scale, shift):
    return import_functional().layer_norm(x, (x.shape[-1],), scale, shift)


def attention(q, k, v):
    return import_functional().scaled_dot_product_attention(q, k, v)


def causal_attention(q, k, v):
    return import_functional().scaled_dot_product_attention(
        q, k, v, is_causal=True)


def convolution(x, w0, b0, w1, b1, w2, b2):
    f = import_functional()
    x = f.max_pool2d(f.relu(f.conv2d(x, w0, b0, padding=1)), 2)
    x = f.relu(f.conv2d(x, w1, b1, stride=2))
    return f.linear(f.adaptive_avg_pool2d(x, 1).flatten(1), w2, b2)


def make_transformer_layer(heads):
    def transformer_layer(x, g0, s0, wqkv, bqkv, wo, bo, g1, s1, w1, b1, w2,
                          b2):
        f = import_functional()
        batch, length, width = x.shape
        y = f.layer_norm(x, (width,), g0, s0)
        q, k, v = (f.linear(y, wqkv, bqkv)
                   .view(batch, length, 3, heads, width // heads)
                   .permute(2, 0, 3, 1, 4).unbind(0))
        z = f.scaled_dot_product_attention(q, k, v, is_causal=True)
        z = z.transpose(1, 2).reshape(batch, length, width)
        x = x + f.linear(z, wo, bo)
        y = f.layer_norm(x, (width,), g1, s1)
        return x + f.linear(f.gelu(f.linear(y, w1, b1)), w2, b2)

    return transformer_layer
