# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of PyTorch, on the host: needs PyTorch. torch.compile is used
without its code generator, which takes long to start; torch_gpu.py uses it with the
code generator, on a GPU."""

import functools
import sys
from typing import List, Optional

import pytest

torch = pytest.importorskip("torch")
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402

import tile_mlir  # noqa: E402
import tile_mlir as tile  # noqa: E402
from kernels import make_gemm, make_scale  # noqa: E402

Tensor = torch.Tensor
compile = functools.partial(torch.compile, fullgraph=True, backend="aot_eager")


@pytest.fixture(autouse=True)
def machine():
    torch.manual_seed(7)
    torch._dynamo.reset()
    with tile.cpu():
        yield


gemm = make_gemm(m=32, n=32, k=16)
scale = make_scale(n=32)


@tile.kernel(grid=lambda x, total, *, n: tile.cdiv(x.shape[0], n))
def add_to(x, total, *, n=32):
    first = tile.program_id(0) * n
    sum = tile.load(total, first, n) + tile.load(x, first, n)
    tile.store(total, first, sum)


@tile.torch_op("tile_test::scaled")
def scaled(x: Tensor, s: float) -> Tensor:
    y = torch.full_like(x, float("nan"))
    scale(x, y, s)
    return y


@tile.torch_op("tile_test::product")
def matmul(a: Tensor, b: Tensor) -> Tensor:
    c = a.new_full((a.shape[0], b.shape[1]), float("nan"), dtype=torch.float32)
    gemm(a, b, c)
    return c


def keep_for_matmul(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def differentiate_matmul(ctx, gradient):
    a, b = ctx.saved_tensors
    return matmul(gradient, b.T), matmul(a.T, gradient)


matmul.register_autograd(differentiate_matmul, setup_context=keep_for_matmul)


@tile.torch_op("tile_test::add_", mutates_args=["total"])
def add_(x: Tensor, total: Tensor) -> None:
    add_to(x, total)


def expect_close(found, expected, tolerance=1e-5):
    assert found.shape == expected.shape
    error = (found.double() - expected.double()).abs().max()
    assert error <= tolerance * expected.double().abs().max()


# ----------------------------------------------------------------------------
# Calls
# ----------------------------------------------------------------------------


@pytest.mark.parametrize("on", [tile.cpu, tile.emulator])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
def test_call(on, dtype):
    a, b = torch.randn(45, 37).to(dtype), torch.randn(50, 37).to(dtype)
    with on():
        found = matmul(a, b.T)  # b.T is not contiguous
    assert found.dtype == torch.float32
    expect_close(found, a.double() @ b.double().T)


def test_machine_of_the_thread():
    @tile.kernel(grid=4)
    def race(x):
        rows = tile.load(x, tile.program_id(0), 4)
        tile.store(x, tile.program_id(0), rows + 1)

    @tile.torch_op("tile_test::race_", mutates_args=("x",))
    def race_(x: Tensor) -> None:
        race(x)

    with tile.emulator(), pytest.raises(tile.EmulatorError):
        race_(torch.randn(64))
    race_(torch.randn(64))


def test_function_that_is_given():
    op = tile.torch_op("tile_test::given", lambda x: scaled(x, 2.0),
                       schema="(Tensor x) -> Tensor")
    x = torch.randn(33)
    assert torch.equal(op(x), x * 2)


def test_kernel():
    @tile.kernel(grid=lambda x, y, n: tile.cdiv(x.shape[0], n))
    def power(x, y, s: float, times: "int", *, n=32, up: bool = True,
              function=tile.exp):
        t = tile.load(x, tile.program_id(0) * n, n) * s
        for _ in range(times):
            t = t * s if up else t / s
        tile.store(y, tile.program_id(0) * n, t)

    op = tile.torch_op("tile_test::power", power, mutates_args=["y"])
    assert str(op._opoverload._schema) == (
        "tile_test::power(Tensor x, Tensor(a1!) y, float s, SymInt times, *, "
        "SymInt n=32, bool up=True) -> ()")
    x, y = torch.randn(77), torch.full((77,), float("nan"))
    assert op(x, y, 2.0, 3) is None
    assert torch.equal(y, x * 16)
    compile(lambda x, y: op(x, y, 2.0, 1, n=16, up=False))(x, y)
    assert torch.equal(y, x)
    torch.library.opcheck(op, (x, y, 2.0, 3), {"n": 16})
    with pytest.raises(tile.ArgumentError, match="expected 'y' among mutates_args"):
        tile.torch_op("tile_test::power2", power)(x, y, 2.0, 3)


def test_lists_and_options():
    @tile.torch_op("tile_test::scale_all")
    def scale_all(xs: List[Tensor], s: float = 2.0, times: Optional[int] = None
                  ) -> List[Tensor]:
        return [scaled(x, s * (times or 1)) for x in xs]

    @tile.torch_op("tile_test::scale_all_to", mutates_args=["out"])
    def scale_all_to(xs: List[Tensor], out: List[Tensor]) -> None:
        for x, y in zip(xs, out):
            scale(x, y, 0.5)

    xs = [torch.randn(n) for n in (5, 40)]
    out = [torch.full_like(x, float("nan")) for x in xs]
    scale_all_to(xs, out)
    for x, y, z in zip(xs, out, scale_all(xs, times=3)):
        assert torch.equal(y, x * 0.5) and torch.equal(z, x * 6)
    torch.library.opcheck(scale_all, (xs,), {"s": 1.5})
    torch.library.opcheck(scale_all_to, (xs, out))


@pytest.mark.parametrize("op, arguments", [
    (scaled, lambda: (torch.randn(77), 2.5)),
    (scaled, lambda: (torch.randn(77)[::2], -1.0)),
    (scaled, lambda: (torch.randn(0), 1.0)),
    (matmul, lambda: (torch.randn(21, 34, requires_grad=True),
                      torch.randn(34, 40, requires_grad=True))),
    (matmul, lambda: (torch.randn(34, 21).T, torch.randn(40, 34).T)),
    (add_, lambda: (torch.randn(77), torch.randn(77)))])
def test_opcheck(op, arguments):
    torch.library.opcheck(op, arguments())


# ----------------------------------------------------------------------------
# torch.compile and torch.export
# ----------------------------------------------------------------------------


def test_compile():
    @compile
    def program(a, b):
        return torch.tanh(matmul(a, b.T)) + scaled(a[:, 0].contiguous(), 2.0)[:, None]

    a, b = torch.randn(45, 37), torch.randn(50, 37)
    a64, b64 = a.double(), b.double()
    expect_close(program(a, b), torch.tanh(a64 @ b64.T) + 2 * a64[:, :1])


def test_sizes_of_run_time():
    @tile.torch_op("tile_test::scaled_by_size")
    def scaled_by_size(x: Tensor) -> Tensor:
        y = torch.full_like(x, float("nan"))
        scale(x, y, x.shape[0], n=16 * (1 + x.shape[0] // 64))
        return y

    counter = torch._dynamo.testing.CompileCounterWithBackend("aot_eager")
    program = torch.compile(lambda x: scaled_by_size(x) + 1, fullgraph=True,
                            dynamic=True, backend=counter)
    for size in (77, 13, 200):
        x = torch.randn(size)
        assert torch.equal(program(x), x * size + 1)
    assert counter.frame_count == 1


def test_mutation_in_a_program():
    @compile
    def program(x, total):
        before = total * 2
        add_(x, total)
        part = total.clone()
        add_(x, part)
        return before, total * 3, part

    x, total = torch.randn(77), torch.randn(77)
    given = total.clone()
    before, after, part = program(x, given)
    assert torch.equal(given, total + x)
    assert torch.equal(before, total * 2)
    assert torch.equal(after, (total + x) * 3)
    assert torch.equal(part, (total + x) + x)


@pytest.mark.parametrize("is_compiled", [False, True])
def test_autograd(is_compiled):
    def program(a, b):
        return torch.sin(matmul(a, b)).sum()

    a = torch.randn(21, 34, requires_grad=True)
    b = torch.randn(34, 40, requires_grad=True)
    run = compile(program) if is_compiled else program
    run(a, b).backward()
    a64, b64 = (t.detach().double().requires_grad_() for t in (a, b))
    torch.sin(a64 @ b64).sum().backward()
    expect_close(a.grad, a64.grad, 1e-4)
    expect_close(b.grad, b64.grad, 1e-4)


def test_export():
    class Module(torch.nn.Module):
        def forward(self, x):
            return scaled(x, 3.0) + 1

    x = torch.randn(40)
    program = torch.export.export(
        Module(), (x,), dynamic_shapes=({0: torch.export.Dim("n", min=2)},))
    assert "tile_test.scaled" in str(program.graph)
    other = torch.randn(91)
    assert torch.equal(program.module()(other), other * 3 + 1)


# ----------------------------------------------------------------------------
# Fake tensors
# ----------------------------------------------------------------------------


def test_kernels_do_nothing_with_fake_tensors():
    with FakeTensorMode():
        x, y = torch.empty(10), torch.empty(10)
        assert scale(x, y, 2.0) is None
        assert scale[1](x, y, 2.0) is None
        assert "tile.store" in scale.trace(x, y, 2.0)


def test_own_operator_of_torch():
    """A kernel works in an operator that is defined by torch.library.custom_op."""
    @torch.library.custom_op("tile_test::own", mutates_args=())
    def own(x: Tensor) -> Tensor:
        y = torch.full_like(x, float("nan"))
        scale(x, y, 2.0)
        return y

    own.register_fake(own._init_fn)
    x = torch.randn(50)
    assert torch.equal(compile(lambda x: own(x) - 1)(x), x * 2 - 1)


def test_shapes_by_another_function():
    @tile.torch_op("tile_test::by_item", fake=lambda x, count: torch.empty_like(x))
    def by_item(x: Tensor, count: Tensor) -> Tensor:
        y = torch.full_like(x, float("nan"))
        scale(x, y, float(count.item()))
        return y

    x = torch.randn(50)
    program = compile(lambda x, n: by_item(x, n) - 1)
    assert torch.equal(program(x, torch.tensor(3)), x * 3 - 1)


def test_function_that_looks_at_elements():
    @tile.torch_op("tile_test::looks")
    def looks(x: Tensor) -> Tensor:
        return x * x.sum().item()

    with pytest.raises(tile.ArgumentError,
                       match=r"expected torch_op\('tile_test::looks', fake=...\)"):
        looks(torch.randn(5))


# ----------------------------------------------------------------------------
# Written arguments
# ----------------------------------------------------------------------------


def test_written_argument_that_is_not_named():
    @tile.torch_op("tile_test::wrong_")
    def wrong_(x: Tensor, total: Tensor) -> None:
        add_to(x, total)

    x, total = torch.randn(77), torch.randn(77)
    given = total.clone()
    for _ in range(2):
        with pytest.raises(tile.ArgumentError) as error:
            wrong_(x, given)
        assert str(error.value) == (
            "expected 'total' among mutates_args of 'tile_test::wrong_', since the "
            "kernel 'add_to' writes it as 'total', got []")
        assert torch.equal(given, total)


@pytest.mark.parametrize("view", [
    lambda t: t[1], lambda t: t.view(-1), lambda t: t.T[0], lambda t: t.detach()[0]])
def test_written_views(view):
    name = f"tile_test::views{len(test_views)}_"
    test_views.append(name)

    @tile.torch_op(name, mutates_args=["other"])
    def wrong_(xs: List[Tensor], other: Tensor) -> None:
        total = view(xs[1])
        add_to(torch.ones_like(total), total)

    with pytest.raises(tile.ArgumentError, match="expected 'xs' among mutates_args"):
        wrong_([torch.randn(3), torch.randn(4, 5)], torch.randn(3))


test_views = []


def test_written_in_one_case():
    @tile.torch_op("tile_test::sometimes_", mutates_args=["total"])
    def sometimes_(x: Tensor, total: Tensor, both: bool) -> None:
        add_to(x, total)
        if both:
            add_to(total, x)

    x, total = torch.randn(77), torch.randn(77)
    sometimes_(x, total, False)
    with pytest.raises(tile.ArgumentError, match="expected 'x' among mutates_args"):
        sometimes_(x, total, True)


def test_parts_of_one_array():
    x, total = torch.randn(2, 77)
    given = total.clone()
    add_(x, total)
    assert torch.equal(total, given + x)


def test_memory_of_its_own():
    """A kernel may write a copy of an argument that is not declared as changed."""
    @tile.torch_op("tile_test::added")
    def added(x: Tensor, total: Tensor) -> Tensor:
        out = total.clone()
        add_to(x, out)
        return out

    x, total = torch.randn(2, 77)
    assert torch.equal(added(x, total), x + total)


# ----------------------------------------------------------------------------
# Errors
# ----------------------------------------------------------------------------


def test_wrong_names():
    for name in ("scaled", "a::b::c"):
        with pytest.raises(tile.ArgumentError, match="expected a name as 'namesp"):
            tile.torch_op(name)
    with pytest.raises(tile.ArgumentError, match="expected a sequence of names"):
        tile.torch_op("tile_test::text", mutates_args="total")


def test_errors_of_kernels():
    @tile.kernel(grid=1)
    def wrong(x):
        tile.store(x, 0, tile.load(x, 0, 8) + tile.zeros(3))

    @tile.torch_op("tile_test::error_", mutates_args=["x"])
    def error_(x: Tensor) -> None:
        wrong(x)

    with pytest.raises(tile.CompileError, match="test_torch.py"):
        error_(torch.randn(8))
    with pytest.raises(tile.ArgumentError, match="'x': expected an element type"):
        scaled(torch.zeros(8, dtype=torch.float8_e4m3fnuz), 1.0)


def test_old_torch(monkeypatch):
    monkeypatch.delattr(torch.library, "infer_schema")
    with pytest.raises(tile.TileError, match="expected PyTorch 2.5 or later"):
        tile.torch_op("tile_test::old", lambda x: x)


def test_without_torch(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.library", None)
    with pytest.raises(tile.TileError, match="expected the package torch"):
        tile.torch_op("tile_test::none", lambda x: x)


# ----------------------------------------------------------------------------
# Tuned kernels
# ----------------------------------------------------------------------------


class Timer:
    """Returns times that grow with `n`."""

    def __init__(self):
        self.measured = []

    def find_target(self):
        return tile_mlir.timing.Target("sm_90a", "A GPU")

    def measure(self, candidate, launch, count):
        self.measured.append(candidate)
        return [candidate["n"] * 1e-6] * count

    def get_time(self):
        return 0.0

    def pause(self, seconds):
        pass


def make_tuned():
    def function(x, y, s: float, *, n):
        first = tile.program_id(0) * n
        tile.store(y, first, tile.load(x, first, n) * s)

    return tile.autotune({"n": [64, 32]}, timer=Timer())(tile.kernel(
        grid=lambda x, n: tile.cdiv(x.shape[0], n))(function))


def test_operator_that_calls_a_tuned_kernel():
    tuned = make_tuned()

    @tile.torch_op("tile_test::tuned_scaled")
    def op(x: Tensor, s: float) -> Tensor:
        y = torch.full_like(x, float("nan"))
        tuned(x, y, s)
        return y

    x = torch.randn(77)
    with FakeTensorMode() as mode:
        assert op(mode.from_tensor(x), 1.5).shape == (77,)
    assert not tuned.timer.measured
    torch.testing.assert_close(compile(lambda x: op(x, 1.5) + 1)(x), x * 1.5 + 1)
    assert tuned.choose(x, torch.empty(77), 1.5).values == {"n": 32}


def test_what_a_tuned_kernel_writes():
    tuned = make_tuned()

    @tile.torch_op("tile_test::tuned_in_place")
    def op(x: Tensor, y: Tensor) -> None:
        tuned(x, y, 1.5)

    with pytest.raises(tile.ArgumentError, match="expected 'y' among mutates_args"):
        op(torch.randn(77), torch.randn(77))


def test_tuned_kernel_as_an_operator():
    op = tile.torch_op("tile_test::tuned", make_tuned(), mutates_args=["y"])
    x, y = torch.randn(77), torch.full((77,), float("nan"))
    op(x, y, 1.5)
    torch.testing.assert_close(y, x * 1.5)


def test_prepare_with_fake_tensors():
    with FakeTensorMode() as mode:
        x = mode.from_tensor(torch.randn(77))
        scale.prepare(x, torch.empty_like(x), 1.5, n=32)()
