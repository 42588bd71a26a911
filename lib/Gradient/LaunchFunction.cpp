// LaunchFunction.cpp - the function that launches the kernels of a derivative
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchFunction.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tile;

LaunchFunction::LaunchFunction(KernelOp kernel, StringRef name)
    : builder(kernel.getLoc(), kernel.getContext()),
      numArguments(kernel.getNumArguments()) {
  builder.setInsertionPointAfter(kernel);
  SmallVector<Type> types(kernel.getArgumentTypes());
  if (!kernel.getGrid())
    types.append(3, builder.getIndexType());
  function =
      func::FuncOp::create(builder, name, builder.getFunctionType(types, {}));
  Block *body = function.addEntryBlock();
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (Attribute own = kernel.getArgAttr(i, kArgumentNameAttr))
      function.setArgAttr(i, kArgumentNameAttr, own);
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder);
  builder.setInsertionPoint(body->getTerminator());
  findGrid(kernel);
}

Value LaunchFunction::constant(Type type, int64_t value) {
  return arith::ConstantOp::create(builder,
                                   builder.getIntegerAttr(type, value));
}

Value LaunchFunction::index(int64_t value) {
  return constant(builder.getIndexType(), value);
}

/// Returns the value of a source of the kernel's grid.
Value LaunchFunction::getSource(ArrayAttr source) {
  auto argument = cast<IntegerAttr>(source[0]);
  Value value = getArgument(argument.getInt());
  if (source.size() == 2)
    return memref::DimOp::create(builder, value,
                                 cast<IntegerAttr>(source[1]).getInt());
  return toIndex(builder, value);
}

void LaunchFunction::findGrid(KernelOp kernel) {
  std::optional<GridAttr> attribute = kernel.getGrid();
  if (!attribute) {
    constexpr StringLiteral names[] = {"grid_x", "grid_y", "grid_z"};
    for (auto [axis, name] : llvm::enumerate(names)) {
      unsigned argument = kernel.getNumArguments() + axis;
      function.setArgAttr(argument, kArgumentNameAttr,
                          builder.getStringAttr(name));
      grid.push_back(getArgument(argument));
    }
    return;
  }
  SmallVector<Value> sources;
  for (Attribute source : attribute->getSources())
    sources.push_back(getSource(cast<ArrayAttr>(source)));
  for (ArrayRef<AffineExpr> factors : attribute->getExtents()) {
    Value extent;
    for (AffineExpr factor : factors) {
      Value value = affine::AffineApplyOp::create(
          builder, AffineMap::get(sources.size(), 0, factor), sources);
      extent = extent
                   ? arith::MulIOp::create(builder, extent, value).getResult()
                   : value;
    }
    grid.push_back(extent);
  }
  while (grid.size() < 3)
    grid.push_back(index(1));
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

std::optional<HostRange> LaunchFunction::getRange(Value value) {
  OpBuilder::InsertionGuard guard(builder);
  return computeRange(value);
}

Value LaunchFunction::getInLastPrograms(Value value, ArrayRef<Axis> axes) {
  llvm::SaveAndRestore last(lastAxes, axes);
  std::optional<HostRange> range = getRange(value);
  return range && range->low == range->high ? range->low : Value();
}

/// A loop's index is at most its upper bound.
std::optional<HostRange>
LaunchFunction::getRangeOfArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  if (isa<KernelOp>(owner)) {
    if (Value count = counts.lookup(argument.getArgNumber()))
      return HostRange{count, count};
    if (!argument.getType().isIntOrIndex() ||
        argument.getArgNumber() >= numArguments)
      return std::nullopt;
    Value value = getArgument(argument.getArgNumber());
    return HostRange{value, value};
  }
  auto loop = dyn_cast<scf::ForOp>(owner);
  if (!loop || argument != loop.getInductionVar())
    return std::nullopt;
  std::optional<HostRange> first = computeRange(loop.getLowerBound());
  std::optional<HostRange> last = computeRange(loop.getUpperBound());
  if (!first || !last)
    return std::nullopt;
  return HostRange{first->low, last->high};
}

/// Returns the range of an operation that grows with each of its operands.
template <typename Op>
static HostRange grow(OpBuilder &builder, Location loc, const HostRange &a,
                      const HostRange &b) {
  return {builder.createOrFold<Op>(loc, a.low, b.low),
          builder.createOrFold<Op>(loc, a.high, b.high)};
}

/// Returns the range of a multiplication: its bounds are bounds multiplied.
static HostRange multiply(OpBuilder &builder, Location loc, const HostRange &a,
                          const HostRange &b) {
  HostRange range;
  for (Value left : {a.low, a.high})
    for (Value right : {b.low, b.high}) {
      Value bound = builder.createOrFold<arith::MulIOp>(loc, left, right);
      range.low =
          range.low
              ? builder.createOrFold<arith::MinSIOp>(loc, range.low, bound)
              : bound;
      range.high =
          range.high
              ? builder.createOrFold<arith::MaxSIOp>(loc, range.high, bound)
              : bound;
    }
  return range;
}

bool LaunchFunction::isPositive(const HostRange &range) {
  std::optional<int64_t> constant = getConstantIntValue(range.low);
  if (constant)
    return *constant > 0;
  return llvm::any_of(
      counts, [&](const auto &count) { return count.second == range.low; });
}

/// Returns the range of an unsigned minimum with a constant that is not
/// negative; nothing for other operations.
std::optional<HostRange> LaunchFunction::limit(Operation *op) {
  auto minimum = dyn_cast<arith::MinUIOp>(op);
  std::optional<int64_t> most =
      minimum ? getConstantIntValue(minimum.getRhs()) : std::nullopt;
  if (!most || *most < 0)
    return std::nullopt;
  Type type = minimum.getType();
  return HostRange{constant(type, 0), constant(type, *most)};
}

