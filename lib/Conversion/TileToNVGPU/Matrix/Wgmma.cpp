// Wgmma.cpp - matmul of tiles by wgmma
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four warps issue instructions that multiply 64 rows by up to 256 columns
// asynchronously. Operands are in shared memory; lhs may be in registers. The
// instructions of a matmul form a group. The token of the group becomes no
// value, since waits count groups.

#include "../Memory/Addresses.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "RegisterOperand.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/DescriptorLayout.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/Tiling.h"
#include "tile/Conversion/RegisterTie.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

namespace {

/// Whether the matmul is in flight when the next iteration of its loop starts.
/// The speed of the loop depends on issuing it early.
static bool isInFlight(tile_gpu::MmaAsyncOp op) {
  return llvm::any_of(op.getResult().getUsers(), llvm::IsaPred<scf::YieldOp>);
}

/// The descriptors of one operand (PTX ISA, "Matrix Descriptor Format").
class DescriptorBuilder {
public:
  DescriptorBuilder(IndexBuilder &index, ConversionPatternRewriter &rewriter,
                    tile_gpu::MmaAsyncOp op, int operand, const Tiling &tiling)
      : index(index), address(index, rewriter, op->getOperand(operand)),
        elementBytes(
            getElementBytes(cast<MemRefType>(op->getOperand(operand).getType())
                                .getElementType())),
        panelBytes(
            getPanelBytes(getBufferView(op->getOperand(operand))->shared)),
        dims(*getPanelDimensions(address.getBox().size(),
                                 address.getContiguousDimension())),
        alongK((dims.contiguous > dims.outer) == (operand == 0)),
        layout(getDescriptorElements(tiling, operand, address.getBox(),
                                     getParticipants(op).numWarps)),
        matmulStride(tiling.hasBatch[operand]
                         ? layout.getNumValues() / tiling.sub[kBatchAxis]
                         : 0),
        coordinates(index, layout, /*isUniform=*/isInFlight(op)) {}

  bool isAlongK() const { return alongK; }

  /// Returns a descriptor for one of the warp's matmuls: for the rows or
  /// columns of one instruction and one step along K. `position` is the index
  /// of both in the order of the operand's descriptors, steps last.
  Value get(int64_t matmul, int64_t position) {
    int64_t value = matmul * matmulStride + position;
    std::optional<int64_t> distance =
        address.getDistance(coordinates, 0, value);
    if (!distance)
      distance = address.getDistance(layout, 0, value);
    if (!distance)
      return build(address.getElement(coordinates, value));
    if (!first)
      first = build(address.getElement(coordinates, 0));
    if (*distance == 0)
      return first;
    return LLVM::AddOp::create(index.builder, index.loc, first,
                               constant(*distance * elementBytes >> kUnitBits));
  }

private:
  /// Addresses and strides are in units of 16 bytes.
  static constexpr int kUnitBits = 4;

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(index.builder, index.loc,
                                    index.builder.getI64IntegerAttr(value));
  }

  /// Builds the descriptor of the operand that starts at `element`. Bits 0 to
  /// 13 are the address; 16 to 29 the stride from one panel to the next, used
  /// if M or N is contiguous; 32 to 45 the stride from eight rows of a panel to
  /// the next eight; 62 and 63 the swizzle: 1 for rows of 128 bytes, 2 for 64,
  /// 3 for 32.
  Value build(Value element) {
    OpBuilder &builder = index.builder;
    Location loc = index.loc;
    Type i32 = builder.getI32Type();
    auto constantI32 = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, value, 32);
    };
    // The address is computed in 32 bits, which suffice in shared memory.
    Value bits =
        LLVM::PtrToIntOp::create(builder, loc, i32, address.getPointer());
    Value bytes = builder.createOrFold<arith::MulIOp>(
        loc, builder.createOrFold<arith::IndexCastOp>(loc, i32, element),
        constantI32(elementBytes));
    bits = arith::AddIOp::create(builder, loc, bits, bytes);
    bits = arith::ShRUIOp::create(builder, loc, bits, constantI32(kUnitBits));
    bits =
        arith::AndIOp::create(builder, loc, bits, constantI32((1 << 14) - 1));
    bits = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), bits);
    int64_t rows = address.getBox()[dims.outer];
    int64_t mode = 1 + llvm::Log2_64(128 / panelBytes);
    int64_t rest = mode << 62 |
                   (kSwizzledRows * panelBytes >> kUnitBits) << 32 |
                   (rows * panelBytes >> kUnitBits) << 16;
    return LLVM::OrOp::create(builder, loc, bits, constant(rest));
  }

  IndexBuilder &index;
  SharedAddress address;
  int64_t elementBytes, panelBytes;
  PanelDimensions dims;
  bool alongK;
  RegisterLayout layout;
  int64_t matmulStride; ///< from one matmul of a batch to the next
  ThreadCoordinates coordinates;
  Value first;
};

