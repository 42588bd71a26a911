// JoinArrays.cpp - one argument for each array that a CUDA Tile entry writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinArrays.h"

#include "KernelTranslator.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

/// Whether an operation writes an array, itself or through a view of it.
static bool isWritten(Value array) {
  return llvm::any_of(array.getUsers(), [&](Operation *user) {
    if (auto view = dyn_cast<memref::SubViewOp>(user))
      return isWritten(view.getResult());
    return hasEffect<MemoryEffects::Write>(user, array);
  });
}

/// Whether the kernel writes to addresses that it computes.
static bool writesAddresses(KernelOp kernel) {
  return kernel
      .walk([](ArrayAtOp array) {
        return isWritten(array) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasUsedAddress(Value array) {
  return llvm::any_of(array.getUsers(),
                      llvm::IsaPred<memref::ExtractAlignedPointerAsIndexOp>);
}

static MemRefType getType(Value array) {
  return cast<MemRefType>(array.getType());
}

/// Whether arrays have the same elements, extents and strides. One without
/// strides may have those of one with them.
static bool isSame(MemRefType a, MemRefType b) {
  return a.getElementType() == b.getElementType() &&
         a.getShape() == b.getShape() &&
         a.getStridesAndOffset() == b.getStridesAndOffset();
}

/// Returns an array of another type at the address of `array`, with its extents
/// and strides. One without shape may be of another rank. Null if there is
/// none.
static Value createAt(ImplicitLocOpBuilder &b, Value array, MemRefType type) {
  bool isSameRank = getType(array).getRank() == type.getRank();
  if (!isSameRank && (type.getRank() != 1 || !type.getLayout().isIdentity()))
    return {};
  auto [typeStrides, offset] = type.getStridesAndOffset();
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  SmallVector<Value> sizes, strides;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (!ShapedType::isDynamic(size))
      continue;
    sizes.push_back(
        isSameRank
            ? metadata.getSizes()[dim]
            : arith::ConstantIndexOp::create(b, kUnknownExtent).getResult());
  }
  for (auto [dim, stride] : llvm::enumerate(typeStrides))
    if (ShapedType::isDynamic(stride))
      strides.push_back(metadata.getStrides()[dim]);
  Value address = arith::IndexCastOp::create(
      b, b.getI64Type(),
      memref::ExtractAlignedPointerAsIndexOp::create(b, array));
  return ArrayAtOp::create(b, type, address, sizes, strides);
}

/// Returns the argument of which the others of a parameter become views.
static BlockArgument choose(ArrayRef<BlockArgument> arrays) {
  auto *strided = llvm::find_if(arrays, [](BlockArgument array) {
    return isa<StridedLayoutAttr>(getType(array).getLayout());
  });
  return strided == arrays.end() ? arrays.front() : *strided;
}

/// Replaces the arguments of a parameter by one of them.
static LogicalResult join(KernelOp kernel, ArrayRef<BlockArgument> arrays) {
  BlockArgument first = choose(arrays);
  auto b = ImplicitLocOpBuilder::atBlockBegin(kernel.getLoc(),
                                              &kernel.getBody().front());
  for (BlockArgument array : arrays) {
    if (array == first)
      continue;
    Value same = isSame(getType(array), getType(first))
                     ? Value(first)
                     : createAt(b, first, getType(array));
    if (!same)
      return failure();
    array.replaceAllUsesWith(same);
  }
  return success();
}

LogicalResult tile::cudatile::joinArrays(KernelOp kernel, StringRef name,
                                         ArrayRef<unsigned> parameters) {
  llvm::MapVector<unsigned, SmallVector<BlockArgument>> byParameter;
  for (auto [parameter, argument] :
       llvm::zip_equal(parameters, kernel.getArguments()))
    if (isa<MemRefType>(argument.getType()))
      byParameter[parameter].push_back(argument);
  bool writesAny = writesAddresses(kernel);
  for (auto &[parameter, arrays] : byParameter) {
    bool mayWrite = llvm::any_of(arrays, [&](BlockArgument array) {
      return isWritten(array) || (writesAny && hasUsedAddress(array));
    });
    if (arrays.size() > 1 && mayWrite && failed(join(kernel, arrays)))
      return emitError(kernel.getLoc())
             << "cannot translate the CUDA Tile entry '" << name
             << "': expected one rank of the array at parameter " << parameter
             << ", which it writes, got several";
  }
  return success();
}
