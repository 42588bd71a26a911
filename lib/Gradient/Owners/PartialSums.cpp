// PartialSums.cpp - sums of which several programs compute parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PartialSums.h"

#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/PermutedAccess.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

Value tile::createPartCount(LaunchFunction &host, Value total, Value owners,
                            int64_t blocks) {
  constexpr int64_t kLeastTerms = 8;
  ImplicitLocOpBuilder &b = host.getBuilder();
  Value one = arith::ConstantIndexOp::create(b, 1);
  // The grid may be empty.
  owners = arith::MaxSIOp::create(b, owners, one);
  auto divide = [&](int64_t blocks) -> Value {
    Value programs =
        arith::ConstantIndexOp::create(b, blocks * kPartialSumProcessors);
    return arith::CeilDivSIOp::create(b, programs, owners);
  };
  Value parts = divide(blocks);
  // A part is stored and loaded again: more than two for each multiprocessor
  // are faster only if each adds up several terms.
  if (blocks > 2)
    parts = arith::MinSIOp::create(
        b, parts,
        arith::MaxSIOp::create(
            b, divide(2),
            arith::CeilDivSIOp::create(
                b, total, arith::ConstantIndexOp::create(b, kLeastTerms))));
  return arith::MaxSIOp::create(b, one,
                                arith::MinSIOp::create(b, total, parts));
}

Value tile::addParts(ValueBuilder &b, Value array, unsigned part,
                     ArrayRef<Value> offsets, TileType sum,
                     DenseI64ArrayAttr dims) {
  // The loads of all parts are in flight at once.
  constexpr int64_t kPartsAtATime = 2 * kPartialSumProcessors,
                    kMostElements = 1 << 14;
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
/// Creates the operations with which a program of a sum kernel adds up the
/// parts of its box of a sum.
class BoxSum {
public:
  BoxSum(const PartialKernel &partial, PartialSum sum,
         const IRMapping &arguments)
      : partial(partial), store(sum.store),
        type(cast<TileType>(sum.sum.getType())), mapping(arguments) {
    // With a mask the sum is not divided.
    shape = type.getRank() == 0 || sum.store.getMask()
                ? llvm::to_vector(type.getShape())
                : getProgramShape(type);
  }

  /// Counts the programs that a sum is divided among.
  int64_t countPrograms() const;
  /// Creates the operations for the program at the index `program` of these.
  void create(ValueBuilder &b, Value program, Value parts);

private:
  SmallVector<Value> createOffsets(ValueBuilder &b, Value program);
  Value addBoxParts(ValueBuilder &b, ArrayRef<Value> box, Value parts);
  void storeSum(ValueBuilder &b, ArrayRef<Value> box, Value sum);

  const PartialKernel &partial;
  StoreOp store;
  TileType type;
  IRMapping mapping;
  /// Each program adds up a box of this shape.
  SmallVector<int64_t> shape;
};
} // namespace

int64_t BoxSum::countPrograms() const {
  return type.getNumElements() / llvm::product_of(shape);
}

/// Returns the offsets of a program's box in that of the sum.
SmallVector<Value> BoxSum::createOffsets(ValueBuilder &b, Value program) {
  SmallVector<Value> box(type.getRank());
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    Value count =
        arith::ConstantIndexOp::create(b, type.getDimSize(dim) / shape[dim]);
    box[dim] =
        arith::MulIOp::create(b, arith::RemUIOp::create(b, program, count),
                              arith::ConstantIndexOp::create(b, shape[dim]));
    program = arith::DivUIOp::create(b, program, count);
  }
  return box;
}

/// Returns the parts of a program's box, added up in order.
Value BoxSum::addBoxParts(ValueBuilder &b, ArrayRef<Value> box, Value parts) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  SmallVector<Value> offsets(2, zero);
  if (partial.owner)
    offsets[0] = ProgramIdOp::create(b, *partial.owner);
  llvm::append_range(offsets, box);
  return addParts(b, parts, /*part=*/1, offsets,
                  TileType::get(shape, type.getElementType()));
}

/// Stores the sum as `store` does.
void BoxSum::storeSum(ValueBuilder &b, ArrayRef<Value> box, Value sum) {
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

void BoxSum::create(ValueBuilder &b, Value program, Value parts) {
  SmallVector<Value> box = createOffsets(b, program);
  storeSum(b, box, addBoxParts(b, box, parts));
}

/// Creates a kernel without operations, and maps the arguments of `like` to its
/// own.
static KernelOp createKernel(ValueBuilder &b, KernelOp like, StringRef name,
                             IRMapping &mapping) {
  b.setInsertionPointAfter(like);
  auto kernel = cast<KernelOp>(b.insert(like->cloneWithoutRegions()));
  kernel.setSymName(name);
  // The blocks on a multiprocessor are those that have room for the tiles of
  // `like`.
  kernel->removeAttr(kBlocksPerProcessorAttr);
  Block &body = kernel.getBody().emplaceBlock();
  for (BlockArgument argument : like.getArguments())
    mapping.map(argument,
                body.addArgument(argument.getType(), argument.getLoc()));
  b.setInsertionPointToEnd(&body);
  ReturnOp::create(b);
  b.setInsertionPoint(body.getTerminator());
  return kernel;
}

/// Creates the kernel that adds up the parts of sums. Programs along an axis
/// that has no owners have the boxes of one sum after those of another.
static SumKernel buildSumKernel(const PartialKernel &partial,
                                ArrayRef<PartialSum> sums,
                                ArrayRef<unsigned> parts, StringRef name,
                                LaunchFunction &host) {
  KernelOp like = partial.kernel;
  ValueBuilder b(like.getLoc(), like.getContext());
  IRMapping arguments;
  SumKernel result{createKernel(b, like, name, arguments), {}};
  Axis axis = partial.owner == Axis::x ? Axis::y : Axis::x;
  Value program = ProgramIdOp::create(b, axis);
  int64_t programs = 0;
  for (auto [index, sum] : llvm::enumerate(sums)) {
    b.setLoc(PartialSum(sum).store.getLoc());
    BoxSum box(partial, sum, arguments);
    Value own = arith::SubIOp::create(
        b, program, arith::ConstantIndexOp::create(b, programs));
    programs += box.countPrograms();
    scf::IfOp branch;
    if (index + 1 < sums.size()) {
      Value has =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, program,
                                arith::ConstantIndexOp::create(b, programs));
      branch = scf::IfOp::create(b, has, /*withElseRegion=*/true);
      b.setInsertionPointToStart(branch.thenBlock());
    }
    box.create(b, own, result.kernel.getArgument(parts[index]));
    if (branch)
      b.setInsertionPointToStart(branch.elseBlock());
  }
  ImplicitLocOpBuilder &h = host.getBuilder();
  result.extents.assign(3, arith::ConstantIndexOp::create(h, 1));
  if (partial.owner) {
    unsigned owner = static_cast<unsigned>(*partial.owner);
    result.extents[owner] = partial.extents[owner];
  }
  result.extents[static_cast<unsigned>(axis)] =
      arith::ConstantIndexOp::create(h, programs);
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

SumKernel tile::splitSums(PartialKernel &partial, ArrayRef<PartialSum> sums,
                          StringRef name, LaunchFunction &host) {
  SmallVector<unsigned> parts;
  for (PartialSum sum : sums)
    parts.push_back(storePart(partial, sum.store, sum.sum, host));
  SumKernel result = buildSumKernel(partial, sums, parts, name, host);
  for (PartialSum sum : sums)
    sum.store->erase();
  return result;
}
