// OrientMatmuls.cpp - matmuls of which only the transposed result is used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/OrientMatmuls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tile;

// Warpgroup MMAs compute at least this many rows (PTX ISA, "wgmma.mma_async").
static constexpr int64_t kLeastWarpgroupRows = 64;
// MMAs of a warp compute this many (the same, "mma.sync" of 16-bit elements).
static constexpr int64_t kLeastWarpRows = 16;

// A warp that multiplies fragments of results has all of their columns, and 16
// rows or more: the accumulators of 256 columns take 128 registers a thread.
static constexpr int64_t kMostColumns = 256;

/// Returns `type` with its last two dimensions exchanged.
static TileType getTransposed(TileType type) {
  SmallVector<int64_t> shape(type.getShape());
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return TileType::get(shape, type.getElementType());
}

/// Whether an operation exchanges the last two dimensions.
static bool isMatrixTranspose(Operation *op) {
  auto transpose = dyn_cast_if_present<TransposeOp>(op);
  if (!transpose)
    return false;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  int64_t rank = permutation.size();
  return rank >= 2 && permutation[rank - 1] == rank - 2 &&
         llvm::equal(permutation.drop_back(2), llvm::seq<int64_t>(0, rank - 2));
}

/// Whether a value is a tile that can be transposed: it has rows and columns,
/// and the program declares no storage for it.
static bool isMatrix(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getRank() >= 2 && !type.getStorage();
}

static bool isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
         op->getNumRegions() == 0;
}

/// Whether the transpose of a broadcast tile is a broadcast of its elements in
/// their order: it repeats rows, columns or matrices.
static bool repeatsVectors(BroadcastOp op) {
  ArrayRef<int64_t> shape = op.getSource().getType().getShape();
  return !op.getDims() &&
         (shape.size() < 2 || shape.back() == 1 || shape.rbegin()[1] == 1);
}

/// Returns the elements of a constant tile in which all are equal; null for
/// other values.
static SplatElementsAttr getSplat(Value value) {
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat)) ? splat : SplatElementsAttr();
}

/// Whether the transpose of `value` costs as much as the value itself.
static bool isTransposable(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_if_present<BroadcastOp>(op))
    return repeatsVectors(broadcast);
  return op && (isa<FillOp>(op) || isMatrixTranspose(op) || getSplat(value));
}

/// Returns the fewest rows of a matmul whose instructions pad no rows more than
/// those of one with `m` rows.
static int64_t getLeastRows(MatmulOp op, int64_t m) {
  bool isFma = op.getPrecision() == Precision::ieee &&
               cast<TileType>(op.getLhs().getType()).getElementType().isF32();
  if (isFma)
    return 1;
  return m >= kLeastWarpgroupRows ? kLeastWarpgroupRows
                                  : std::min(m, kLeastWarpRows);
}

/// Whether the transpose of a matmul costs as much as the matmul.
static bool isTransposable(MatmulOp op) {
  ArrayRef<int64_t> shape = op.getType().getShape();
  int64_t m = shape.rbegin()[1], n = shape.back();
  bool keepsRows = n >= getLeastRows(op, m);
  return keepsRows && !op.getTilingAttr() && getSplat(op.getAcc()) &&
         isMatrix(op.getLhs()) && isMatrix(op.getRhs()) &&
         (isMatrixTranspose(op.getLhs().getDefiningOp()) ||
          isMatrixTranspose(op.getRhs().getDefiningOp()));
}

namespace {
/// Matmuls and values computed from them, of which a program uses only the
/// transposes.
class Transposition {
public:
  /// Adds all values that have to be transposed if the source of `exit` is.
  /// Fails if one of them is used as it is, or costs more if it is transposed.
  LogicalResult find(TransposeOp exit);

  void rewrite();

private:
  LogicalResult addSources(Value value);
  LogicalResult addUsers(Value value);
  LogicalResult addExit(TransposeOp exit);
  Value transpose(Value value);
  Value createTransposed(OpBuilder &builder, Value value);

  SetVector<Value> values;
  SmallVector<TransposeOp> exits;
  DenseMap<Value, Value> transposed;
  bool hasMatmul = false, isMultiplied = false;
  /// The columns of the transposed matmuls, and of matmuls with these as lhs.
  int64_t columns = 0;
};
} // namespace

LogicalResult Transposition::find(TransposeOp exit) {
  values.insert(exit.getSource());
  for (size_t i = 0; i < values.size(); ++i)
    if (!isMatrix(values[i]) || failed(addSources(values[i])) ||
        failed(addUsers(values[i])))
      return failure();
  // A value that is used transposed by the others, too, would be needed twice.
  bool isNeededTwice = llvm::any_of(values, [&](Value value) {
    return isMatrixTranspose(value.getDefiningOp()) &&
           values.contains(value.getDefiningOp()->getOperand(0));
  });
  return success(hasMatmul && !isNeededTwice &&
                 (!isMultiplied || columns <= kMostColumns));
}

LogicalResult Transposition::addSources(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto matmul = dyn_cast_if_present<MatmulOp>(op)) {
    hasMatmul = true;
    columns += matmul.getType().getShape().rbegin()[1];
    return success(isTransposable(matmul));
  }
  if (auto branch = dyn_cast_if_present<scf::IfOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    values.insert(branch.thenYield().getOperand(index));
    values.insert(branch.elseYield().getOperand(index));
    return success();
  }
  if (isTransposable(value))
    return success();
  if (!op || !isElementwise(op))
    return failure();
  for (Value operand : op->getOperands())
    if (isa<TileType>(operand.getType()))
      values.insert(operand);
  return success();
}

