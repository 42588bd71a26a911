// Coverage.cpp - whether programs load each element of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Coverage.h"

#include "AccessBox.h"
#include "SharedElements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

namespace {
/// Decides whether one load covers its array, dimension by dimension.
class CoverageBuilder {
public:
  CoverageBuilder(KernelOp kernel, unsigned array, LaunchFunction &host)
      : kernel(kernel), array(array), host(host), b(host.getBuilder()) {}

  Value build(LoadOp load);

private:
  bool isReached(LoadOp load);
  bool isFullGrid(Axis axis, size_t dim, int64_t step);
  Value getCount(const Mover &mover);
  Value getSize(size_t dim);
  Value covers(const Offset &offset, int64_t extent, size_t dim);
  Value atMost(Value a, Value b);
  void findOtherAxes(const Box &box);
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(b, value);
  }
  Value yes() { return arith::ConstantOp::create(b, b.getBoolAttr(true)); }

  KernelOp kernel;
  unsigned array;
  LaunchFunction &host;
  ImplicitLocOpBuilder &b;
  SmallVector<Axis> otherAxes;
};
} // namespace

/// Whether only loops that move the box are around a load without a mask.
bool CoverageBuilder::isReached(LoadOp load) {
  if (load.getMask())
    return false;
  std::optional<Box> box = readBox(load);
  for (Operation *op = load->getParentOp(); op != kernel;
       op = op->getParentOp()) {
    bool moves = box && llvm::any_of(box->offsets, [&](const Offset &offset) {
                   return offset.movers.count(Mover(std::nullopt, op)) > 0;
                 });
    if (!isa<scf::ForOp>(op) || !moves)
      return false;
  }
  return box.has_value();
}

/// Whether the extent of the grid along an axis is the size of the array along
/// `dim`, divided by `step` and rounded up.
bool CoverageBuilder::isFullGrid(Axis axis, size_t dim, int64_t step) {
  std::optional<GridAttr> grid = kernel.getGrid();
  if (!grid)
    return false;
  SmallVector<ArrayRef<AffineExpr>> extents = grid->getExtents();
  unsigned position = static_cast<unsigned>(axis);
  if (position >= extents.size() || extents[position].size() != 1)
    return false;
  for (auto [index, source] : llvm::enumerate(grid->getSources())) {
    auto parts = cast<ArrayAttr>(source);
    bool isSize =
        parts.size() == 2 && cast<IntegerAttr>(parts[0]).getInt() == array &&
        cast<IntegerAttr>(parts[1]).getInt() == static_cast<int64_t>(dim);
    AffineExpr size = getAffineDimExpr(index, grid->getContext());
    if (isSize && extents[position][0] == size.ceilDiv(step))
      return true;
  }
  return false;
}

/// Whether a loop runs from zero to the size of an array along `dim`, in steps
/// of `step`.
static bool isFullLoop(scf::ForOp loop, Value array, size_t dim, int64_t step) {
  if (getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != step)
    return false;
  auto type = cast<MemRefType>(array.getType());
  if (!type.isDynamicDim(dim))
    return getConstantIntValue(loop.getUpperBound()) == type.getDimSize(dim);
  auto size = loop.getUpperBound().getDefiningOp<memref::DimOp>();
  return size && size.getSource() == array &&
         size.getConstantIndex() == static_cast<int64_t>(dim);
}

/// Returns the number of programs along an axis, or of iterations of a loop
/// that starts at zero, in the last programs along the axes that do not move
/// the box; null if it is not the same in all of these.
Value CoverageBuilder::getCount(const Mover &mover) {
  if (mover.first)
    return host.getGrid()[static_cast<unsigned>(*mover.first)];
  auto loop = cast<scf::ForOp>(mover.second);
  Value end = host.getInLastPrograms(loop.getUpperBound(), otherAxes);
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  bool isKnown = end && step && end.getType().isIndex() &&
                 getConstantIntValue(loop.getLowerBound()) == 0;
  return isKnown ? b.createOrFold<arith::CeilDivSIOp>(end, index(*step))
                 : Value();
}