class WarpgroupEmitter {
public:
  WarpgroupEmitter(ConversionPatternRewriter &rewriter, tile_gpu::MmaAsyncOp op,
                   const Tiling &tiling, ValueRange lhsRegisters,
                   SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), loc(op.getLoc()),
        op(op), tiling(tiling), lhs(describeLhs(rewriter)),
        rhs(index, rewriter, op, 1, tiling),
        steps(llvm::divideCeil(op.getK(), tiling.instruction.getSubTile().k)),
        columns(getInstructionColumns(tiling)),
        parts(tiling.sub[1] * tiling.instruction.getSubTile().n / columns),
        acc(std::move(acc)), isZero(llvm::all_of(this->acc, [](Value value) {
          return matchPattern(value, m_AnyZeroFloat()) ||
                 matchPattern(value, m_Zero());
        })) {
    if (!lhs)
      takeRegisters(RegisterOperand(index, op, 0, lhsRegisters));
  }

  SmallVector<Value> emit() {
    // The instructions that compute the registers of lhs stay before the fence.
    if (!fragments.empty())
      fragments = tieRegisters(builder, loc, fragments);
    NVVM::WgmmaFenceAlignedOp::create(builder, loc);
    SmallVector<Value> accumulators;
    for (int64_t matmul = 0; matmul < tiling.sub[kBatchAxis]; ++matmul)
      for (int64_t row = 0; row < tiling.sub[0]; ++row)
        for (int64_t part = 0; part < parts; ++part)
          accumulators.push_back(multiply(matmul, row, part));
    NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
    return unpack(accumulators);
  }

private:
  std::optional<DescriptorBuilder>
  describeLhs(ConversionPatternRewriter &rewriter) {
    if (isa<TileType>(op.getLhs().getType()))
      return std::nullopt;
    return std::optional<DescriptorBuilder>(std::in_place, index, rewriter, op,
                                            0, tiling);
  }

  /// Issues the MMAs over K for 64 rows and one part of the columns, and
  /// returns the accumulator, which is valid when they are done.
  Value multiply(int64_t matmul, int64_t row, int64_t part) {
    Value sum =
        packSum(getAccumulators((matmul * tiling.sub[0] + row) * parts + part));
    for (int64_t step = 0; step < steps; ++step) {
      bool isFromZero = step == 0 && isZero;
      int64_t rows = row + step * tiling.sub[0];
      Value a = lhs ? lhs->get(matmul, rows) : Value();
      Value b = rhs.get(matmul, part + step * parts);
      sum = lhs ? issue(a, b, sum, isFromZero)
                : issue(getFragment(matmul, rows), b, sum, isFromZero);
    }
    return sum;
  }

  /// Takes the registers of lhs in the order of the instruction: four for 64
  /// rows, then the next rows, then the next step.
  void takeRegisters(RegisterOperand operand) {
    int64_t matmuls = tiling.hasBatch[0] ? tiling.sub[kBatchAxis] : 1;
    for (int64_t i = 0; i < matmuls * steps * tiling.sub[0]; ++i)
      for (int64_t group : {0, 1})
        for (int64_t row : {0, 1})
          fragments.push_back(LLVM::BitcastOp::create(
              builder, loc, builder.getI32Type(),
              operand.get(4 * i + getFragmentRegister(tiling.instruction,
                                                      /*operand=*/0,
                                                      kFragmentRows, row,
                                                      group))));
  }

  ArrayRef<Value> getFragment(int64_t matmul, int64_t rows) const {
    int64_t first = tiling.hasBatch[0] ? matmul * steps * tiling.sub[0] : 0;
    return ArrayRef(fragments).slice(4 * (first + rows), 4);
  }

  Value issue(ArrayRef<Value> a, Value b, Value sum, bool isFromZero) {
    Type element = cast<TileType>(op.getLhs().getType()).getElementType();
    SmallVector<Value> values = unpack(sum);
    auto matmul = tile_gpu::WarpgroupMmaOp::create(
        builder, loc, ValueRange(values).getTypes(), values, a[0], a[1], a[2],
        a[3], b, element, /*transposed=*/!rhs.isAlongK(), isFromZero);
    return packSum(matmul.getResults());
  }

