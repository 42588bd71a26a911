// CopyBox.cpp - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyBox.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Conversion/TileToNVGPU.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace tile;

/// Pointers that are made side by side: a step of one is two dependent
/// additions, which a warp waits for.
static constexpr size_t kChains = 4;

CopyBox::CopyBox(CopyAsyncOp op,
                 CopyAsyncOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
                 const LoweringContext &lowering,
                 ConversionPatternRewriter &rewriter)
    : op(op), index(rewriter, op.getLoc()),
      address(index, rewriter, op.getDest()),
      array(adaptor.getSource().front()),
      extents(getBoxExtents(cast<MemRefType>(op.getSource().getType()),
                            getTileShape())),
      nonNegative(lowering.nonNegative.lookup(op)),
      leading(static_cast<int64_t>(op.getOffsets().size()) - getRank()),
      plan(planCopy(cast<MemRefType>(op.getSource().getType()),
                    address.getBox(), address.getFastestDimension(),
                    lowering.vectorWidth.lookup(op), address.getMaxVector(),
                    getNumWarps(op))) {
  for (ValueRange offset : adaptor.getOffsets())
    offsets.push_back(offset.front());
  if (op.getCondition())
    condition = adaptor.getCondition().front();
  for (int64_t dim = 0, rank = offsets.size(); dim < rank; ++dim)
    sizes.push_back(memref::DimOp::create(rewriter, op.getLoc(), array,
                                          index.constant(dim)));
}

ArrayRef<int64_t> CopyBox::getTileShape() {
  return tile::getTileShape(op.getDest().getType());
}

Type CopyBox::getElementType() {
  return cast<ShapedType>(op.getDest().getType()).getElementType();
}