LogicalResult Transposition::addUsers(Value value) {
  if (isTransposable(value))
    return success(); // Other users keep the value itself.
  for (Operation *user : value.getUsers()) {
    if (isMatrixTranspose(user)) {
      if (failed(addExit(cast<TransposeOp>(user))))
        return failure();
    } else if (isElementwise(user)) {
      values.insert(user->getResult(0));
    } else if (auto branch = dyn_cast<scf::IfOp>(user->getParentOp());
               branch && isa<scf::YieldOp>(user)) {
      for (OpOperand &use : user->getOpOperands())
        if (use.get() == value)
          values.insert(branch.getResult(use.getOperandNumber()));
    } else {
      return failure();
    }
  }
  return success();
}

/// Adds a transpose, which the transposed value replaces. Fails for the rhs of
/// a matmul: it is in shared memory, where a transpose costs nothing.
LogicalResult Transposition::addExit(TransposeOp exit) {
  for (OpOperand &use : exit->getUses()) {
    auto matmul = dyn_cast<MatmulOpInterface>(use.getOwner());
    if (!matmul)
      continue;
    if (use.get() == matmul.getRhs())
      return failure();
    isMultiplied = true;
    columns += cast<TileType>(matmul->getResult(0).getType()).getShape().back();
  }
  exits.push_back(exit);
  return success();
}

/// Returns the transpose of `value`, without another operation if it is itself
/// a transpose.
static Value transposeOnce(OpBuilder &builder, Value value) {
  if (isMatrixTranspose(value.getDefiningOp()))
    return value.getDefiningOp<TransposeOp>().getSource();
  auto type = cast<TileType>(value.getType());
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(permutation[permutation.size() - 1],
            permutation[permutation.size() - 2]);
  return TransposeOp::create(builder, value.getLoc(), getTransposed(type),
                             value, permutation);
}

static Value createSplat(OpBuilder &builder, Location loc, TileType type,
                         SplatElementsAttr splat) {
  return arith::ConstantOp::create(builder, loc,
                                   cast<TypedAttr>(splat.resizeSplat(type)));
}

static Value transposeMatmul(OpBuilder &builder, MatmulOp op) {
  Value lhs = transposeOnce(builder, op.getRhs());
  Value rhs = transposeOnce(builder, op.getLhs());
  TileType type = getTransposed(op.getType());
  Value acc = createSplat(builder, op.getLoc(), type, getSplat(op.getAcc()));
  auto created = cast<MatmulOp>(builder.clone(*op));
  created.getLhsMutable().assign(lhs);
  created.getRhsMutable().assign(rhs);
  created.getAccMutable().assign(acc);
  created.getResult().setType(type);
  return created;
}

static Value transposeBroadcast(OpBuilder &builder, BroadcastOp op) {
  Location loc = op.getLoc();
  TileType source = op.getSource().getType();
  SmallVector<int64_t> shape(source.getShape());
  if (shape.size() == 1)
    shape.insert(shape.begin(), 1);
  auto matrix = TileType::get(shape, source.getElementType());
  Value turned = op.getSource();
  if (!shape.empty())
    turned =
        builder.createOrFold<ReshapeOp>(loc, getTransposed(matrix), turned);
  return BroadcastOp::create(builder, loc, getTransposed(op.getType()), turned);
}

/// Returns a value that is computed as `value` is, but transposed.
Value Transposition::createTransposed(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  auto type = getTransposed(cast<TileType>(value.getType()));
  if (isMatrixTranspose(op))
    return cast<TransposeOp>(op).getSource();
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return transposeMatmul(builder, matmul);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return transposeBroadcast(builder, broadcast);
  if (auto fill = dyn_cast<FillOp>(op))
    return FillOp::create(builder, op->getLoc(), type, fill.getValue());
  if (SplatElementsAttr splat = getSplat(value))
    return createSplat(builder, op->getLoc(), type, splat);
  Operation *created = op->clone();
  for (OpOperand &operand : created->getOpOperands())
    if (isa<TileType>(operand.get().getType()))
      operand.set(transpose(operand.get()));
  created->getResult(0).setType(type);
  return builder.insert(created)->getResult(0);
}

Value Transposition::transpose(Value value) {
  if (Value known = transposed.lookup(value))
    return known;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Value created;
  if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
      yield->setOperand(index, transpose(yield.getOperand(index)));
    value.setType(getTransposed(cast<TileType>(value.getType())));
    created = value;
  } else {
    created = createTransposed(builder, value);
  }
  transposed[value] = created;
  return created;
}

void Transposition::rewrite() {
  for (TransposeOp exit : exits) {
    exit.getResult().replaceAllUsesWith(transpose(exit.getSource()));
    exit.erase();
  }
}

/// Changes the first matmul of which only the transposed result is used.
/// Returns whether there is one.
static bool orientOne(KernelOp kernel) {
  WalkResult result = kernel.walk([](TransposeOp exit) {
    Transposition transposition;
    if (!isMatrixTranspose(exit) || failed(transposition.find(exit)))
      return WalkResult::advance();
    transposition.rewrite();
    return WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

void tile::orientMatmuls(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  // A change brings transposes closer to the values that are loaded, and leaves
  // operations without uses.
  while (orientOne(kernel))
    (void)runRegionDCE(rewriter, kernel->getRegions());
}