  Value issue(Value a, Value b, Value sum, bool isFromZero) {
    MLIRContext *context = builder.getContext();
    auto type = NVVM::WGMMATypesAttr::get(context, getOperandType());
    MatrixShape shape = tiling.instruction.getInstructionShape();
    auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
    return NVVM::WgmmaMmaAsyncOp::create(
        builder, loc, sum.getType(), sum, a, b,
        NVVM::MMAShapeAttr::get(context, shape.m, columns, shape.k), type, type,
        NVVM::WGMMATypesAttr::get(context, getSumType()),
        NVVM::WGMMAScaleOutAttr::get(context, isFromZero
                                                  ? NVVM::WGMMAScaleOut::zero
                                                  : NVVM::WGMMAScaleOut::one),
        one, one, getLayout(lhs->isAlongK()), getLayout(!rhs.isAlongK()),
        /*satfinite=*/NVVM::MMAIntOverflowAttr());
  }

  NVVM::MMALayoutAttr getLayout(bool isRow) {
    return NVVM::MMALayoutAttr::get(builder.getContext(),
                                    isRow ? NVVM::MMALayout::row
                                          : NVVM::MMALayout::col);
  }

  NVVM::WGMMATypes getOperandType() {
    Type type = tiling.instruction.getOperandType();
    return type.isTF32()                 ? NVVM::WGMMATypes::tf32
           : type.isInteger(8)           ? NVVM::WGMMATypes::s8
           : isa<Float8E4M3FNType>(type) ? NVVM::WGMMATypes::e4m3
           : isa<Float8E5M2Type>(type)   ? NVVM::WGMMATypes::e5m2
           : type.isBF16()               ? NVVM::WGMMATypes::bf16
                                         : NVVM::WGMMATypes::f16;
  }

  NVVM::WGMMATypes getSumType() {
    return op.getSumType().getElementType().isInteger() ? NVVM::WGMMATypes::s32
                                                        : NVVM::WGMMATypes::f32;
  }

  /// Number of a lane's values of one instruction's accumulator.
  int64_t getCount() const { return columns * 16 / kWarpSize; }

  /// Returns the accumulator values of one instruction. The values of all
  /// instructions follow one another; those of one instruction are for a warp's
  /// 16 rows and 8 columns, then for the next 8 columns along N.
  SmallVector<Value> getAccumulators(int64_t instruction) const {
    SmallVector<Value> values(
        ArrayRef(acc).slice(instruction * getCount(), getCount()));
    // Poison, since the first instruction does not read the accumulators:
    // values would take registers.
    if (isZero)
      values.assign(values.size(), LLVM::PoisonOp::create(
                                       builder, loc, values.front().getType()));
    return values;
  }

  Value packSum(ValueRange values) {
    auto type = LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        SmallVector<Type>(getCount(), op.getSumType().getElementType()));
    Value sum = LLVM::PoisonOp::create(builder, loc, type);
    for (auto [i, value] : llvm::enumerate(values))
      sum = LLVM::InsertValueOp::create(builder, loc, sum, value, i);
    return sum;
  }

  SmallVector<Value> unpack(ArrayRef<Value> accumulators) {
    SmallVector<Value> values;
    for (Value sum : accumulators)
      for (int64_t i = 0; i < getCount(); ++i)
        values.push_back(LLVM::ExtractValueOp::create(builder, loc, sum, i));
    return values;
  }

  IndexBuilder index;
  OpBuilder &builder;
  Location loc;
  tile_gpu::MmaAsyncOp op;
  const Tiling &tiling;
  std::optional<DescriptorBuilder> lhs; ///< none if it is in registers
  SmallVector<Value> fragments;         ///< of lhs in registers
  DescriptorBuilder rhs;
  int64_t steps;   ///< along K
  int64_t columns; ///< of an instruction
  int64_t parts;   ///< number of instructions along N
  SmallVector<Value> acc;
  bool isZero; ///< the accumulators start at zero
};

//===----------------------------------------------------------------------===//
// The patterns
//===----------------------------------------------------------------------===//

