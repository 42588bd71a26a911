# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the offsets of a robot's joint encoders to measured accelerations, by gradient
descent through its dynamics.

The robot is a chain of links with revolute joints. For positions q of the joints, a
loop over the links finds the axes and origins of the joints in the world, and adds up
the inertia of the joints H = sum of J_b' M_b J_b over the links b, as examples/32_crba
does, and the torques g of gravity, where J_b has the velocity of link b for those of
the joints (Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapters 4 and 6). At
rest, torques t accelerate the joints by H^-1 (t - g).

For each link, `axes` (links x 3) has the joint's axis, of length one, `origins` its
origin, both in the frame of the link before it, and `centres` the centre of mass in the
link's own frame; `masses` has an element for each link, `inertias` (links x 3 x 3) the
inertia about the centre. positions, torques and accelerations are poses x links,
offsets has an element for each joint; all are of f32 or f64. A block has some poses."""

import math

import tile_mlir as tile

GRAVITY = 9.81


@tile.function
def cross(a, b):
    """Returns a x b along the last dimension."""
    left = tile.roll(a, -1, axis=-1) * tile.roll(b, -2, axis=-1)
    return left - tile.roll(a, -2, axis=-1) * tile.roll(b, -1, axis=-1)


@tile.function
def rotate(axis, angles):
    """The rotation matrices about an axis, 1 x 3, by angles, some x 1 (Rodrigues)."""
    identity = tile.eye(3, axis.dtype)
    k = cross(axis, identity).T
    s, c = tile.sin(angles)[:, :, None], tile.cos(angles)[:, :, None]
    return identity + s * k + (1 - c) * (k @ k)


@tile.kernel(grid=lambda positions, some: tile.cdiv(positions.shape[0], some))
def accelerations_kernel(
    positions,
    offsets,
    torques,
    axes,
    origins,
    centres,
    masses,
    inertias,
    accelerations,
    *,
    links,
    some=2,
):
    first, dtype = tile.program_id(0) * some, positions.dtype
    frame = tile.eye(3, dtype) + tile.zeros((some, 3, 3), dtype)
    end = tile.zeros((some, 3, 1), dtype)
    # The axes and origins of the joints in the world, as columns.
    z, p = (tile.zeros((some, 3, links), dtype) for _ in range(2))
    h = tile.zeros((some, links, links), dtype)
    g = tile.zeros((some, links), dtype)
    for b in range(links):
        axis, origin, centre = (
            tile.load(a, (b, 0), (1, 3)) for a in (axes, origins, centres)
        )
        angles = tile.load(positions, (first, b), (some, 1)) + tile.load(offsets, b, 1)
        end += frame @ origin.T
        z = tile.insert(z, (0, 0, b), frame @ axis.T)
        p = tile.insert(p, (0, 0, b), end)
        frame = frame @ rotate(axis, angles)
        # The velocities of the link's centre, and of its rotation, for each joint.
        turns = tile.where(tile.arange(links) <= b, z, 0.0)
        arms = end + frame @ centre.T - p
        moves = cross(turns.mT, arms.mT).mT
        mass = masses[b]
        inertia = frame @ tile.load(inertias, (b, 0, 0), (3, 3), dims=(1, 2)) @ frame.mT
        h += mass * (moves.mT @ moves) + turns.mT @ inertia @ turns
        g += mass * GRAVITY * moves[:, 2]
    t = tile.load(torques, (first, 0), (some, links))
    result = tile.solve(h, t - g, spd=True)
    tile.store(accelerations, (first, 0), result)


def find_accelerations(positions, offsets, torques, *robot):
    """Returns the accelerations of the joints. `robot` are the axes, origins, centres,
    masses and inertias."""
    result, links = tile.empty_like(positions), positions.shape[1]
    accelerations_kernel(positions, offsets, torques, *robot, result, links=links)
    return result


def find_accelerations_backward(positions, offsets, torques, *rest):
    """Returns the gradients by positions and offsets. `rest` are the robot and the
    cotangents of the accelerations."""
    backward = tile.vjp(accelerations_kernel, wrt=("positions", "offsets"))
    return backward(positions, offsets, torques, *rest, links=positions.shape[1])


def fit_offsets(positions, offsets, torques, robot, measured, rate, iterations):
    """Changes `offsets`, a guess, so that the accelerations come close to `measured`.
    Returns the mean square of the error before each iteration."""
    losses = []
    for _ in range(iterations):
        error = find_accelerations(positions, offsets, torques, *robot) - measured
        losses.append(float((error * error).mean()))
        cotangent = 2 / math.prod(measured.shape) * error
        _, gradient = find_accelerations_backward(
            positions, offsets, torques, *robot, cotangent
        )
        offsets -= rate * gradient
    return losses
