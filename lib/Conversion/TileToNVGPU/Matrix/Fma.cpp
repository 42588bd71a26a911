// Fma.cpp - matmul of tiles by multiply-adds in each thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands in shared memory are read element by element, step by step along K.
// Operands that each thread loads from global memory are already in registers.
// The accumulator stays in registers.

#include "../Float8.h"
#include "MatmulEmitters.h"
#include "OperandReader.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Maximum number of a thread's multiply-adds in straight-line code. With more,
/// the steps along K become a loop: longer code gains nothing and takes time to
/// compile.
static constexpr int64_t kMaxUnrolledFma = 1024;
/// This maximum for a generic variant, which waits longer for its loads.
static constexpr int64_t kMaxUnrolledFmaGeneric = 256;

namespace {

/// A thread's elements of one operand: read from a buffer when needed, or held
/// in registers.
class FmaOperand {
public:
  FmaOperand(IndexBuilder &index, ConversionPatternRewriter &rewriter,
             MatmulOp op, int operand, const Tiling &tiling, ValueRange values)
      : operand(operand), tiling(tiling), depth(op.getK()) {
    auto type = dyn_cast<TileType>(op->getOperand(operand).getType());
    if (!type) {
      reader.emplace(index, rewriter, op, operand, tiling);
      return;
    }
    SmallVector<Value> elements = unpack(rewriter, op.getLoc(), type, values);
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    for (auto [value, element] : llvm::enumerate(elements)) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t matmul = coordinates.size() == 3
                           ? coordinates.front() / tiling.subExtent(kBatchAxis)
                           : 0;
      ArrayRef<int64_t> at = ArrayRef(coordinates).take_back(2);
      held[{at[operand], matmul * depth + at[1 - operand]}] = element;
    }
  }

  bool isHeld() const { return !reader; }
  /// @pre !isHeld().
  OperandReader &getReader() { return *reader; }

  /// Number of elements of a vector along K.
  int64_t getVectorAlongK() const {
    return reader && reader->isAlongK() ? reader->getPlan().vector : 1;
  }

  /// Returns the element of one of the thread's matmuls at `outer` (along M or
  /// N, in the thread's own order) and `k`.
  Value get(int64_t matmul, int64_t outer, int64_t k) {
    if (tiling.hasBatch[operand])
      k += matmul * depth;
    int64_t thread = tiling.thread[operand];
    if (isHeld())
      return held.at(
          {outer % thread + outer / thread * tiling.subExtent(operand), k});
    const AccessPlan &plan = reader->getPlan();
    int64_t count = thread * tiling.sub[operand];
    // The order of the values is the vector, then outer, then K, then matmuls;
    // see getFmaPlan.
    if (reader->isAlongK())
      return reader->loadElement(
          (k / plan.vector * count + outer) * plan.vector + k % plan.vector);
    return reader->loadElement(k * count + outer);
  }

private:
  int operand;
  const Tiling &tiling;
  int64_t depth; ///< K
  std::optional<OperandReader> reader;
  /// The elements by their coordinates (outer, k) in the thread's part of the
  /// operand, where k continues from matmul to matmul.
  llvm::DenseMap<std::pair<int64_t, int64_t>, Value> held;
};

/// Emits a matmul by multiply-adds in each thread. The order of the values of
/// the accumulator is TN, TM, then sub-tiles along N, then along M, then
/// matmuls of the batch.
class FmaEmitter {
public:
  FmaEmitter(ConversionPatternRewriter &rewriter, MatmulOp op,
             const Tiling &tiling, const Architecture &architecture,
             ArrayRef<ValueRange> operands, SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), op(op), tiling(tiling),
        architecture(architecture),
        lhs(index, rewriter, op, 0, tiling, operands[0]),
        rhs(index, rewriter, op, 1, tiling, operands[1]), acc(std::move(acc)) {}

