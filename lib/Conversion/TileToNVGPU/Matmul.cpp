// Matmul.cpp - products of tiles by mma.sync and by FMA
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands are in shared memory and are read fragment by fragment, step by step
// along K, by the access plan that their layout was chosen for; the accumulator
// stays in registers.

#include "Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/SharedAccess.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Multiply-adds of a thread beyond which the steps along K become a loop: code
/// that is longer gains nothing and takes time to compile.
static constexpr int64_t kMaxUnrolledFma = 1024;
/// The same in a general body, which waits for its loads more than for these.
static constexpr int64_t kMaxUnrolledFmaGeneral = 256;

namespace {

/// One operand of a product and how this thread reads it.
class OperandReader {
public:
  OperandReader(IndexBuilder &index, ConversionPatternRewriter &rewriter,
                MatmulOp op, int operand, const Tiling &tiling)
      : index(index), address(index, rewriter, op->getOperand(operand)),
        type(cast<ShapedType>(op->getOperand(operand).getType())
                 .getElementType()),
        plan(makePlan(op, operand, tiling)), coordinates(index, plan.layout) {}

  const AccessPlan &getPlan() const { return plan; }
  ThreadCoordinates &getCoordinates() { return coordinates; }

  /// Elements of a plain load: the plan's vector where there is such a type and
  /// the buffer keeps it aligned.
  int64_t getWidth() const {
    return isVectorElement(type) ? std::min(plan.vector, address.getMaxVector())
                                 : 1;
  }

  /// The vector whose first value is `value`, by a plain load.
  Value load(int64_t value) {
    Value element = address.getElement(coordinates, value);
    if (getWidth() == 1)
      return memref::LoadOp::create(index.builder, index.loc,
                                    address.getMemory(), element);
    return vector::LoadOp::create(
        index.builder, index.loc, VectorType::get({getWidth()}, type),
        address.getMemory(), element, /*nontemporal=*/false,
        llvm::MaybeAlign(getWidth() * getElementBytes(type)));
  }

  /// The matrices whose first value is `value`, by ldmatrix.
  Value loadMatrices(int64_t value) {
    int64_t perRegister = 4 / getElementBytes(type);
    auto result = VectorType::get({plan.matrices, perRegister}, type);
    return nvgpu::LdMatrixOp::create(
        index.builder, index.loc, result, address.getMemory(),
        address.getElement(coordinates, value),
        plan.kind == AccessKind::kLdmatrixTransposed,
        static_cast<uint32_t>(plan.matrices));
  }

private:
  AccessPlan makePlan(MatmulOp op, int operand, const Tiling &tiling) {
    // The buffer's box may be larger, for other products that read it.
    int64_t k = cast<ShapedType>(op.getLhs().getType()).getDimSize(1);
    return getOperandPlan(tiling, operand, getOperandBox(tiling, operand, k),
                          address.getFastestDimension(), getElementBytes(type),
                          getNumWarps(op));
  }

  IndexBuilder &index;
  SharedAddress address;
  Type type;
  AccessPlan plan;
  ThreadCoordinates coordinates;
};

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// A product by tensor cores: values of the accumulator are (2 columns, 2 rows)
/// of an instruction, then sub-tiles along N, then along M.
class MmaEmitter {
  /// Registers of one fragment.
  using Fragment = SmallVector<Value>;

public:
  MmaEmitter(ConversionPatternRewriter &rewriter, MatmulOp op,
             const Tiling &tiling, SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), op(op), tiling(tiling),
        lhs(index, rewriter, op, 0, tiling),
        rhs(index, rewriter, op, 1, tiling), acc(std::move(acc)) {}

  SmallVector<Value> emit() {
    int64_t steps = getOperandBoxK() / tiling.instruction->k;
    for (int64_t step = 0; step < steps; ++step) {
      SmallVector<Fragment> a = readLhs(step), b = readRhs(step);
      for (int64_t m = 0; m < tiling.sub[0]; ++m)
        for (int64_t n = 0; n < tiling.sub[1]; ++n)
          multiply(a[m], b[n], (m * tiling.sub[1] + n) * 4);
    }
    return acc;
  }

private:
  int64_t getOperandBoxK() const { return lhs.getPlan().layout.getBox()[1]; }

