// KernelBuilder.h - a kernel as it is built: arguments, indices, loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_KERNELBUILDER_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_KERNELBUILDER_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/MapVector.h"

namespace tile::fromlinalg {

/// Makes a value after the values that it is computed from, with a stack of its
/// own, as expressions may be deep. `made` contains those that exist, `needed`
/// returns the operands of one, and `make` adds one to `made`.
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

/// Builds the body of a kernel. What it needs of the host, an array or a
/// scalar, becomes an argument when it is asked for. An index is built in the
/// outermost loop that it can be in, once: equal indices of one loop are one
/// value.
class KernelBuilder {
public:
  /// A kernel of that name before `function`.
  KernelBuilder(mlir::Operation *function, mlir::Location loc,
                llvm::StringRef name);

  KernelOp getKernel() { return kernel; }
  mlir::OpBuilder &getBuilder() { return builder; }

  /// The argument that is the memory of a tensor. One of rank 0 is an array of
  /// one element.
  mlir::Value getArray(mlir::Value tensor);
  /// A scalar of the host; a constant is one of the kernel.
  mlir::Value getScalar(mlir::Value scalar);
  mlir::Value getIndex(int64_t number);
  mlir::Value getIndex(mlir::OpFoldResult number);
  /// A dimension of an array of the kernel.
  mlir::Value getExtent(mlir::Value array, int64_t dim);

  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, int64_t rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  mlir::Value minimum(mlir::Value lhs, mlir::Value rhs);
  /// Of numbers that are not negative.
  mlir::Value divide(mlir::Value lhs, mlir::Value rhs);
  mlir::Value divideUp(mlir::Value lhs, int64_t rhs);
  mlir::Value modulo(mlir::Value lhs, mlir::Value rhs);

  /// The innermost open loop that a value depends on; 0 for none.
  unsigned getDepth(mlir::Value value);
  unsigned getDepth() const { return unsigned(loops.size()); }
  /// Builds in the body of loop `depth`, before the loops in it that are open.
  template <typename Build>
  auto buildAt(unsigned depth, Build build);

  /// A loop from 0 to `end`, whose body makes what is carried to the next
  /// iteration; returns what the last one leaves.
  llvm::SmallVector<mlir::Value>
  buildLoop(mlir::Location loc, mlir::Value end, int64_t step,
            mlir::ValueRange carried,
            llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value,
                                                              mlir::ValueRange)>
                body);

  /// Ends the body and gives the kernel the type of its arguments.
  void finish();

  /// The tensors and scalars of the host that the arguments stand for.
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
  /// The host's scalars, as the kernel has them.
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::DenseMap<int64_t, mlir::Value> numbers;
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
