// Copies.cpp - copies of a gradient, to which parts of the programs add
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Copies.h"

#include "BoxKernel.h"
#include "PartialSums.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// The number of elements of all copies of a gradient, at most, unless there is
/// only one copy: 64 MiB in f32.
constexpr int64_t kMostElements = 1 << 24;

static MemRefType getType(Value array) {
  return cast<MemRefType>(array.getType());
}

Value tile::limitCopies(LaunchFunction &host, Value gradient, Value parts) {
  ImplicitLocOpBuilder &b = host.getBuilder();
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value elements = one;
  for (int64_t dim = 0; dim < getType(gradient).getRank(); ++dim)
    elements =
        b.createOrFold<arith::MulIOp>(elements, getSize(b, gradient, dim));
  Value most = arith::DivUIOp::create(
      b, arith::ConstantIndexOp::create(b, kMostElements),
      arith::MaxSIOp::create(b, elements, one));
  return arith::MaxSIOp::create(b, arith::MinSIOp::create(b, parts, most), one);
}

Value tile::allocateCopies(LaunchFunction &host, Value gradient, Value count) {
  MemRefType type = getType(gradient);
  SmallVector<int64_t> shape{ShapedType::kDynamic};
  SmallVector<Value> sizes{count};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      sizes.push_back(getSize(host.getBuilder(), gradient, dim));
  }
  Type element = getSumElement(type.getElementType());
  return host.allocate(MemRefType::get(shape, element), sizes);
}

/// Returns the dimensions of the copies that are those of an update's tile.
static DenseI64ArrayAttr shiftDims(AtomicRMWOp update) {
  if (!update.getDims())
    return {}; // the last ones
  SmallVector<int64_t> dims;
  for (int64_t dim : update.getDimsAttr().asArrayRef())
    dims.push_back(dim + 1);
  return DenseI64ArrayAttr::get(update.getContext(), dims);
}

void tile::addToCopy(AtomicRMWOp update, Value copies, Value part) {
  ValueBuilder b(update.getLoc(), update.getContext());
  b.setInsertionPoint(update);
  SmallVector<Value> offsets{part};
  llvm::append_range(offsets, update.getOffsets());
  DenseI64ArrayAttr dims = shiftDims(update);
  Value addend = b.cast(update.getValue(), getType(copies).getElementType());
  Value old = LoadOp::create(b, addend.getType(), copies, offsets,
                             /*pad=*/Value(), update.getMask(),
                             update.getInBounds(), dims);
  StoreOp::create(b, b.add(old, addend), copies, offsets, update.getMask(),
                  update.getInBounds(), dims);
  update->erase();
}

void tile::launchSumOfCopies(KernelOp kernel, StringRef name,
                             LaunchFunction &host, Value copies,
                             Value gradient) {
  ValueBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPointAfter(kernel);
  SmallVector<int64_t> box(getType(gradient).getRank(), 1);
  box.back() = kMostColumns;
  BoxKernel sum =
      createBoxKernel(b, name, {copies.getType(), gradient.getType()},
                      /*divided=*/1, box);
  SmallVector<Value> offsets{arith::ConstantIndexOp::create(b, 0)};
  llvm::append_range(offsets, sum.offsets);
  MemRefType type = getType(copies);
  Value total = addParts(b, sum.kernel.getArgument(0), /*part=*/0, offsets,
                         TileType::get({kMostColumns}, type.getElementType()),
                         b.getDenseI64ArrayAttr({0, type.getRank() - 1}));
  StoreOp::create(b, b.cast(total, getType(gradient).getElementType()),
                  sum.kernel.getArgument(1), sum.offsets, /*mask=*/Value(),
                  /*in_bounds=*/false, /*dims=*/DenseI64ArrayAttr());
  ImplicitLocOpBuilder &h = host.getBuilder();
  Value one = arith::ConstantIndexOp::create(h, 1);
  host.launch(sum.kernel, {countBoxes(h, gradient, box), one, one},
              {copies, gradient});
}
