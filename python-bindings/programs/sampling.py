# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chooses the next token by top-k and top-p sampling (Holtzman et al., "The Curious
Case of Neural Text Degeneration", 2020). In each row of logits the k greatest are kept,
then the greatest of these whose probabilities together reach the share p, and one of
the latter is drawn at random by its probability. Rows have at least k elements of f16,
bf16 or f32."""

import tile_mlir as tile


@tile.kernel(grid=lambda logits: logits.shape[0])
def sampling_kernel(logits, tokens, seed, temperature, p, *, k, n=1024):
    row = tile.program_id(0)
    best, indices = tile.full(k, float("-inf")), tile.zeros(k, tile.i32)
    for j in range(0, logits.shape[1], n):
        v = tile.load(logits, (row, j), n, pad=float("-inf")).astype(tile.f32)
        best, at = tile.top_k(tile.concatenate([best, v]), k)
        found = tile.iota(n, 0, tile.i32, start=j)
        indices = tile.take(tile.concatenate([indices, found]), at, 0)
    shares = tile.softmax(best / temperature)
    shares = tile.where(tile.cumsum(shares, exclusive=True) < p, shares, 0)
    sums = tile.cumsum(shares)
    limit = tile.random("uniform", seed, row, 1) * sums[-1:]
    chosen = tile.minimum((sums <= limit).sum(), (shares > 0).sum() - 1)
    tile.store(tokens, row, indices[chosen])


def sample(logits, seed, k=50, p=0.9, temperature=1.0):
    """Returns a token for each row."""
    tokens = tile.empty_like(logits, logits.shape[:1], tile.i32)
    sampling_kernel(logits, tokens, seed, temperature, p, k=k)
    return tokens
