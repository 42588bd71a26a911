// WarpMatrix.cpp - matrices that the lanes of a warp hold together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WarpMatrix.h"

#include "../ElementArithmetic.h"
#include "../Shuffle.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

Value tile::getThreadIndex(IndexBuilder &index) {
  return arith::IndexCastUIOp::create(
      index.builder, index.loc, index.builder.getI32Type(), index.thread());
}

//===----------------------------------------------------------------------===//
// MatrixSide
//===----------------------------------------------------------------------===//

MatrixSide::MatrixSide(ThreadCoordinates &thread, int64_t dim)
    : base(thread.getBase(dim)) {
  const RegisterLayout &layout = thread.getLayout();
  int64_t prefix = 1;
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane)) {
    if (mode.dim == dim) {
      lanes.push_back(mode);
      prefixes.push_back(prefix);
      mask |= prefix * (mode.extent - 1);
      reach += mode.step * (mode.extent - 1);
    }
    prefix *= mode.extent;
  }
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kWarp))
    if (mode.dim == dim) {
      warps.push_back(mode);
      numWarps *= mode.extent;
      reach += mode.step * (mode.extent - 1);
    }
  for (int64_t value = 0; value < layout.getNumValues(); ++value)
    positions.push_back(layout.valueOffset(value)[dim]);
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      bases.push_back(layout.coordinate(lane, warp, /*value=*/0)[dim]);
  for (llvm::SmallVector<int64_t> *list : {&positions, &bases}) {
    llvm::sort(*list);
    list->erase(llvm::unique(*list), list->end());
  }
}

int64_t MatrixSide::getValue(int64_t position) const {
  for (ArrayRef<RegisterMode> modes : {ArrayRef(lanes), ArrayRef(warps)})
    for (const RegisterMode &mode : modes)
      position -= position / mode.step % mode.extent * mode.step;
  const int64_t *found = llvm::lower_bound(positions, position);
  assert(found != positions.end() && *found == position &&
         "a position of the side");
  return found - positions.begin();
}

int64_t MatrixSide::findReaching(int64_t position) const {
  return llvm::lower_bound(positions, position - reach) - positions.begin();
}

Value MatrixSide::getPosition(IndexBuilder &index, int64_t value) const {
  return index.add(base, positions[value]);
}

/// Whether this thread's base is at least `least`; null for always. The bases
/// of all lanes have few different values, so that few comparisons suffice for
/// all `least`.
Value MatrixSide::isBaseAtLeast(IndexBuilder &index, int64_t least) {
  auto next = llvm::lower_bound(bases, least);
  assert(next != bases.end() && "a part that some lane has");
  if (next == bases.begin())
    return Value();
  Value &condition = atLeast[*next];
  if (!condition)
    condition = index.atMost(index.constant(*next), base);
  return condition;
}

Value MatrixSide::isAt(IndexBuilder &index, int64_t value, int64_t position) {
  if (reach == 0)
    return Value();
  Value &condition = equal[position - positions[value]];
  if (!condition)
    condition = index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::eq, base,
        index.constant(position - positions[value]));
  return condition;
}

Value MatrixSide::isBefore(IndexBuilder &index, int64_t value,
                           int64_t position) {
  if (getLast(value) < position)
    return Value();
  Value always = arith::ConstantIntOp::create(index.builder, index.loc, 1, 1);
  Value reached = isBaseAtLeast(index, position - positions[value]);
  return index.builder.createOrFold<arith::XOrIOp>(
      index.loc, reached ? reached : always, always);
}

Value MatrixSide::isBehind(IndexBuilder &index, int64_t value,
                           int64_t position) {
  return isBaseAtLeast(index, position + 1 - positions[value]);
}

int64_t MatrixSide::getLanes(int64_t position) const {
  int64_t bits = 0;
  for (auto [mode, prefix] : llvm::zip_equal(lanes, prefixes))
    bits |= position / mode.step % mode.extent * prefix;
  return bits;
}

Value MatrixSide::getLanes(IndexBuilder &index, const MatrixSide &of) const {
  Value bits;
  for (auto [mode, prefix] : llvm::zip_equal(lanes, prefixes))
    bits = index.add(
        bits, index.mul(index.rem(index.div(of.base, mode.step), mode.extent),
                        prefix));
  return arith::IndexCastUIOp::create(index.builder, index.loc,
                                      index.builder.getI32Type(), bits);
}

Value MatrixSide::getLanes(IndexBuilder &index, Value position) const {
  Value bits = index.constantI32(0);
  for (auto [mode, prefix] : llvm::zip_equal(lanes, prefixes)) {
    Value part = index.builder.createOrFold<arith::DivUIOp>(
        index.loc, position, index.constantI32(mode.step));
    part = index.builder.createOrFold<arith::RemUIOp>(
        index.loc, part, index.constantI32(mode.extent));
    part = index.builder.createOrFold<arith::MulIOp>(index.loc, part,
                                                     index.constantI32(prefix));
    bits = index.builder.createOrFold<arith::AddIOp>(index.loc, bits, part);
  }
  return bits;
}

//===----------------------------------------------------------------------===//
// WarpMatrix
//===----------------------------------------------------------------------===//