  SmallVector<Value> emit() {
    int64_t k = op.getK();
    int64_t unit = chooseUnit(k);
    if (unit == k) {
      emitSteps(k);
      return acc;
    }
    auto loop =
        scf::ForOp::create(builder, index.loc, index.constant(0),
                           index.constant(k), index.constant(unit), acc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    for (FmaOperand *operand : {&lhs, &rhs}) {
      OperandReader &reader = operand->getReader();
      reader.getCoordinates().shift(reader.getInnerDimension(),
                                    loop.getInductionVar(), unit, k);
    }
    acc.assign(loop.getRegionIterArgs().begin(),
               loop.getRegionIterArgs().end());
    emitSteps(unit);
    scf::YieldOp::create(builder, index.loc, acc);
    return SmallVector<Value>(loop.getResults());
  }

private:
  /// Returns the number of steps along K in one loop body: a divisor of K that
  /// is a multiple of the length of vectors. If an operand is in registers,
  /// this is K, since a loop cannot index registers.
  int64_t chooseUnit(int64_t k) const {
    if (lhs.isHeld() || rhs.isHeld())
      return k;
    int64_t vector = std::max(lhs.getVectorAlongK(), rhs.getVectorAlongK());
    int64_t limit = op->getParentOfType<KernelOp>()->hasAttr(kGeneralOfAttr)
                        ? kMaxUnrolledFmaGeneric
                        : kMaxUnrolledFma;
    // A complex multiply-add is four real ones.
    bool isComplex = isa<ComplexType>(acc.front().getType());
    int64_t perStep = acc.size() * (isComplex ? 4 : 1);
    int64_t unit = k;
    while (unit * perStep > limit && unit % 2 == 0 && (unit / 2) % vector == 0)
      unit /= 2;
    return unit;
  }

  /// Returns an element of an operand, converted to the accumulator's type.
  Value getElement(FmaOperand &operand, int64_t matmul, int64_t outer,
                   int64_t k) {
    Value value = operand.get(matmul, outer, k);
    Value &element = elements[value];
    if (!element)
      element = widen(value);
    return element;
  }

  /// Converts a value to the accumulator's type.
  Value widen(Value value) {
    Type to = op.getType().getElementType();
    if (isFloat8(value.getType()))
      value = widenFloat8(builder, index.loc, value, architecture).front();
    if (value.getType() == to)
      return value;
    if (isa<FloatType>(to))
      return arith::ExtFOp::create(builder, index.loc, to, value);
    return arith::ExtSIOp::create(builder, index.loc, to, value);
  }

  Value fuse(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, index.loc, a, b, c);
  }

  /// Returns the real and the imaginary part of a complex value.
  std::pair<Value, Value> split(Value value) {
    return {complex::ReOp::create(builder, index.loc, value),
            complex::ImOp::create(builder, index.loc, value)};
  }

  /// Emits a complex multiply-add as four fused multiply-adds.
  Value multiplyAddComplex(Value x, Value y, Value sum) {
    auto [a, b] = split(x);
    auto [c, d] = split(y);
    auto [real, imaginary] = split(sum);
    Value minus = arith::NegFOp::create(builder, index.loc, b);
    return complex::CreateOp::create(builder, index.loc, sum.getType(),
                                     fuse(minus, d, fuse(a, c, real)),
                                     fuse(b, c, fuse(a, d, imaginary)));
  }

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(c.getType()))
      return fuse(a, b, c);
    if (isa<ComplexType>(c.getType()))
      return multiplyAddComplex(a, b, c);
    return arith::AddIOp::create(
        builder, index.loc, arith::MulIOp::create(builder, index.loc, a, b), c);
  }

  /// Returns the index in `acc` of a thread's row `m` and column `n`. In a
  /// batch, the rows of one matmul follow those of the previous one.
  int64_t getAccumulator(int64_t m, int64_t n) const {
    int64_t tm = tiling.thread[0], tn = tiling.thread[1];
    return n % tn + tn * (m % tm + tm * (n / tn + tiling.sub[1] * (m / tm)));
  }

  void emitSteps(int64_t steps) {
    int64_t rows = tiling.thread[0] * tiling.sub[0];
    int64_t columns = tiling.thread[1] * tiling.sub[1];
    for (int64_t k = 0; k < steps; ++k)
      for (int64_t matmul = 0; matmul < tiling.sub[kBatchAxis]; ++matmul)
        for (int64_t m = 0; m < rows; ++m)
          for (int64_t n = 0; n < columns; ++n) {
            Value &sum = acc[getAccumulator(matmul * rows + m, n)];
            sum = multiplyAdd(getElement(lhs, matmul, m, k),
                              getElement(rhs, matmul, n, k), sum);
          }
  }

  IndexBuilder index;
  OpBuilder &builder;
  MatmulOp op;
  const Tiling &tiling;
  const Architecture &architecture;
  FmaOperand lhs, rhs;
  SmallVector<Value> acc;
  llvm::DenseMap<Value, Value> elements; ///< converted, by the value read
};

} // namespace

SmallVector<Value> tile::emitFma(ConversionPatternRewriter &rewriter,
                                 EmittedMatmul matmul,
                                 const Architecture &architecture) {
  return FmaEmitter(rewriter, matmul.op, matmul.tiling, architecture,
                    {matmul.lhs, matmul.rhs}, std::move(matmul.acc))
      .emit();
}
