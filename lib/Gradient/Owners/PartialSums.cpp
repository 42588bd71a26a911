// PartialSums.cpp - sums of which several programs compute parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PartialSums.h"

#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

Value tile::createPartCount(LaunchFunction &host, Value total, Value owners) {
  ImplicitLocOpBuilder &b = host.getBuilder();
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value programs = arith::ConstantIndexOp::create(b, kPartialSumPrograms);
  // The grid may be empty.
  Value each = arith::CeilDivSIOp::create(
      b, programs, arith::MaxSIOp::create(b, owners, one));
  return arith::MaxSIOp::create(b, one, arith::MinSIOp::create(b, total, each));
}

Value tile::addParts(ValueBuilder &b, Value array, unsigned part,
                     ArrayRef<Value> offsets, TileType sum,
                     DenseI64ArrayAttr dims) {
  constexpr int64_t kPartsAtATime = 64, kMostElements = 1 << 14;
  bool addsSome = sum.getRank() < 4; // the greatest rank of a tile
  int64_t step = addsSome
                     ? std::clamp<int64_t>(kMostElements / sum.getNumElements(),
                                           1, kPartsAtATime)
                     : 1;
  SmallVector<int64_t> loaded(sum.getShape());
  if (addsSome)
    loaded.insert(loaded.begin(), step);
  auto loop = scf::ForOp::create(b, arith::ConstantIndexOp::create(b, 0),
                                 memref::DimOp::create(b, array, part),
                                 arith::ConstantIndexOp::create(b, step),
                                 ValueRange{b.zero(sum)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> first(offsets);
  first[part] = loop.getInductionVar();
  Value parts = LoadOp::create(b, TileType::get(loaded, sum.getElementType()),
                               array, first, /*pad=*/Value(), /*mask=*/Value(),
                               /*in_bounds=*/!addsSome, dims);
  if (addsSome)
    parts = ReduceOp::create(b, TypeRange{sum}, ReduceKind::add, parts,
                             b.getI64IntegerAttr(0))
                .getResult(0);
  scf::YieldOp::create(b, b.add(loop.getRegionIterArgs()[0], parts));
  return loop.getResult(0);
}

/// Clones the operations that compute a value, which have no effects.
static Value cloneSlice(OpBuilder &builder, Value value, IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    cloneSlice(builder, operand, mapping);
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// Returns the shape of the box that a program adds up: of one row, with the
/// greatest extent of at most kMostColumns by which the row can be divided.
static SmallVector<int64_t> getProgramShape(TileType type) {
  SmallVector<int64_t> shape(type.getRank(), 1);
  int64_t extent = type.getShape().back();
  shape.back() = std::min(extent, kMostColumns);
  while (extent % shape.back() != 0)
    --shape.back();
  return shape;
}

namespace {
/// Creates the kernel that adds up the parts of a sum.
class SumBuilder {
public:
  SumBuilder(PartialKernel &partial, StoreOp store, Value sum, StringRef name,
             LaunchFunction &host)
      : partial(partial), store(store), type(cast<TileType>(sum.getType())),
        name(name), b(store.getLoc(), store.getContext()), host(host) {}

  SumKernel build(unsigned partsArgument);

private:
  void createKernel();
  void divideBox();
  Value addBoxParts(Value parts);
  void storeSum(Value sum);

  PartialKernel &partial;
  StoreOp store;
  TileType type;
  StringRef name;
  ValueBuilder b;
  LaunchFunction &host;
  SumKernel result;
  IRMapping mapping;
  /// The shape of the box of a program, and its offsets in the box of the sum.
  SmallVector<int64_t> shape;
  SmallVector<Value> box;
};
} // namespace

void SumBuilder::createKernel() {
  b.setInsertionPointAfter(partial.kernel);
  result.kernel =
      cast<KernelOp>(b.insert(partial.kernel->cloneWithoutRegions()));
  result.kernel.setSymName(name);
  Block &body = result.kernel.getBody().emplaceBlock();
  for (BlockArgument argument : partial.kernel.getArguments())
    mapping.map(argument,
                body.addArgument(argument.getType(), argument.getLoc()));
  b.setInsertionPointToEnd(&body);
  ReturnOp::create(b);
  b.setInsertionPoint(body.getTerminator());
}

/// Divides the box of the sum among programs along an axis that has no owners.
/// With a mask it is not divided.
void SumBuilder::divideBox() {
  ImplicitLocOpBuilder &h = host.getBuilder();
  result.extents.assign(3, arith::ConstantIndexOp::create(h, 1));
  if (partial.owner) {
    unsigned owner = static_cast<unsigned>(*partial.owner);
    result.extents[owner] = partial.extents[owner];
  }
  shape.assign(type.getShape().begin(), type.getShape().end());
  box.assign(type.getRank(), arith::ConstantIndexOp::create(b, 0));
  if (type.getRank() == 0 || store.getMask())
    return;
  shape = getProgramShape(type);
  Axis axis = partial.owner == Axis::x ? Axis::y : Axis::x;
  Value rest = ProgramIdOp::create(b, axis);
  int64_t programs = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    int64_t count = type.getDimSize(dim) / shape[dim];
    programs *= count;
    Value counted = arith::ConstantIndexOp::create(b, count);
    box[dim] =
        arith::MulIOp::create(b, arith::RemUIOp::create(b, rest, counted),
                              arith::ConstantIndexOp::create(b, shape[dim]));
    rest = arith::DivUIOp::create(b, rest, counted);
  }
  result.extents[static_cast<unsigned>(axis)] =
      arith::ConstantIndexOp::create(h, programs);
}

/// Returns the parts of a program's box, added up in order.
Value SumBuilder::addBoxParts(Value parts) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> offsets(2 + type.getRank(), zero);
  if (partial.owner)
    offsets[0] = ProgramIdOp::create(b, *partial.owner);
  llvm::copy(box, offsets.begin() + 2);
  return addParts(b, parts, /*part=*/1, offsets,
                  TileType::get(shape, type.getElementType()));
}

/// Stores the sum as `store` does.
void SumBuilder::storeSum(Value sum) {
  SmallVector<Value> offsets;
  for (Value offset : store.getOffsets())
    offsets.push_back(cloneSlice(b, offset, mapping));
  Value mask = store.getMask();
  if (mask)
    mask = cloneSlice(b, mask, mapping);
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value &offset = offsets[getArrayDimension(store, dim)];
    offset = arith::AddIOp::create(b, offset, box[dim]);
  }
  Type element = getElementType(store.getValue().getType());
  StoreOp::create(b, b.cast(sum, element), mapping.lookup(store.getDest()),
                  offsets, mask, store.getInBounds(), store.getDimsAttr());
}