Value CoverageBuilder::getSize(size_t dim) {
  auto type = cast<MemRefType>(kernel.getArgumentTypes()[array]);
  if (!type.isDynamicDim(dim))
    return index(type.getDimSize(dim));
  return memref::DimOp::create(b, host.getArgument(array), dim);
}

Value CoverageBuilder::atMost(Value lhs, Value rhs) {
  return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::sle, lhs, rhs);
}

/// Returns whether the offsets, from zero in steps of the extent, cover a
/// dimension; null if that is not decided.
Value CoverageBuilder::covers(const Offset &offset, int64_t extent,
                              size_t dim) {
  if (!offset.isKnown || offset.constant != 0 || !offset.others.empty() ||
      offset.movers.size() > 1)
    return {};
  if (offset.movers.empty())
    return atMost(getSize(dim), index(extent));
  auto [mover, step] = *offset.movers.begin();
  // A loop's mover counts iterations, each of the loop's step.
  if (step != extent)
    return {};
  if (mover.first ? isFullGrid(*mover.first, dim, step)
                  : isFullLoop(cast<scf::ForOp>(mover.second),
                               kernel.getArgument(array), dim, step))
    return yes();
  Value count = getCount(mover);
  if (!count)
    return {};
  return atMost(getSize(dim),
                b.createOrFold<arith::MulIOp>(count, index(extent)));
}

/// Finds the axes that do not move the box.
void CoverageBuilder::findOtherAxes(const Box &box) {
  for (Axis axis : listAxes(kernel))
    if (llvm::none_of(box.offsets, [&](const Offset &offset) {
          return offset.movers.count(Mover(axis, nullptr)) > 0;
        }))
      otherAxes.push_back(axis);
}

Value CoverageBuilder::build(LoadOp load) {
  if (!isReached(load))
    return {};
  std::optional<Box> box = readBox(load);
  findOtherAxes(*box);
  Value covered = yes();
  auto require = [&](Value condition) {
    covered = b.createOrFold<arith::AndIOp>(covered, condition);
  };
  for (auto [dim, offset] : llvm::enumerate(box->offsets)) {
    Value condition = covers(offset, box->extents[dim], dim);
    if (!condition)
      return {};
    require(condition);
  }
  // No program of an empty grid loads the elements, unless the array is empty.
  for (Axis axis : otherAxes)
    require(atMost(index(1), host.getGrid()[static_cast<unsigned>(axis)]));
  return covered;
}

/// Returns the only load of an array, an argument; null if there are others.
static LoadOp findOnlyLoad(Value array) {
  LoadOp only;
  for (Operation *user : array.getUsers()) {
    if (isMemoryEffectFree(user))
      continue; // such as its sizes
    auto load = dyn_cast<LoadOp>(user);
    if (!load || only)
      return {};
    only = load;
  }
  return only;
}

Value tile::getCoverage(KernelOp kernel, unsigned array, LaunchFunction &host) {
  LoadOp load = findOnlyLoad(kernel.getArgument(array));
  return load ? CoverageBuilder(kernel, array, host).build(load) : Value();
}

/// Whether the iterations of a loop that follow the last one would load zeros.
static bool readsToEnd(LoadOp load, scf::ForOp loop) {
  std::optional<Box> box = readBox(load);
  if (!box || load.getPad())
    return false;
  for (auto [dim, offset] : llvm::enumerate(box->offsets)) {
    auto mover = offset.movers.find(Mover(std::nullopt, loop));
    if (mover != offset.movers.end() && offset.movers.size() == 1 &&
        offset.constant == 0 && offset.others.empty() &&
        isFullLoop(loop, load.getSource(), dim, mover->second))
      return true;
  }
  return false;
}

bool tile::readsToEnd(KernelOp kernel, unsigned array) {
  LoadOp load = findOnlyLoad(kernel.getArgument(array));
  auto loop = load ? dyn_cast<scf::ForOp>(load->getParentOp()) : scf::ForOp();
  return loop &&
         llvm::any_of(loop.getBody()->getOps<LoadOp>(),
                      [&](LoadOp other) { return ::readsToEnd(other, loop); });
}
