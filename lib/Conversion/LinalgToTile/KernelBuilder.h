// KernelBuilder.h - a kernel as it is built: arguments, indices, loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_KERNELBUILDER_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_KERNELBUILDER_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/MapVector.h"

namespace tile::fromlinalg {

/// Makes a value after the values from which it is computed, with an explicit
/// stack, as expressions may be deep. `made` contains the values that exist,
/// `needed` returns the operands of a value, and `make` adds a value to `made`.
template <typename Made, typename Needed, typename Make>
void makeInOrder(mlir::Value value, const Made &made, Needed needed,
                 Make make) {
  llvm::SmallVector<mlir::Value> open{value};
  while (!open.empty()) {
    mlir::Value last = open.back();
    llvm::SmallVector<mlir::Value> missing;
    if (!made.contains(last))
      missing = llvm::filter_to_vector(
          needed(last), [&](mlir::Value part) { return !made.contains(part); });
    llvm::append_range(open, llvm::reverse(missing));
    if (!missing.empty())
      continue;
    if (!made.contains(last))
      make(last);
    open.pop_back();
  }
}

/// Builds the body of a kernel. A host value that the kernel needs, an array or
/// a scalar, becomes an argument when it is requested. An index is built once,
/// in the outermost possible loop: equal indices of one loop are one value.
class KernelBuilder {
public:
  /// Creates a kernel called `name` before `function`.
  KernelBuilder(mlir::Operation *function, mlir::Location loc,
                llvm::StringRef name);

  KernelOp getKernel() { return kernel; }
  mlir::OpBuilder &getBuilder() { return builder; }

  /// Returns the argument that is the memory of a tensor. A tensor of rank 0 is
  /// an array of one element.
  mlir::Value getArray(mlir::Value tensor);
  /// Returns a scalar of the host as a value of the kernel; a constant becomes
  /// one of the kernel.
  mlir::Value getScalar(mlir::Value scalar);
  mlir::Value getIndex(int64_t constant);
  mlir::Value getIndex(mlir::OpFoldResult value);
  /// Returns the extent of a dimension of an array of the kernel.
  mlir::Value getExtent(mlir::Value array, int64_t dim);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, int64_t rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);
  /// Divides values that are not negative.
  mlir::Value divide(mlir::Value lhs, mlir::Value rhs);
  mlir::Value divideUp(mlir::Value lhs, int64_t rhs);
  mlir::Value modulo(mlir::Value lhs, mlir::Value rhs);

  /// Returns the number of open loops around the definition of a value.
  unsigned getDepth(mlir::Value value);
  unsigned getDepth() const { return unsigned(loops.size()); }
  /// Calls `build` with the builder in the body of the `depth`-th open loop
  /// (the kernel's body for 0), before the next open loop.
  template <typename Build>
  auto buildAt(unsigned depth, Build build);

  /// Builds a loop from 0 to `end` whose body makes the values that are carried
  /// to the next iteration; returns the values of the last one.
  llvm::SmallVector<mlir::Value>
  buildLoop(mlir::Location loc, mlir::Value end, int64_t step,
            mlir::ValueRange carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                              mlir::ValueRange)>
                body);

  /// Ends the body and gives the kernel the type of its arguments.
  void finish();

  /// Returns the tensors and scalars of the host that the arguments stand for.
  llvm::ArrayRef<std::pair<mlir::Value, mlir::BlockArgument>> getArguments() {
    return arguments.getArrayRef();
  }

private:
  mlir::Value addArgument(mlir::Value host, mlir::Type type);
  void makeScalar(mlir::Value scalar);
  template <typename Op>
  mlir::Value build(mlir::Value lhs, mlir::Value rhs);

  KernelOp kernel;
  mlir::OpBuilder builder;
  mlir::Location loc;
  llvm::MapVector<mlir::Value, mlir::BlockArgument> arguments;
  /// The kernel's value of each scalar of the host.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<int64_t, mlir::Value> constants;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> extents;
  llvm::DenseMap<std::tuple<mlir::Value, mlir::Value, llvm::StringRef>,
                 mlir::Value>
      indices;
  llvm::SmallVector<mlir::Operation *> loops;
};

template <typename Build>
auto KernelBuilder::buildAt(unsigned depth, Build build) {
  if (depth == loops.size())
    return build();
  mlir::OpBuilder::InsertionGuard guard(builder);
  llvm::SmallVector<mlir::Operation *> inner(loops.begin() + depth,
                                             loops.end());
  builder.setInsertionPoint(loops[depth]);
  loops.truncate(depth);
  auto result = build();
  loops.append(inner);
  return result;
}

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_KERNELBUILDER_H