Value CopyBox::isBoxInside() {
  return tile::isBoxInside(index, offsets, sizes, extents, nonNegative);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

static Value toInteger(IndexBuilder &index, Value value) {
  return index.builder.createOrFold<arith::IndexCastOp>(
      index.loc, index.builder.getI64Type(), value);
}

static Value getPointer(IndexBuilder &index, Value memory,
                        NVVM::NVVMMemorySpace space) {
  OpBuilder &builder = index.builder;
  Value address = memref::ExtractAlignedPointerAsIndexOp::create(
      builder, index.loc, memory);
  auto type = LLVM::LLVMPointerType::get(builder.getContext(),
                                         static_cast<unsigned>(space));
  return LLVM::IntToPtrOp::create(builder, index.loc, type,
                                  toInteger(index, address));
}

void CopyBox::prepareAddresses() {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(index.builder, index.loc, array);
  arrayOffset = metadata.getOffset();
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  arrayPointer = getPointer(index, array, NVVM::NVVMMemorySpace::Global);
  bufferPointer =
      getPointer(index, address.getMemory(), NVVM::NVVMMemorySpace::Shared);
}

SmallVector<Value> CopyBox::getPlace(ArrayRef<Value> own) {
  SmallVector<Value> place(offsets);
  for (auto [dim, along] : llvm::enumerate(own))
    place[leading + dim] = index.add(place[leading + dim], along);
  return place;
}

Value CopyBox::getLinear(ArrayRef<Value> place) {
  Value linear = arrayOffset;
  for (auto [coordinate, stride] : llvm::zip(place, strides))
    if (coordinate)
      linear = index.add(linear, index.builder.createOrFold<arith::MulIOp>(
                                     index.loc, coordinate, stride));
  return linear;
}

static Value createElementPointer(CopyBox &box, Value pointer,
                                  LLVM::GEPArg at) {
  OpBuilder &builder = box.index.builder;
  Type bits = builder.getIntegerType(8 * getElementBytes(box.getElementType()));
  return LLVM::GEPOp::create(builder, box.index.loc, pointer.getType(), bits,
                             pointer, ArrayRef<LLVM::GEPArg>{at});
}

Value CopyBox::getElement(Value pointer, Value at) {
  return createElementPointer(*this, pointer, toInteger(index, at));
}

Value CopyBox::getElement(Value pointer, int64_t at) {
  return at == 0
             ? pointer
             : createElementPointer(*this, pointer, static_cast<int32_t>(at));
}

/// By how much a value of a thread lies behind another one.
static std::vector<int64_t> getDistance(const RegisterLayout &layout,
                                        int64_t from, int64_t to) {
  std::vector<int64_t> distance = layout.valueOffset(to);
  for (auto [along, before] : llvm::zip(distance, layout.valueOffset(from)))
    along -= before;
  return distance;
}

SmallVector<Value> CopyBox::getPointers(Value first, ArrayRef<int64_t> values,
                                        bool ofRows) {
  SmallVector<Value> pointers = {first};
  std::map<std::vector<int64_t>, Value> steps;
  for (size_t number = 1; number < values.size(); ++number) {
    size_t before = number < kChains ? 0 : number - kChains;
    std::vector<int64_t> by =
        getDistance(plan.layout, values[before], values[number]);
    if (ofRows)
      by[plan.dim] = 0;
    auto [step, isNew] = steps.try_emplace(by);
    if (isNew)
      for (auto [dim, rows] : llvm::enumerate(by))
        step->second =
            index.add(step->second, index.mul(strides[leading + dim], rows));
    pointers.push_back(step->second ? getElement(pointers[before], step->second)
                                    : pointers[before]);
  }
  return pointers;
}

//===----------------------------------------------------------------------===//
// Loops over a thread's values
//===----------------------------------------------------------------------===//

/// A loop that stays one: what should be unrolled is. ptxas would unroll those
/// at the edges of arrays, and then lack registers.
static LLVM::LoopAnnotationAttr getRolled(MLIRContext *context) {
  auto isDisabled = BoolAttr::get(context, true);
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, isDisabled, {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

void CopyBox::forDigit(
    ThreadCoordinates &coordinates, const RegisterMode &digit, int64_t steps,
    llvm::function_ref<void(ThreadCoordinates &, const Move &)> emit) {
  if (steps == digit.extent)
    return emit(coordinates, Move());
  OpBuilder &builder = index.builder;
  auto loop = scf::ForOp::create(builder, index.loc, index.constant(0),
                                 index.constant(digit.extent * digit.step),
                                 index.constant(steps * digit.step));
  loop->setAttr(kLoopAnnotationAttr, getRolled(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ThreadCoordinates moved = coordinates;
  moved.shift(digit.dim, loop.getInductionVar(), steps * digit.step,
              digit.extent * digit.step);
  // What all branches of the body use is computed before them.
  address.getElement(moved, 0);
  emit(moved, {digit.dim, loop.getInductionVar()});
  address.forget(moved);
}

/// The most steps of a digit that divide it, with at most `limit` accesses.
static int64_t chooseSteps(int64_t extent, int64_t accesses, int64_t limit) {
  int64_t steps = extent;
  while (steps > 1 && (extent % steps != 0 || accesses * steps > limit))
    --steps;
  return steps;
}

void CopyBox::forValues(
    ThreadCoordinates &coordinates, int64_t numClasses, int64_t limit,
    llvm::function_ref<void(ThreadCoordinates &, ArrayRef<int64_t>,
                            const Move &)>
        emit) {
  RegisterLayout::Modes digits = plan.layout.getModes(RegisterLayout::kValue);
  if (plan.numClasses > 1)
    digits.pop_back();
  if (plan.vector > 1)
    digits.erase(digits.begin());
  RegisterMode last = digits.empty() ? RegisterMode{1, 0, 1} : digits.back();
  int64_t ofClass = plan.getNumAccesses() / plan.numClasses;
  int64_t accesses = ofClass / last.extent;
  int64_t steps = chooseSteps(last.extent, accesses * numClasses, limit);
  forDigit(coordinates, last, steps,
           [&](ThreadCoordinates &moved, const Move &by) {
             SmallVector<int64_t> values;
             for (int64_t first = 0; first < numClasses; ++first)
               for (int64_t access = 0; access < accesses * steps; ++access)
                 values.push_back((first * ofClass + access) * plan.vector);
             emit(moved, values, by);
           });
}
