# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in several processes, each with its own GPU, between NCCL collectives: needs
PyTorch and two GPUs or more.

  torchrun --nproc-per-node=2 distributed_gpu.py
"""

import os
import sys

import torch
import torch.distributed as dist
from torch import Tensor

import tile_mlir as tile
from kernels import make_gemm


gemm = make_gemm(m=128, n=128, k=32)


@tile.torch_op("tile_distributed::product")
def matmul(a: Tensor, b: Tensor) -> Tensor:
    c = a.new_full((a.shape[0], b.shape[1]), float("nan"))
    gemm(a, b, c)
    return c


def multiply_parts(a, b):
    """Multiplies matrices of which each process has a part: some columns of `a` and the
    same rows of `b`."""
    c = matmul(a, b)
    dist.all_reduce(c)
    return c


def check(name, found, expected, tolerance=1e-5):
    error = (found.double() - expected).abs().max() / expected.abs().max()
    print(f"process {dist.get_rank()}, {name}: {error.item():.2e}", flush=True)
    if not error.item() <= tolerance:
        sys.exit(f"process {dist.get_rank()}: expected at most {tolerance:.2e}")


def check_device(tensor, rank):
    assert tensor.device == torch.device("cuda", rank), tensor.device
    assert torch.cuda.current_device() == rank


def draw(rank, count):
    """Returns a @ b for matrices that are equal in all processes, and the parts of a
    and b that this process has."""
    generator = torch.Generator().manual_seed(7 + count)
    a = torch.randn(403, 96 * count, generator=generator)
    b = torch.randn(96 * count, 300, generator=generator)
    part = slice(96 * rank, 96 * (rank + 1))
    return (a.double() @ b.double()).cuda(), \
        a[:, part].contiguous().cuda(), b[part].contiguous().cuda()


def check_sums(rank, count):
    """Checks collectives before and after kernels; only the streams order them."""
    expected, a, b = draw(rank, count)
    for _ in range(5):
        torch.cuda._sleep(20_000_000 * (rank + 1))  # so that one process is late
        c = multiply_parts(a, b)
        check_device(c, rank)
        check("sum of products", c, expected)
    dist.broadcast(c, 0)
    check("of one's own", matmul(c.T, c), expected.T @ expected, 1e-4)


def check_overlap(rank, count):
    """Runs a kernel while the collective for another result is in flight."""
    expected, a, b = draw(rank, count)
    first = matmul(a, b)
    work = dist.all_reduce(first, async_op=True)
    second = matmul(a, b * 2)
    work.wait()
    check("first", first, expected)
    dist.all_reduce(second)
    check("second", second, expected * 2)


def check_compiled(rank, count):
    expected, a, b = draw(rank, count)
    part = torch.compile(lambda a, b: matmul(a, b) * 3, fullgraph=True)
    c = part(a, b)
    dist.all_reduce(c)
    check("torch.compile", c, expected * 3)


def check_other_device(rank, count):
    """Checks that each process can also use the GPU of another process."""
    other = torch.device("cuda", (rank + 1) % count)
    x = torch.randn(77, 50, device=other)
    y = torch.randn(50, 31, device=other)
    check("on another GPU", matmul(x, y), x.double() @ y.double())
    assert torch.cuda.current_device() == rank


if __name__ == "__main__":
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    count = dist.get_world_size()
    if count < 2:
        sys.exit(f"expected two processes or more, got {count}")
    check_sums(rank, count)
    check_overlap(rank, count)
    check_compiled(rank, count)
    check_other_device(rank, count)
    dist.barrier()
    dist.destroy_process_group()
    if rank == 0:
        print("all right")