struct ConvertMmaAsync : LoweringPattern<tile_gpu::MmaAsyncOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::MmaAsyncOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    MatrixInstructionAttrInterface instruction =
        findInstruction(op.getTiling().getAtom(), op, lowering.architecture);
    if (!instruction || !instruction.isAsynchronous())
      return op.emitError("expected an instruction of a warpgroup of ")
             << lowering.architecture.name << ", got '"
             << getInstructionName(op.getTiling().getAtom()) << "'";
    Tiling tiling = getTiling(op);
    for (int operand : {0, 1})
      if (failed(operand == 0 && isa<TileType>(op.getLhs().getType())
                     ? verifyFragments(op, tiling)
                     : verifyDescribed(op, operand, tiling)))
        return failure();
    TileType type = op.getSumType();
    SmallVector<Value> acc =
        unpack(rewriter, op.getLoc(), type, adaptor.getAcc());
    SmallVector<Value> sums =
        WarpgroupEmitter(rewriter, op, tiling, adaptor.getLhs(), std::move(acc))
            .emit();
    replaceWithPacks(rewriter, op,
                     {pack(rewriter, op.getLoc(), type, sums), {}});
    return success();
  }

private:
  /// Verifies that lhs is in the registers that the instruction reads.
  static LogicalResult verifyFragments(tile_gpu::MmaAsyncOp op,
                                       const Tiling &tiling) {
    auto type = cast<TileType>(op.getLhs().getType());
    Type element = type.getElementType();
    if (!element.isF16() && !element.isBF16() && !element.isF32())
      return op.emitError("expected lhs in registers of f16, bf16 or f32, got ")
             << type;
    RegisterLayout wanted = getFragmentLayout(tiling, /*operand=*/0, op.getK(),
                                              getParticipants(op).numWarps);
    if (type.getRegister().getRegisterLayout().isEquivalent(wanted))
      return success();
    return op.emitError("expected lhs in the layout of the instruction's "
                        "fragments (from -tile-assign-layouts), got ")
           << type;
  }

  /// Verifies that an operand is in a buffer whose layout a matrix descriptor
  /// can describe.
  static LogicalResult verifyDescribed(tile_gpu::MmaAsyncOp op, int operand,
                                       const Tiling &tiling) {
    Type type = op->getOperand(operand).getType();
    std::optional<BufferView> view =
        isSharedBuffer(type) ? getBufferView(op->getOperand(operand))
                             : std::nullopt;
    int64_t rank = 2 + tiling.hasBatch[operand];
    if (view && static_cast<int64_t>(view->getBox().size()) == rank) {
      int64_t bytes = getElementBytes(cast<MemRefType>(type).getElementType());
      int64_t most = getPanelBytes(tiling, operand, view->getBox(),
                                   getContiguousDimension(view->shared), bytes);
      int64_t panelBytes = getPanelBytes(view->shared);
      if (panelBytes <= most &&
          isDescriptorLayout(view->shared, bytes, panelBytes))
        return success();
    }
    return op.emitError("expected ")
           << (operand == 0 ? "lhs" : "rhs")
           << " in a buffer that a matrix descriptor names (from "
              "-tile-assign-layouts and -tile-bufferize), got "
           << type;
  }
};

struct ConvertMmaWait : OpConversionPattern<tile_gpu::MmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::MmaWaitOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> registers;
    for (ValueRange packs : adaptor.getValues())
      llvm::append_range(registers, packs);
    if (auto *value = llvm::find_if_not(registers, isTied);
        value != registers.end())
      return op.emitError("expected values in registers of 32 or 64 bits, got ")
             << value->getType();
    NVVM::WgmmaWaitGroupSyncOp::create(rewriter, op.getLoc(), op.getInFlight());
    if (!registers.empty())
      registers = tieRegisters(rewriter, op.getLoc(), registers);
    SmallVector<SmallVector<Value>> results;
    ArrayRef<Value> rest = registers;
    for (ValueRange packs : adaptor.getValues()) {
      results.emplace_back(rest.take_front(packs.size()));
      rest = rest.drop_front(packs.size());
    }
    replaceWithPacks(rewriter, op, std::move(results));
    return success();
  }

private:
  static bool isTied(Value value) { return isTiedRegister(value.getType()); }
};

struct ConvertMmaNone : OpConversionPattern<tile_gpu::MmaNoneOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tile_gpu::MmaNoneOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, {ValueRange()});
    return success();
  }
};

} // namespace

void tile::populateWarpgroupPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns,
                                     const LoweringContext &context) {
  patterns.add<ConvertMmaAsync>(types, patterns.getContext(), context);
  patterns.add<ConvertMmaWait, ConvertMmaNone>(types, patterns.getContext());
}
