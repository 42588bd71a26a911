# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each program of python-bindings/programs/derived on the processor with NumPy
in float64: its results with a straightforward computation, its gradients with central
differences of that one along random directions. Data are made by known parameters, which
the fits must find."""

import importlib
import linecache
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import tile_mlir as tile
from program_cases import PROGRAMS

DERIVED = PROGRAMS / "derived"
STEP, DIRECTIONS = 1e-5, 2


@pytest.fixture(autouse=True)
def on_cpu():
    with tile.cpu():
        yield


def load(name):
    if str(DERIVED) not in sys.path:
        sys.path.insert(0, str(DERIVED))
    return importlib.import_module(name)


@dataclass(frozen=True)
class Case:
    """A program. `make` makes its arrays from a random generator. `call` runs the
    program's module on them, and `reference` computes the same. `backward` returns the
    gradients by the arrays at `wrt`, for a cotangent of the result."""

    make: Callable[..., list[Any]]
    call: Callable[..., Any]
    backward: Callable[..., Any]
    reference: Callable[..., Any]
    wrt: tuple[int, ...]


CASES: dict[str, Case] = {}


# ----------------------------------------------------------------------------
# Scans
# ----------------------------------------------------------------------------


def make_gated_delta_rule(rng, heads=2, tokens=21, dk=3, dv=5):
    q, k = rng.standard_normal((2, heads, tokens, dk))
    k /= np.linalg.norm(k, axis=2, keepdims=True)
    return [q, k, rng.standard_normal((heads, tokens, dv)),
            -0.3 * rng.random((heads, tokens)), rng.random((heads, tokens))]


def reference_gated_delta_rule(q, k, v, g, beta):
    o = np.empty(v.shape)
    for head in range(len(q)):
        state = np.zeros((k.shape[2], v.shape[2]))
        for t in range(q.shape[1]):
            key, rate = k[head, t], beta[head, t]
            state = np.exp(g[head, t]) * (state - rate * np.outer(key, key @ state))
            state += rate * np.outer(key, v[head, t])
            o[head, t] = q[head, t] @ state
    return o


CASES["gated_delta_rule"] = Case(
    make_gated_delta_rule,
    lambda program, *arrays: program.gated_delta_rule(*arrays, n=4),
    lambda program, *arrays: program.gated_delta_rule_backward(*arrays, n=4),
    reference_gated_delta_rule, (0, 1, 2, 3, 4))


def make_mamba2_scan(rng, batch=2, heads=3, tokens=21, channels=3, states=5):
    return [rng.standard_normal((batch, heads, tokens, channels)),
            0.2 * rng.random((batch, heads, tokens)), -rng.random(heads),
            *rng.standard_normal((2, batch, tokens, states)), rng.standard_normal(heads)]


def reference_mamba2_scan(x, dt, a, b, c, d):
    y = np.empty(x.shape)
    for i, head in np.ndindex(x.shape[:2]):
        state = np.zeros((b.shape[2], x.shape[3]))
        for t in range(x.shape[2]):
            step, inputs = dt[i, head, t], x[i, head, t]
            state = np.exp(step * a[head]) * state + step * np.outer(b[i, t], inputs)
            y[i, head, t] = c[i, t] @ state + d[head] * inputs
    return y


CASES["mamba2_scan"] = Case(
    make_mamba2_scan, lambda program, *arrays: program.mamba2_scan(*arrays, n=4),
    lambda program, *arrays: program.mamba2_scan_backward(*arrays, n=4),
    reference_mamba2_scan, (0, 1, 2, 3, 4, 5))


# ----------------------------------------------------------------------------
# Orbits
# ----------------------------------------------------------------------------

ORBIT_STEPS, ORBIT_STEP = 7, np.float64(0.05)


def make_orbit(rng, systems=2, bodies=5):
    positions, velocities = rng.standard_normal((2, systems, 3, bodies))
    return [positions, 0.3 * velocities, rng.random((systems, bodies))]


def reference_orbit(x, v, masses):
    def accelerate(x):
        d = x[:, :, None, :] - x[:, :, :, None]
        pull = masses[:, None] * ((d * d).sum(axis=1) + 0.01) ** -1.5
        return (d * pull[:, None]).sum(axis=3)

    orbits = []
    for _ in range(ORBIT_STEPS):
        v = v + ORBIT_STEP / 2 * accelerate(x)
        x = x + ORBIT_STEP * v
        v = v + ORBIT_STEP / 2 * accelerate(x)
        orbits.append(x)
    return np.stack(orbits, axis=1)


CASES["n_body_orbit"] = Case(
    make_orbit,
    lambda program, *arrays: program.integrate(*arrays, ORBIT_STEPS, ORBIT_STEP),
    lambda program, *arrays: program.integrate_backward(*arrays, ORBIT_STEP),
    reference_orbit, (0, 1, 2))


def test_orbits_determine_velocities(rng):
    positions, velocities, masses = make_orbit(rng)
    measured = reference_orbit(positions, velocities, masses)
    guess = velocities + 0.1 * rng.standard_normal(velocities.shape)
    losses = load("n_body_orbit").fit_velocities(
        positions, guess, masses, measured, ORBIT_STEP, rate=100.0, iterations=40)
    assert losses[-1] < 1e-9 * losses[0]
    np.testing.assert_allclose(guess, velocities, atol=1e-4)


# ----------------------------------------------------------------------------
# Likelihoods
# ----------------------------------------------------------------------------


def make_gaussian_process(rng, processes=3, n=13, dimensions=2):
    return [rng.standard_normal((processes, n, dimensions)),
            rng.standard_normal((processes, n)), 0.3 * rng.standard_normal(3)]


def find_covariance(points, parameters):
    length, amplitude, noise = np.exp(parameters)
    d = (points[:, None] - points[None]) / length
    return (amplitude * np.exp(-(d * d).sum(axis=2) / 2)
            + noise * np.eye(len(points)))


def reference_gaussian_process(x, y, parameters):
    losses = []
    for points, values in zip(x, y):
        k = find_covariance(points, parameters)
        losses.append(values @ np.linalg.solve(k, values)
                      + np.linalg.slogdet(2 * np.pi * k)[1])
    return np.array(losses)


CASES["gaussian_process"] = Case(
    make_gaussian_process, lambda program, *arrays: program.find_losses(*arrays),
    lambda program, *arrays: program.find_losses_backward(*arrays),
    reference_gaussian_process, (0, 1, 2))


def test_parameters_of_gaussian_processes_are_fitted(rng):
    """The gradient gets zero, and the data more likely than for the parameters by which
    they were drawn."""
    true = np.log([0.7, 1.5, 0.2])
    x = 0.7 * rng.standard_normal((31, 13, 2))
    y = np.stack([np.linalg.cholesky(find_covariance(points, true))
                  @ rng.standard_normal(len(points)) for points in x])
    guess, program = np.zeros(3), load("gaussian_process")
    losses = program.fit_parameters(x, y, guess, rate=0.002, iterations=60)
    best = reference_gaussian_process(x, y, guess).sum()
    assert best < losses[0] and best < reference_gaussian_process(x, y, true).sum()
    np.testing.assert_allclose(guess, true, atol=0.3)
    gradient = program.find_losses_backward(x, y, guess, np.ones(31))[2]
    assert np.abs(gradient).max() < 1e-3


def make_model(rng, n, m):
    f = 0.8 * np.eye(n) + 0.2 * rng.standard_normal((n, n))
    return f, rng.standard_normal((m, n))


def make_kalman(rng, series=5, steps=6, n=3, m=1):
    f, h = make_model(rng, n, m)
    return [rng.standard_normal((series, steps, m)), rng.standard_normal((series, n)),
            f, h, 0.3 * rng.standard_normal(n + m)]


def reference_kalman(z, start, f, h, noise):
    n = len(f)
    q, r = np.diag(np.exp(noise[:n])), np.diag(np.exp(noise[n:]))
    losses = np.zeros(len(z))
    for i, x in enumerate(start):
        p = np.eye(n)
        for measured in z[i]:
            x, p = f @ x, f @ p @ f.T + q
            s, y = h @ p @ h.T + r, measured - h @ x
            losses[i] += y @ np.linalg.solve(s, y) + np.linalg.slogdet(2 * np.pi * s)[1]
            k = p @ h.T @ np.linalg.inv(s)
            x, p = x + k @ y, (np.eye(n) - k @ h) @ p
    return losses


CASES["kalman_noise"] = Case(
    make_kalman, lambda program, *arrays: program.find_losses(*arrays),
    lambda program, *arrays: program.find_losses_backward(*arrays),
    reference_kalman, (4,))


def test_noise_of_a_linear_model_is_fitted(rng):
    n, m, series, steps = 3, 1, 41, 23
    f, h = make_model(rng, n, m)
    true = np.log([0.3, 0.1, 0.2, 0.5])
    x = rng.standard_normal((series, n))
    start, z = np.zeros_like(x), np.empty((series, steps, m))
    for t in range(steps):
        x = x @ f.T + np.exp(true[:n] / 2) * rng.standard_normal(x.shape)
        z[:, t] = x @ h.T + np.exp(true[n:] / 2) * rng.standard_normal((series, m))
    guess = np.zeros(n + m)
    losses = load("kalman_noise").fit_noise(z, start, f, h, guess, 0.5, 60)
    least = reference_kalman(z, start, f, h, true).sum() / (series * steps)
    assert losses[-1] < losses[0] - 0.1 and losses[-1] < least + 0.01


# ----------------------------------------------------------------------------
# Robots
# ----------------------------------------------------------------------------


def make_robot(rng, poses=5, links=3):
    axes, origins, centres = rng.standard_normal((3, links, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    roots = rng.standard_normal((links, 3, 3))
    inertias = 0.05 * (roots @ roots.transpose(0, 2, 1) + np.eye(3))
    positions, torques = rng.standard_normal((2, poses, links))
    return [positions, 0.1 * rng.standard_normal(links), torques, axes, 0.4 * origins,
            0.2 * centres, 0.5 + rng.random(links), inertias]


def rotate(axis, angle):
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def reference_robot(positions, offsets, torques, axes, origins, centres, masses,
                    inertias):
    result, links = np.empty(positions.shape), len(axes)
    for i, angles in enumerate(positions + offsets):
        frame, end = np.eye(3), np.zeros(3)
        z, p = np.zeros((2, links, 3))
        h, gravity = np.zeros((links, links)), np.zeros(links)
        for b in range(links):
            end = end + frame @ origins[b]
            z[b], p[b] = frame @ axes[b], end
            frame = frame @ rotate(axes[b], angles[b])
            turns = z.copy()
            turns[b + 1:] = 0
            moves = np.cross(turns, end + frame @ centres[b] - p)
            h += masses[b] * moves @ moves.T
            h += turns @ frame @ inertias[b] @ frame.T @ turns.T
            gravity += 9.81 * masses[b] * moves[:, 2]
        result[i] = np.linalg.solve(h, torques[i] - gravity)
    return result


CASES["robot_offsets"] = Case(
    make_robot, lambda program, *arrays: program.find_accelerations(*arrays),
    lambda program, *arrays: program.find_accelerations_backward(*arrays),
    reference_robot, (0, 1))


def test_accelerations_determine_offsets_of_joints(rng):
    positions, offsets, torques, *robot = make_robot(rng)
    measured = reference_robot(positions, offsets, torques, *robot)
    guess = np.zeros_like(offsets)
    losses = load("robot_offsets").fit_offsets(positions, guess, torques, robot, measured,
                                               rate=1e-3, iterations=100)
    assert losses[-1] < 1e-3 * losses[0]
    np.testing.assert_allclose(guess, offsets, atol=0.03)


def find_factor_gradient(factor, cotangent):
    """Returns the gradient by the lower triangle of a matrix, for the cotangent of its
    Cholesky factor (Murray, "Differentiation of the Cholesky decomposition", 2016)."""
    diagonal = np.eye(len(factor))
    middle = np.tril(factor.T @ np.tril(cotangent)) * (1 - diagonal / 2)
    inverse = np.linalg.inv(factor)
    both = inverse.T @ (middle + middle.T) @ inverse
    return np.tril(both) * (1 - diagonal / 2)


@pytest.mark.parametrize("name", ["crba", "crba_loop"])
def test_gradients_of_the_inertia_of_robots(name, rng):
    """Examples of f32, with gradients by Jacobians, inertias and damping. In crba_loop
    each iteration takes rows of a tile."""
    sys.path.insert(0, str(PROGRAMS.parent.parent / "examples" / "32_crba"))
    kernel = getattr(importlib.import_module(name), name)
    robots, bodies, dofs = 3, 5, 7
    j, m = (rng.standard_normal((robots, bodies, 6, n)) for n in (dofs, 6))
    m = m @ m.swapaxes(2, 3) / 6 + np.eye(6)
    r, (dh, dl) = rng.random((robots, dofs)), rng.standard_normal((2, robots, dofs, dofs))
    h = np.einsum("rbik,rbij,rbjl->rkl", j, m, j) + np.einsum("rk,kl->rkl", r, np.eye(dofs))
    g = dh + np.stack([find_factor_gradient(np.linalg.cholesky(one), d)
                       for one, d in zip(h, dl)])
    expected = (m @ j @ (g + g.swapaxes(1, 2))[:, None], j @ g[:, None] @ j.swapaxes(2, 3),
                np.einsum("rkk->rk", g))
    given = [j.reshape(robots, -1, dofs),
             m if name == "crba" else m.reshape(robots, -1, 6), r, dh, dl]
    found = tile.vjp(kernel)(*(a.astype(np.float32) for a in given), bodies=bodies,
                             dofs=dofs)
    for gradient, right in zip(found, expected):
        error = np.abs(gradient - right.reshape(gradient.shape)).max()
        assert error <= 1e-6 * np.abs(right).max()


# ----------------------------------------------------------------------------
# Filters
# ----------------------------------------------------------------------------


def test_response_of_a_filter_is_learnt(rng):
    """The gradient by each element of the response is a sum over the spectra, and the
    least error that of the quotient of two such sums."""
    rows, n = 7, 48
    bins = np.arange(n // 2 + 1)
    weights = np.where((bins == 0) | (bins == n // 2), 1, 2) / n
    spectra = rng.standard_normal((rows, len(bins))) * np.exp(-bins / 5)
    targets = np.fft.irfft(spectra * n / 4, n)
    signals = targets + 0.3 * rng.standard_normal((rows, n))
    signals, targets = signals.astype(np.float32), targets.astype(np.float32)
    x, y = np.fft.rfft(signals.astype(np.float64)), np.fft.rfft(targets.astype(np.float64))
    program, response = load("fft_filter_fit"), rng.standard_normal(len(bins))
    cotangent = rng.standard_normal((rows, n)).astype(np.float32)
    found = program.filter_rows_backward(signals, response.astype(np.float32), cotangent)
    d = np.fft.rfft(cotangent.astype(np.float64))
    for gradient, expected in zip(found, (
            np.fft.irfft(d * response), (weights * (x.conj() * d).real).sum(axis=0))):
        assert np.abs(gradient - expected).max() <= 2e-6 * np.abs(expected).max()

    response = np.zeros(len(bins), np.float32)
    losses = program.fit_response(signals, targets, response, 1.0, 200)
    best = (x.conj() * y).real.sum(axis=0) / (abs(x) ** 2).sum(axis=0)
    least = ((np.fft.irfft(x * best) - targets) ** 2).mean()
    assert losses[0] > 2 * least and least * 0.999 < losses[-1] < least * 1.05


# ----------------------------------------------------------------------------
# All cases
# ----------------------------------------------------------------------------


def differ(case, arrays, index, direction, cotangent):
    """Returns the central difference of <result, cotangent> along a direction."""
    ends = []
    for step in (STEP, -STEP):
        moved = list(arrays)
        moved[index] = arrays[index] + step * direction
        ends.append((case.reference(*moved) * cotangent).sum())
    return (ends[0] - ends[1]) / (2 * STEP)


@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients(name, rng):
    case, program = CASES[name], load(name)
    arrays = case.make(rng)
    expected = case.reference(*arrays)
    found = case.call(program, *arrays)
    assert np.abs(found - expected).max() <= 1e-12 * np.abs(expected).max()
    cotangent = rng.standard_normal(expected.shape)
    gradients = case.backward(program, *arrays, cotangent)
    gradients = gradients if isinstance(gradients, tuple) else (gradients,)
    assert len(gradients) == len(case.wrt)
    for index, gradient in zip(case.wrt, gradients):
        assert gradient.shape == arrays[index].shape
        for _ in range(DIRECTIONS):
            direction = rng.standard_normal(gradient.shape)
            slope = differ(case, arrays, index, direction, cotangent)
            size = np.linalg.norm(gradient) * np.linalg.norm(direction)
            assert abs((gradient * direction).sum() - slope) <= 1e-8 * size, index


def test_each_program_has_a_case():
    assert {path.stem for path in DERIVED.glob("*.py")} == {*CASES, "fft_filter_fit"}


# ----------------------------------------------------------------------------
# Histograms
# ----------------------------------------------------------------------------


@tile.kernel(grid=1)
def histogram(x, counts, *, n=33, bins=7):
    t = tile.load(x, 0, n)
    indices = t.astype(tile.i32)  # counted
    tile.store(counts, 0, tile.histogram(indices, bins).astype(tile.f32))


@tile.kernel(grid=1)
def scattered_histogram(x, counts, *, n=33):
    t = tile.load(x, 0, n)
    indices = t.astype(tile.i32)  # counted
    tile.scatter(counts, 0, indices, 1.0, atomic="add")


@pytest.mark.parametrize("kernel", [histogram, scattered_histogram])
def test_a_histogram_is_refused(kernel, rng):
    """Counts do not change, or jump, when values change: they have no derivatives that
    are of use. The note is at the line that makes the indices."""
    x, counts = rng.random(33).astype(np.float32) * 7, np.zeros(7, np.float32)
    with pytest.raises(tile.CompileError) as raised:
        tile.grad(kernel)(x, counts)
    [error] = raised.value.diagnostics
    [note] = error.notes
    assert error.file == note.file == __file__
    assert "that an output depends on" in error.text
    assert "integers or conditions as results" in note.text
    assert "# counted" in linecache.getline(__file__, note.line)