  /// `count` registers of what ldmatrix read, from `first` on.
  Fragment takeRegisters(Value matrices, int64_t first, int64_t count) {
    Fragment registers;
    for (int64_t i = first; i < first + count; ++i)
      registers.push_back(
          vector::ExtractOp::create(builder, index.loc, matrices, i));
    return registers;
  }

  /// Fragments of one step along K, one a sub-tile along M.
  SmallVector<Fragment> readLhs(int64_t step) {
    SmallVector<Fragment> fragments;
    for (int64_t m = 0; m < tiling.sub[0]; ++m)
      fragments.push_back(takeRegisters(
          lhs.loadMatrices((step * tiling.sub[0] + m) * lhs.getPlan().vector),
          0, 4));
    return fragments;
  }

  /// The same along N; one ldmatrix of four matrices has two fragments.
  SmallVector<Fragment> readRhs(int64_t step) {
    int64_t perLoad = rhs.getPlan().matrices / 2;
    int64_t loads = tiling.sub[1] / perLoad;
    SmallVector<Fragment> fragments;
    for (int64_t n = 0; n < loads; ++n) {
      Value matrices =
          rhs.loadMatrices((step * loads + n) * rhs.getPlan().vector);
      for (int64_t half = 0; half < perLoad; ++half)
        fragments.push_back(takeRegisters(matrices, 2 * half, 2));
    }
    return fragments;
  }

  /// The instruction on scalars, not nvgpu.mma.sync on vectors: packing the
  /// accumulator for each would be most of the module.
  void multiply(const Fragment &a, const Fragment &b, int64_t first) {
    SmallVector<Type> types(4, op.getType().getElementType());
    auto result = LLVM::LLVMStructType::getLiteral(op.getContext(), types);
    auto layouts = std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                                  NVVM::MMALayout::col};
    Value d = NVVM::MmaOp::create(
        builder, index.loc, result, a, b, ArrayRef(acc).slice(first, 4),
        ArrayRef<int64_t>{tiling.instruction->m, tiling.instruction->n,
                          tiling.instruction->k},
        /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
        /*multiplicandPtxTypes=*/std::nullopt, layouts);
    for (int64_t i = 0; i < 4; ++i)
      acc[first + i] = LLVM::ExtractValueOp::create(builder, index.loc, d, i);
  }

  IndexBuilder index;
  OpBuilder &builder;
  MatmulOp op;
  const Tiling &tiling;
  OperandReader lhs, rhs;
  SmallVector<Value> acc;
};

//===----------------------------------------------------------------------===//
// FMA
//===----------------------------------------------------------------------===//

/// A product by multiply-adds in each thread: values of the accumulator are
/// TN, TM, then sub-tiles along N, then along M.
class FmaEmitter {
public:
  FmaEmitter(ConversionPatternRewriter &rewriter, MatmulOp op,
             const Tiling &tiling, SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), op(op), tiling(tiling),
        lhs(index, rewriter, op, 0, tiling),
        rhs(index, rewriter, op, 1, tiling), acc(std::move(acc)) {}

  SmallVector<Value> emit() {
    int64_t k = lhs.getPlan().layout.getBox()[1];
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
    lhs.getCoordinates().shift(1, loop.getInductionVar(), unit, k);
    rhs.getCoordinates().shift(0, loop.getInductionVar(), unit, k);
    acc.assign(loop.getRegionIterArgs().begin(),
               loop.getRegionIterArgs().end());
    emitSteps(unit);
    scf::YieldOp::create(builder, index.loc, acc);
    return SmallVector<Value>(loop.getResults());
  }

private:
  /// Steps along K in one body: a divisor of K that whole vectors divide.
  int64_t chooseUnit(int64_t k) const {
    int64_t vector = 1;
    for (const OperandReader *reader : {&lhs, &rhs})
      if (reader->getPlan().dim == (reader == &lhs ? 1 : 0))
        vector = std::max(vector, reader->getPlan().vector);
    int64_t limit = op->getParentOfType<KernelOp>()->hasAttr(kGeneralOfAttr)
                        ? kMaxUnrolledFmaGeneral
                        : kMaxUnrolledFma;
    int64_t unit = k;
    while (unit * static_cast<int64_t>(acc.size()) > limit && unit % 2 == 0 &&
           (unit / 2) % vector == 0)
      unit /= 2;
    return unit;
  }