WarpMatrix::WarpMatrix(IndexBuilder &index, ThreadCoordinates &thread,
                       ArrayRef<Value> elements)
    : index(index), rows(thread, thread.getLayout().getRank() - 2),
      columns(thread, thread.getLayout().getRank() - 1), elements(elements) {
  const RegisterLayout &layout = thread.getLayout();
  int64_t area = rows.getNumValues() * columns.getNumValues();
  for (int64_t value = 0; value < layout.getNumValues(); ++value) {
    std::vector<int64_t> coordinates = layout.valueOffset(value);
    int64_t column = columns.getValue(coordinates.back());
    coordinates.pop_back();
    int64_t row = rows.getValue(coordinates.back());
    coordinates.pop_back();
    int64_t matrix =
        matrices.try_emplace(coordinates, matrices.size()).first->second;
    values.resize(matrices.size() * area);
    values[getLinearIndex(matrix, row, column)] = value;
  }
  threadIndex = getThreadIndex(index);
}

Value WarpMatrix::getLane(int64_t mask, int64_t bits) {
  Value &found = lanes[{mask, bits}];
  if (found)
    return found;
  found = index.builder.createOrFold<arith::AndIOp>(
      index.loc, threadIndex, index.constantI32(kWarpSize - 1 - mask));
  found = index.builder.createOrFold<arith::OrIOp>(index.loc, found,
                                                   index.constantI32(bits));
  if (unknownZero)
    found = arith::OrIOp::create(index.builder, index.loc, found, unknownZero);
  return found;
}

/// ptxas merges equal shuffles, even across inline assembly. To prevent this, a
/// term is added to the indices of lanes that is zero, but not known to be
/// zero: the sign of the clock. The clock stays positive for centuries (PTX
/// ISA,
/// "%clock64"), and ptxas and LLVM take each reading of it for a new value.
/// LLVM knows no bit of the result of the arithmetic shift.
void WarpMatrix::shuffleAnew() {
  OpBuilder &builder = index.builder;
  Value time =
      NVVM::Clock64Op::create(builder, index.loc, builder.getI64Type());
  Value shift = arith::ConstantIntOp::create(builder, index.loc, 63, 64);
  unknownZero = arith::TruncIOp::create(
      builder, index.loc, builder.getI32Type(),
      arith::ShRSIOp::create(builder, index.loc, time, shift));
  lanes.clear();
  transposedLanes.clear();
}

Value WarpMatrix::fromColumn(Value value, int64_t column) {
  if (columns.getMask() == 0)
    return value;
  return readLane(index.builder, index.loc, value,
                  getLane(columns.getMask(), columns.getLanes(column)));
}

Value WarpMatrix::fromRow(Value value, int64_t row) {
  if (rows.getMask() == 0)
    return value;
  return readLane(index.builder, index.loc, value,
                  getLane(rows.getMask(), rows.getLanes(row)));
}

Value WarpMatrix::fromLanes(Value value, int64_t mask, Value bits) {
  if (mask == 0)
    return value;
  Value rest = index.builder.createOrFold<arith::AndIOp>(
      index.loc, threadIndex, index.constantI32(kWarpSize - 1 - mask));
  return readLane(
      index.builder, index.loc, value,
      index.builder.createOrFold<arith::OrIOp>(index.loc, rest, bits));
}

Value WarpMatrix::fromElement(Value value, int64_t row, int64_t column) {
  int64_t mask = rows.getMask() | columns.getMask();
  if (mask == 0)
    return value;
  return readLane(index.builder, index.loc, value,
                  getLane(mask, rows.getLanes(row) | columns.getLanes(column)));
}

Value WarpMatrix::fromColumnTransposed(ArrayRef<Value> ofRows, int64_t own,
                                       int64_t column) {
  int64_t position = columns.getFirst(own);
  Value value = ofRows[rows.getValue(position)];
  int64_t mask = rows.getMask() | columns.getMask();
  if (mask == 0)
    return value;
  if (columns.getMask() == 0)
    return fromElement(value, position, column);
  // Each digit of the position belongs to the lane or to the value, never to
  // both.
  int64_t bits = columns.getLanes(column) | rows.getLanes(position);
  Value &from = transposedLanes[bits];
  if (!from) {
    if (!ownRows)
      ownRows = rows.getLanes(index, columns);
    from = index.builder.createOrFold<arith::OrIOp>(
        index.loc, getLane(mask, bits), ownRows);
  }
  return readLane(index.builder, index.loc, value, from);
}

Value WarpMatrix::fromColumnTransposed(ArrayRef<Value> ofRows, int64_t own,
                                       Value column) {
  int64_t position = columns.getFirst(own);
  auto combine = [&](Value a, Value b) {
    return index.builder.createOrFold<arith::OrIOp>(index.loc, a, b);
  };
  Value bits = combine(columns.getLanes(index, column),
                       index.constantI32(rows.getLanes(position)));
  return fromLanes(ofRows[rows.getValue(position)],
                   rows.getMask() | columns.getMask(),
                   combine(bits, rows.getLanes(index, columns)));
}

Value WarpMatrix::sumRows(Value value) {
  return sumLanes(value, rows.getMask());
}

Value WarpMatrix::sumColumns(Value value) {
  return sumLanes(value, columns.getMask());
}

Value WarpMatrix::sumLanes(Value value, int64_t mask) {
  ElementArithmetic arithmetic(index.builder, index.loc, value.getType());
  for (int64_t bit = 1; bit < kWarpSize; bit *= 2)
    if (mask & bit)
      value = arithmetic.add(value, shuffle(index.builder, index.loc, value,
                                            gpu::ShuffleMode::XOR, bit));
  return value;
}