SumKernel SumBuilder::build(unsigned partsArgument) {
  createKernel();
  divideBox();
  Value sum = addBoxParts(result.kernel.getArgument(partsArgument));
  storeSum(sum);
  return result;
}

/// Returns the type of the array of parts: owners, parts, and the sum's box.
static MemRefType getPartsType(TileType type) {
  SmallVector<int64_t> shape(2, ShapedType::kDynamic);
  llvm::append_range(shape, type.getShape());
  return MemRefType::get(shape, type.getElementType());
}

/// Makes the kernel store its part of the sum after the loop. Returns the
/// argument that is the array of parts.
static unsigned storePart(PartialKernel &partial, StoreOp store, Value sum,
                          LaunchFunction &host) {
  auto type = cast<TileType>(sum.getType());
  ImplicitLocOpBuilder &h = host.getBuilder();
  Value owners = partial.owner
                     ? partial.extents[static_cast<unsigned>(*partial.owner)]
                     : arith::ConstantIndexOp::create(h, 1).getResult();
  MemRefType array = getPartsType(type);
  unsigned index = partial.kernel.getNumArguments();
  (void)partial.kernel.insertArgument(index, array, DictionaryAttr(),
                                      store.getLoc());
  partial.passed.push_back(host.allocate(
      array, {owners, partial.extents[static_cast<unsigned>(partial.part)]}));
  ImplicitLocOpBuilder b(store.getLoc(), store.getContext());
  b.setInsertionPoint(store);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> offsets(2 + type.getRank(), zero);
  if (partial.owner)
    offsets[0] = ProgramIdOp::create(b, *partial.owner);
  offsets[1] = ProgramIdOp::create(b, partial.part);
  StoreOp::create(b, sum, partial.kernel.getArgument(index), offsets,
                  /*mask=*/Value(), /*in_bounds=*/true,
                  /*dims=*/DenseI64ArrayAttr());
  return index;
}

SumKernel tile::splitSum(PartialKernel &partial, StoreOp store, Value sum,
                         StringRef name, LaunchFunction &host) {
  unsigned index = storePart(partial, store, sum, host);
  SumKernel result = SumBuilder(partial, store, sum, name, host).build(index);
  store->erase();
  return result;
}