  /// An element of an operand at `outer` (along M or N, in the thread's own
  /// order) and `k`, read with its vector when first used.
  Value getElement(OperandReader &reader, int operand, int64_t outer,
                   int64_t k) {
    const AccessPlan &plan = reader.getPlan();
    int64_t inner = operand == 0 ? 1 : 0;
    int64_t count = tiling.thread[operand] * tiling.sub[operand];
    // Values are the vector, then outer, then K; see getFmaPlan.
    int64_t value = plan.dim == inner
                        ? (k / plan.vector * count + outer) * plan.vector
                        : k * count + outer / plan.vector * plan.vector;
    int64_t lane = plan.dim == inner ? k % plan.vector : outer % plan.vector;
    value += lane / reader.getWidth() * reader.getWidth();
    lane %= reader.getWidth();
    Value &vector = loaded[{&reader, value}];
    if (!vector)
      vector = reader.load(value);
    Value &element = elements[{vector, lane}];
    if (!element)
      element = widen(extractElement(builder, index.loc, vector, lane));
    return element;
  }

  /// To the accumulator's type.
  Value widen(Value value) {
    Type to = op.getType().getElementType();
    if (value.getType() == to)
      return value;
    if (isa<FloatType>(to))
      return arith::ExtFOp::create(builder, index.loc, to, value);
    return arith::ExtSIOp::create(builder, index.loc, to, value);
  }

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(c.getType()))
      return math::FmaOp::create(builder, index.loc, a, b, c);
    if (isa<ComplexType>(c.getType()))
      return complex::AddOp::create(
          builder, index.loc, complex::MulOp::create(builder, index.loc, a, b),
          c);
    return arith::AddIOp::create(
        builder, index.loc, arith::MulIOp::create(builder, index.loc, a, b), c);
  }

  /// acc's value of a thread's row m and column n.
  int64_t getAccumulator(int64_t m, int64_t n) const {
    int64_t tm = tiling.thread[0], tn = tiling.thread[1];
    return n % tn + tn * (m % tm + tm * (n / tn + tiling.sub[1] * (m / tm)));
  }

  void emitSteps(int64_t steps) {
    int64_t rows = tiling.thread[0] * tiling.sub[0];
    int64_t columns = tiling.thread[1] * tiling.sub[1];
    for (int64_t k = 0; k < steps; ++k)
      for (int64_t m = 0; m < rows; ++m)
        for (int64_t n = 0; n < columns; ++n) {
          Value &sum = acc[getAccumulator(m, n)];
          sum = multiplyAdd(getElement(lhs, 0, m, k), getElement(rhs, 1, n, k),
                            sum);
        }
  }

  IndexBuilder index;
  OpBuilder &builder;
  MatmulOp op;
  const Tiling &tiling;
  OperandReader lhs, rhs;
  SmallVector<Value> acc;
  llvm::DenseMap<std::pair<OperandReader *, int64_t>, Value> loaded;
  llvm::DenseMap<std::pair<Value, int64_t>, Value> elements;
};

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

struct ConvertMatmul : OpConversionPattern<MatmulOp> {
  ConvertMatmul(TypeConverter &types, MLIRContext *context,
                const LoweringContext &lowering)
      : OpConversionPattern(types, context), lowering(lowering) {}

  LogicalResult
  matchAndRewrite(MatmulOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getLhs().getType()) ||
        !isa<MemRefType>(op.getRhs().getType()))
      return op.emitError("expected operands in buffers (run -tile-bufferize "
                          "before)");
    Tiling tiling = getTiling(op, lowering.architecture);
    TileType type = op.getType();
    SmallVector<Value> acc =
        unpack(rewriter, op.getLoc(), type, adaptor.getAcc());
    SmallVector<Value> result =
        tiling.instruction->isFma()
            ? FmaEmitter(rewriter, op, tiling, acc).emit()
            : MmaEmitter(rewriter, op, tiling, acc).emit();
    rewriter.replaceOpWithMultiple(op,
                                   {pack(rewriter, op.getLoc(), type, result)});
    return success();
  }

private:
  const LoweringContext &lowering;
};

} // namespace

void tile::populateMatmulPatterns(TypeConverter &types,
                                  RewritePatternSet &patterns,
                                  const LoweringContext &context) {
  patterns.add<ConvertMatmul>(types, patterns.getContext(), context);
}
