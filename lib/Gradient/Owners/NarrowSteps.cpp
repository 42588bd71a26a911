// NarrowSteps.cpp - shorter steps along K for the matmul of a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NarrowSteps.h"

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

namespace {
/// The load of an operand, and its dimension along K. The operand is the loaded
/// tile, or its transpose.
struct Operand {
  LoadOp load;
  TransposeOp transpose;
  int64_t dim;

  Value getOffset() { return load.getOffsets()[getArrayDimension(load, dim)]; }
};

/// A loop that accumulates one matmul of two loaded tiles.
struct MatmulLoop {
  MatmulOp matmul;
  Operand lhs, rhs;
};
} // namespace

/// Returns the load of a matmul's operand, of which `dim` is the dimension
/// along K; nothing if it is not a load of two dimensions that nothing else
/// uses.
static std::optional<Operand> findOperand(Value value, int64_t dim) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  Value loaded = transpose ? transpose.getSource() : value;
  auto load = loaded.getDefiningOp<LoadOp>();
  bool isPlain = load && load.getType().getRank() == 2 && load->hasOneUse() &&
                 value.hasOneUse() && !load.getPad() && !load.getMask();
  if (!isPlain)
    return std::nullopt;
  return Operand{load, transpose, transpose ? 1 - dim : dim};
}

static std::optional<MatmulLoop> findMatmul(scf::ForOp loop) {
  auto matmuls = llvm::to_vector(loop.getBody()->getOps<MatmulOp>());
  if (matmuls.size() != 1 || loop.getNumResults() != 1)
    return std::nullopt;
  MatmulOp matmul = matmuls.front();
  std::optional<Operand> lhs = findOperand(matmul.getLhs(), 1);
  std::optional<Operand> rhs = findOperand(matmul.getRhs(), 0);
  bool accumulates = matmul.getAcc() == loop.getRegionIterArgs()[0] &&
                     loop.getYieldedValues()[0] == matmul.getResult() &&
                     !matmul.getTilingAttr();
  if (!lhs || !rhs || !accumulates)
    return std::nullopt;
  return MatmulLoop{matmul, *lhs, *rhs};
}

/// Whether only the offsets of both loads along K depend on the iteration, and
/// both are its index, multiplied by `extent`.
static bool movesByExtent(scf::ForOp loop, MatmulLoop found, int64_t extent) {
  Value offset = found.lhs.getOffset();
  auto multiplied = offset.getDefiningOp<arith::MulIOp>();
  bool isMultiple = multiplied && offset == found.rhs.getOffset() &&
                    multiplied.getLhs() == loop.getInductionVar() &&
                    getConstantIntValue(multiplied.getRhs()) == extent;
  return isMultiple && loop.getInductionVar().hasOneUse() &&
         llvm::all_of(offset.getUsers(),
                      [&](Operation *user) {
                        return user == found.lhs.load || user == found.rhs.load;
                      }) &&
         llvm::count(found.lhs.load.getOffsets(), offset) == 1 &&
         llvm::count(found.rhs.load.getOffsets(), offset) == 1;
}

static void setExtent(Value tile, int64_t dim, int64_t extent) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = extent;
  tile.setType(TileType::get(shape, type.getElementType())
                   .withStorage(type.getStorage()));
}

static void setExtent(Operand operand, int64_t extent) {
  setExtent(operand.load.getResult(), operand.dim, extent);
  if (operand.transpose)
    setExtent(operand.transpose.getResult(), 1 - operand.dim, extent);
}

void tile::narrowSteps(scf::ForOp loop) {
  constexpr int64_t kMostBytes = 128;
  std::optional<MatmulLoop> found = findMatmul(loop);
  if (!found || getConstantIntValue(loop.getStep()) != 1)
    return;
  TileType type = found->lhs.load.getType();
  int64_t extent = type.getDimSize(found->lhs.dim);
  int64_t narrow = kMostBytes / getElementBytes(type.getElementType());
  if (extent <= narrow || extent % narrow != 0 ||
      !movesByExtent(loop, *found, extent))
    return;
  auto offset = found->lhs.getOffset().getDefiningOp<arith::MulIOp>();
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  offset.getRhsMutable().assign(arith::ConstantIndexOp::create(b, narrow));
  Value factor = arith::ConstantIndexOp::create(b, extent / narrow);
  loop.setLowerBound(
      b.createOrFold<arith::MulIOp>(loop.getLowerBound(), factor));
  loop.setUpperBound(
      b.createOrFold<arith::MulIOp>(loop.getUpperBound(), factor));
  setExtent(found->lhs, narrow);
  setExtent(found->rhs, narrow);
}
