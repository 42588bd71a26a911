// CopyBox.cpp - a box of an array on its way to a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyBox.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Conversion/TileToNVGPU.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

using namespace mlir;
using namespace tile;

/// Number of chains of pointers that are computed in parallel. Each step of a
/// chain is two dependent additions, for which a warp waits. With more chains,
/// a step would be a stride multiplied by more than 2, and ptxas would put this
/// multiplication next to a matmul (sm_90, 4096 cubed: 91 % of cuBLAS with four
/// chains, 95 % with two).
static constexpr size_t kChains = 2;

ArrayBox::ArrayBox(Operation *op, Value dest, Value array,
                   ConversionPatternRewriter &rewriter)
    : index(rewriter, op->getLoc()), address(index, rewriter, dest),
      array(array), tileShape(tile::getTileShape(dest.getType())),
      elementType(cast<ShapedType>(dest.getType()).getElementType()) {}

int64_t ArrayBox::getElementBytes() const {
  return tile::getElementBytes(elementType);
}

CopyBox::CopyBox(
    tile_gpu::CopyAsyncOp op,
    tile_gpu::CopyAsyncOp::GenericAdaptor<ArrayRef<ValueRange>> adaptor,
    const LoweringContext &lowering, ConversionPatternRewriter &rewriter)
    : ArrayBox(op, adaptor, rewriter), op(op),
      extents(getBoxExtents(cast<MemRefType>(op.getSource().getType()),
                            getTileShape())),
      nonNegative(lowering.nonNegative.lookup(op)),
      coversRows(op.getCopyMechanism().coversRows()), access(getAccess(op)),
      plan(getCopyPlan(address.getBox(), address.getContiguousDimension(),
                       access.getVector(), getParticipants(op).numWarps)) {
  if (op.getExtra())
    endsAddress.emplace(index, rewriter, op.getExtra());
  for (int64_t dim = 0, rank = offsets.size(); dim < rank; ++dim)
    sizes.push_back(memref::DimOp::create(rewriter, op.getLoc(), array,
                                          index.constant(dim)));
}

Value CopyBox::isBoxInside() {
  return tile::isBoxInside(index, offsets, sizes, extents, nonNegative);
}

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

void ArrayBox::prepareAddresses() {
  auto metadata =
      memref::ExtractStridedMetadataOp::create(index.builder, index.loc, array);
  arrayOffset = metadata.getOffset();
  strides.assign(metadata.getStrides().begin(), metadata.getStrides().end());
  arrayPointer = getPointer(index, array, NVVM::NVVMMemorySpace::Global);
}

SmallVector<Value> ArrayBox::getCoordinates(ArrayRef<Value> own) {
  SmallVector<Value> coordinates(offsets);
  for (auto [dim, along] : llvm::enumerate(own))
    coordinates[leading + dim] = index.add(coordinates[leading + dim], along);
  return coordinates;
}

Value ArrayBox::getLinear(ArrayRef<Value> coordinates) {
  return getElementIndex(index, arrayOffset, coordinates, strides);
}

Value ArrayBox::getElement(Value pointer, Value at) {
  return getElementPointer(index, pointer, getElementBytes(), at);
}

Value ArrayBox::getElement(Value pointer, int64_t at) {
  return getElementPointer(index, pointer, getElementBytes(), at);
}

/// Returns the distance from a thread's value `from` to its value `to`.
static std::vector<int64_t> getDistance(const RegisterLayout &layout,
                                        int64_t from, int64_t to) {
  std::vector<int64_t> distance = layout.valueOffset(to);
  for (auto [along, before] : llvm::zip(distance, layout.valueOffset(from)))
    along -= before;
  return distance;
}

SmallVector<Value> CopyBox::getPointers(const RegisterLayout &layout,
                                        Value first, ArrayRef<int64_t> values) {
  SmallVector<Value> pointers = {first};
  std::map<std::vector<int64_t>, Value> steps;
  for (size_t i = 1; i < values.size(); ++i) {
    size_t before = i < kChains ? 0 : i - kChains;
    auto [step, isNew] =
        steps.try_emplace(getDistance(layout, values[before], values[i]));
    if (isNew)
      for (auto [dim, by] : llvm::enumerate(step->first))
        step->second =
            index.add(step->second, index.mul(strides[leading + dim], by));
    pointers.push_back(step->second ? getElement(pointers[before], step->second)
                                    : pointers[before]);
  }
  return pointers;
}

//===----------------------------------------------------------------------===//
// Loops over a thread's values
//===----------------------------------------------------------------------===//

/// Returns an annotation that keeps a loop rolled: loops that should be
/// unrolled already are. Otherwise ptxas would unroll the loops at the edges of
/// arrays, and then lack registers.
static LLVM::LoopAnnotationAttr getRolled(MLIRContext *context) {
  auto isDisabled = BoolAttr::get(context, true);
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, isDisabled, {}, {}, {}, {}, {}, {});
  return LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {},
                                       {}, {}, {}, {}, {}, {}, {}, {});
}

/// Returns the largest divisor of `extent`, the extent of a mode, such that as
/// many steps of `accesses` accesses each have at most `limit` accesses.
static int64_t chooseSteps(int64_t extent, int64_t accesses, int64_t limit) {
  int64_t steps = extent;
  while (steps > 1 && (extent % steps != 0 || accesses * steps > limit))
    --steps;
  return steps;
}

void CopyBox::forValues(
    const AccessPlan &plan, SharedAddress &address,
    ThreadCoordinates &coordinates, int64_t limit,
    llvm::function_ref<void(ThreadCoordinates &, ArrayRef<int64_t>,
                            const Move &)>
        emit) {
  RegisterLayout::Modes digits = plan.layout.getModes(RegisterLayout::kValue);
  if (plan.vector > 1)
    digits.erase(digits.begin());
  RegisterMode last = digits.empty() ? RegisterMode{1, 0, 1} : digits.back();
  int64_t accesses = plan.getNumAccesses() / last.extent;
  int64_t steps = chooseSteps(last.extent, accesses, limit);
  SmallVector<int64_t> values;
  for (int64_t access = 0; access < accesses * steps; ++access)
    values.push_back(access * plan.vector);
  if (steps == last.extent)
    return emit(coordinates, values, Move());
  OpBuilder &builder = index.builder;
  auto loop = scf::ForOp::create(builder, index.loc, index.constant(0),
                                 index.constant(last.extent * last.step),
                                 index.constant(steps * last.step));
  loop->setAttr(kLoopAnnotationAttr, getRolled(builder.getContext()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ThreadCoordinates moved = coordinates;
  moved.shift(last.dim, loop.getInductionVar(), steps * last.step,
              last.extent * last.step);
  // Values that all branches of the body use are computed before the branches.
  address.getElement(moved, 0);
  emit(moved, values, {last.dim, loop.getInductionVar()});
  address.forget(moved);
}
