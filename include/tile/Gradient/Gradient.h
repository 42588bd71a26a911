// Gradient.h - kernels that compute derivatives of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_GRADIENT_H
#define TILE_GRADIENT_GRADIENT_H

#include "tile/IR/Tile.h"

#include <string>
#include <vector>

namespace tile {

/// The direction in which a kernel of derivatives computes.
enum class DerivativeMode {
  /// Takes cotangents of the outputs, and gives gradients of the inputs.
  reverse,
  /// Takes tangents of the inputs, and gives tangents of the outputs.
  forward
};

struct GradientOptions {
  DerivativeMode mode = DerivativeMode::reverse;
  /// The arguments to differentiate by, each by its name (`tile.name`) or its
  /// index; if empty, all arrays with floating-point or complex elements that
  /// the kernel only reads and that an output depends on.
  std::vector<std::string> inputs;
  /// The arguments to differentiate; if empty, all such arrays that the kernel
  /// only writes and that depend on an input.
  std::vector<std::string> outputs;
  /// Whether gradients may be added by atomic operations, so that their last
  /// bits differ from run to run.
  bool allowsAtomics = false;
  /// Whether a loop whose derivative needs values that it carries keeps them
  /// only at the start of each segment of about sqrt(N) of its N iterations.
  /// Without this, a loop does so if the values of one kind are known to take
  /// more than 1 MiB for each program.
  bool keepsSegments = false;
  /// Whether gradients are added to the elements that their arrays have, in
  /// reverse mode only.
  bool accumulates = false;
  /// Outputs whose arrays the derivative reads, with what the kernel has stored
  /// there, so that it need not compute this again. In reverse mode only.
  std::vector<std::string> saved = {};
  /// Whether the derivative also does what the kernel does: it stores the
  /// outputs. Not together with `saved`.
  bool storesOutputs = false;
};

/// Creates the derivatives of `kernel` after it: a kernel at level `source`, or
/// a function of the host that launches such kernels and allocates the arrays
/// that they need, `NAME__adjoint` or `NAME__tangent`. It has the arguments of
/// the kernel that it uses, then an array for each output and for each input,
/// of the type of the argument. In reverse mode these are the cotangents, which
/// are read, and the gradients, which are written; in forward mode the
/// tangents. Their names are those of the arguments, followed by `__cotangent`,
/// `__gradient` or `__tangent`. If `kernel` has no grid, the last arguments of
/// a function are the extents of its grid, `grid_x`, `grid_y` and `grid_z`.
///
/// A derivative that reads saved outputs, or stores outputs, has these arrays
/// among the arguments of the kernel. Stored outputs may differ from those of
/// the kernel by rounding, since the derivative may add up in another order.
///
/// Each element of a gradient is written, with zero where the kernel loads no
/// element of the input, unless gradients accumulate. Fails, after an error at
/// the operation, if a derivative is not known.
///
/// If the kernel has `tile.custom_adjoint`, or in forward mode
/// `tile.custom_tangent`, the derivative is a copy of the kernel that it names,
/// without the results that are not requested, and without outputs. Fails,
/// after an error at that kernel, if it has other arguments, types or accesses
/// than a derivative. A kernel with one of the attributes has no derivative in
/// the other mode.
///
/// @pre the kernel has no calls: -tile-canonical-form has run.
mlir::FailureOr<mlir::Operation *>
buildGradient(KernelOp kernel, const GradientOptions &options);

} // namespace tile

#endif // TILE_GRADIENT_GRADIENT_H
