// ShiftedValues.h - values that depend on a shift
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SHIFTEDVALUES_H
#define TILE_LIB_GRADIENT_SHIFTEDVALUES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"

#include <tuple>

namespace tile {

/// How a value depends on the shift m, and on n, the shift that a loop carries
/// into an iteration in which it becomes m: as v + scale * m + before * n, or,
/// if `isExponential`, as v * exp(scale * m + before * n), where v depends on
/// neither. Without a dependence both scales are zero, and both forms hold.
struct ShiftForm {
  double scale = 0, before = 0;
  bool isExponential = false;
  /// The value is zero or depends on the value that a loop carries into an
  /// iteration, whose form is not known yet.
  bool isOpen = false;

  bool isIndependent() const { return scale == 0 && before == 0 && !isOpen; }
  bool operator==(const ShiftForm &other) const {
    auto members = [](const ShiftForm &form) {
      return std::tie(form.scale, form.before, form.isExponential, form.isOpen);
    };
    return members(*this) == members(other);
  }
  bool operator!=(const ShiftForm &other) const { return !(*this == other); }
};

/// Follows the values that depend on a shift.
class ShiftedValues {
public:
  /// A shift is a value, or one that `loop` carries, its result `carried`.
  explicit ShiftedValues(mlir::Value shift) : shift(shift) {
    forms[shift] = {1};
  }
  ShiftedValues(mlir::scf::ForOp loop, unsigned carried)
      : loop(loop), carried(carried) {}

  /// Returns false if a value has neither form, or an operation uses one that
  /// is not known to. The operations of the shift's loop are visited with it.
  bool visit(mlir::Operation *op);

  ShiftForm get(mlir::Value value) const { return forms.lookup(value); }

private:
  using Result = std::optional<ShiftForm>;

  Result compute(mlir::Operation *op) const;
  Result add(mlir::Value a, mlir::Value b, double sign) const;
  Result multiply(mlir::Value a, mlir::Value b, double sign) const;
  Result scaled(mlir::Value a, mlir::Value factor, bool divides) const;
  Result exponential(mlir::Value a, double logarithm) const;
  Result logarithm(mlir::Value a, double logarithm) const;
  Result merge(mlir::Value a, mlir::Value b) const;
  bool isZero(mlir::Value value) const;
  bool visitLoop();
  bool visitIteration();
  std::optional<bool> passOn();

  mlir::Value shift;
  mlir::scf::ForOp loop;
  unsigned carried = 0;
  llvm::DenseMap<mlir::Value, ShiftForm> forms;
};

} // namespace tile

#endif // TILE_LIB_GRADIENT_SHIFTEDVALUES_H
