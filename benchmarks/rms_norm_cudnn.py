# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the gradients of an RMS norm against the plans of cuDNN, in turns, and compares
both with f64.

  python3 rms_norm_cudnn.py

Needs a GPU, PyTorch, and the package nvidia-cudnn-frontend, by which cuDNN's graphs are
built. cuDNN takes the reciprocal deviations of the rows, which its forward pass stores;
ours computes them again. Its first plan is the one that its heuristic prefers.
"""

import cudnn
import torch

import tile_mlir as tile
from bursts import time_in_turns
from gradients import CASES, rms_norm

MOST_PLANS = 4


def build_graph(handle, dy, x, weights, deviations):
    """Returns a graph of the backward pass with its tensors, as lists of inputs and
    outputs."""
    graph = cudnn.pygraph(
        handle=handle, io_data_type=cudnn.data_type.BFLOAT16,
        intermediate_data_type=cudnn.data_type.FLOAT,
        compute_data_type=cudnn.data_type.FLOAT)
    inputs = [graph.tensor_like(t) for t in (dy, x, weights, deviations)]
    names = ("grad", "input", "scale", "inv_variance")
    dx, dw, _ = graph.rmsnorm_backward(name="backward", has_dbias=False,
                                       **dict(zip(names, inputs)))
    for output in (dx, dw):
        output.set_output(True).set_data_type(cudnn.data_type.BFLOAT16)
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([cudnn.heur_mode.A])
    graph.check_support()
    graph.build_plans(cudnn.build_plan_policy.ALL)
    return graph, inputs, [dx, dw]


def make_plans(x, dy, w, gradients):
    """Returns the calls of cuDNN's first plans."""
    handle = cudnn.create_handle()
    cudnn.set_stream(handle=handle, stream=torch.cuda.current_stream().cuda_stream)
    rows, n = x.shape
    deviations = (x.float().pow(2).mean(1) + 1e-5).rsqrt().view(rows, 1, 1, 1)
    given = [dy.view(rows, n, 1, 1), x.view(rows, n, 1, 1), w.view(1, n, 1, 1), deviations]
    graph, inputs, outputs = build_graph(handle, *given)
    tensors = dict(zip(inputs + outputs, given + [
        gradients[0].view(rows, n, 1, 1), gradients[1].view(1, n, 1, 1)]))

    def make(plan):
        size = max(1, graph.get_workspace_size_plan_at_index(plan))
        workspace = torch.empty(size, dtype=torch.uint8, device="cuda")
        return lambda: graph.execute_plan_at_index(tensors, workspace, plan, handle=handle)

    return [make(plan) for plan in range(min(MOST_PLANS, graph.get_execution_plan_count()))]


def find_errors(x, dy, w, gradients):
    """Returns the relative errors of the gradients, in norm."""
    x, dy, w = (t.double() for t in (x, dy, w))
    r = (x.pow(2).mean(1, keepdim=True) + 1e-5).rsqrt()
    g = dy * w
    expected = r * (g - x * r * r * (g * x).mean(1, keepdim=True)), (dy * x * r).sum(0)
    return [((found.double() - wanted).norm() / wanted.norm()).item()
            for found, wanted in zip(gradients, expected)]


def main():
    (x, w), _, words = CASES["rms_norm"].make()
    dy = torch.randn_like(x)
    derivative = tile.vjp(rms_norm)
    ours, theirs = ([torch.full_like(t, float("nan")) for t in (x, w)] for _ in range(2))
    calls = [lambda: derivative(x, w, dy, gradients=ours, **words),
             *make_plans(x, dy, w, theirs)]
    for call in calls:
        call()
    times = time_in_turns(calls)
    print(f"# {torch.cuda.get_device_name()}, cuDNN {cudnn.backend_version()}")
    print("what,us,errors")
    print("ours", f"{times[0]:.1f}", *find_errors(x, dy, w, ours), sep=",")
    for plan, (call, time) in enumerate(zip(calls[1:], times[1:])):
        for gradient in theirs:
            gradient.fill_(float("nan"))
        call()
        print(f"cuDNN's plan {plan}", f"{time:.1f}", *find_errors(x, dy, w, theirs), sep=",")


if __name__ == "__main__":
    main()
