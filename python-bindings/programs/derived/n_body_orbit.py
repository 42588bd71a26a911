# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the initial velocities of bodies that attract each other to their measured
orbits, by gradient descent through the integration.

The accelerations are the sums of mass d / (|d|^2 + softening)^(3/2) over the bodies,
where d is the vector to the other body, and the steps those of the leapfrog method
(Hairer, Lubich and Wanner, "Geometric Numerical Integration", 2006, I.1.4): velocities
change by half a step, positions by a step, velocities by half a step. positions and
velocities are systems x 3 x bodies, masses are systems x bodies, and orbits, the
positions after each step, are systems x steps x 3 x bodies, of f32 or f64. A block
integrates one system, whose positions and velocities a loop carries from step to
step."""

import math

import tile_mlir as tile


@tile.function
def find_accelerations(x, mass, softening):
    d = x[:, None, :] - x[:, :, None]
    inverse = tile.rsqrt((d * d).sum(axis=0) + softening)
    return (d * (mass * inverse * inverse * inverse)).sum(axis=2)


@tile.kernel(grid=lambda positions: positions.shape[0])
def orbit_kernel(
    positions, velocities, masses, orbits, step, *, bodies, softening=0.01
):
    system = tile.program_id(0)
    x, v = (tile.load(a, (system, 0, 0), (3, bodies)) for a in (positions, velocities))
    mass = tile.load(masses, (system, 0), bodies)
    pull = find_accelerations(x, mass, softening)
    for i in range(orbits.shape[1]):
        v += 0.5 * step * pull
        x += step * v
        pull = find_accelerations(x, mass, softening)
        v += 0.5 * step * pull
        tile.store(orbits, (system, i, 0, 0), x)


def integrate(positions, velocities, masses, steps, step):
    """Returns the positions after each step. `step` has the type of the arrays."""
    systems, axes, bodies = positions.shape
    orbits = tile.empty_like(positions, (systems, steps, axes, bodies))
    orbit_kernel(positions, velocities, masses, orbits, step, bodies=bodies)
    return orbits


def integrate_backward(positions, velocities, masses, dorbits, step):
    """Returns the gradients by positions, velocities and masses."""
    backward, bodies = tile.vjp(orbit_kernel), positions.shape[2]
    return backward(positions, velocities, masses, dorbits, step, bodies=bodies)


def fit_velocities(positions, velocities, masses, measured, step, rate, iterations):
    """Changes `velocities`, a guess, so that the orbits come close to `measured`.
    Returns the mean square of the error before each iteration."""
    losses = []
    for _ in range(iterations):
        orbits = integrate(positions, velocities, masses, measured.shape[1], step)
        error = orbits - measured
        losses.append(float((error * error).mean()))
        cotangent = 2 / math.prod(measured.shape) * error
        _, gradient, _ = integrate_backward(
            positions, velocities, masses, cotangent, step
        )
        velocities -= rate * gradient
    return losses