/// Combines the ranges of the operands of an operation with two.
std::optional<HostRange> LaunchFunction::combine(Operation *op) {
  using Result = std::optional<HostRange>;
  Result a = computeRange(op->getOperand(0));
  Result b = computeRange(op->getOperand(1));
  if (!a || !b)
    return limit(op);
  Location loc = builder.getLoc();
  if (a->low == a->high && b->low == b->high) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), a->low);
    mapping.map(op->getOperand(1), b->low);
    Operation *copy = builder.clone(*op, mapping);
    SmallVector<Value> folded;
    if (failed(builder.tryFold(copy, folded)))
      return HostRange{copy->getResult(0), copy->getResult(0)};
    copy->erase();
    return HostRange{folded[0], folded[0]};
  }
  bool isDivisor = b->low == b->high && isPositive(*b);
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](arith::AddIOp) {
        return grow<arith::AddIOp>(builder, loc, *a, *b);
      })
      .Case([&](arith::SubIOp) {
        return grow<arith::SubIOp>(builder, loc, *a,
                                   HostRange{b->high, b->low});
      })
      .Case([&](arith::MulIOp) { return multiply(builder, loc, *a, *b); })
      .Case<arith::MinSIOp, arith::MinUIOp>(
          [&](auto) { return grow<arith::MinSIOp>(builder, loc, *a, *b); })
      .Case<arith::MaxSIOp, arith::MaxUIOp>(
          [&](auto) { return grow<arith::MaxSIOp>(builder, loc, *a, *b); })
      .Case<arith::DivUIOp, arith::FloorDivSIOp>([&](auto) -> Result {
        if (!isDivisor)
          return std::nullopt;
        return grow<arith::FloorDivSIOp>(builder, loc, *a, *b);
      })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>([&](auto) -> Result {
        if (!isDivisor)
          return std::nullopt;
        return grow<arith::CeilDivSIOp>(builder, loc, *a, *b);
      })
      .Case([&](arith::RemUIOp) -> Result {
        if (!isDivisor)
          return std::nullopt;
        return HostRange{constant(op->getResult(0).getType(), 0), b->low};
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::optional<HostRange> LaunchFunction::computeRange(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return getRangeOfArgument(argument);
  Operation *op = value.getDefiningOp();
  if (std::optional<int64_t> constant = getConstantIntValue(value)) {
    Value same = builder.clone(*op)->getResult(0);
    return HostRange{same, same};
  }
  using Result = std::optional<HostRange>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](ProgramIdOp id) {
        Value count = grid[static_cast<unsigned>(id.getAxis())];
        Value last = builder.createOrFold<arith::SubIOp>(builder.getLoc(),
                                                         count, index(1));
        bool isLast = llvm::is_contained(lastAxes, id.getAxis());
        return HostRange{isLast ? last : index(0), last};
      })
      .Case([&](NumProgramsOp programs) {
        Value count = grid[static_cast<unsigned>(programs.getAxis())];
        return HostRange{count, count};
      })
      .Case([&](memref::DimOp dim) -> Result {
        auto array = dyn_cast<BlockArgument>(dim.getSource());
        std::optional<int64_t> index = dim.getConstantIndex();
        if (!array || array.getArgNumber() >= numArguments || !index)
          return std::nullopt;
        Value size = memref::DimOp::create(
            builder, getArgument(array.getArgNumber()), *index);
        return HostRange{size, size};
      })
      .Case<arith::IndexCastOp, arith::ExtSIOp>([&](Operation *cast) -> Result {
        Result range = computeRange(cast->getOperand(0));
        if (!range)
          return std::nullopt;
        auto convert = [&](Value bound) -> Value {
          if (bound.getType() == cast->getResult(0).getType())
            return bound;
          IRMapping mapping;
          mapping.map(cast->getOperand(0), bound);
          return builder.clone(*cast, mapping)->getResult(0);
        };
        Value low = convert(range->low);
        return HostRange{low, range->low == range->high ? low
                                                        : convert(range->high)};
      })
      .Case([&](arith::SelectOp select) -> Result {
        Result a = computeRange(select.getTrueValue());
        Result b = computeRange(select.getFalseValue());
        if (!a || !b)
          return std::nullopt;
        Location loc = builder.getLoc();
        return HostRange{
            builder.createOrFold<arith::MinSIOp>(loc, a->low, b->low),
            builder.createOrFold<arith::MaxSIOp>(loc, a->high, b->high)};
      })
      .Default([&](Operation *other) -> Result {
        bool isBinary = isa<arith::ArithDialect>(other->getDialect()) &&
                        other->getNumOperands() == 2 &&
                        other->getResult(0).getType().isIntOrIndex();
        return isBinary ? combine(other) : std::nullopt;
      });
}

//===----------------------------------------------------------------------===//
// Arrays and launches
//===----------------------------------------------------------------------===//

Value LaunchFunction::allocate(MemRefType type, ValueRange sizes) {
  allocates = true;
  return memref::AllocOp::create(builder, type, sizes);
}

void LaunchFunction::launch(KernelOp launched, ValueRange extents,
                            ValueRange values) {
  LaunchOp::create(builder, launched.getSymName(), extents, values);
}

func::FuncOp LaunchFunction::finish(unsigned count) {
  Block &body = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
  llvm::BitVector unused(function.getNumArguments());
  for (unsigned i = 0; i < count; ++i)
    unused[i] = getArgument(i).use_empty();
  (void)function.eraseArguments(unused);
  return function;
}
