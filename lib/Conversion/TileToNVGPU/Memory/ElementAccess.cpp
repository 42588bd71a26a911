// ElementAccess.cpp - an element of 64 or 128 bits by one instruction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ElementAccess.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

template <typename Access>
static bool isElement(Access access) {
  auto space =
      cast<LLVM::LLVMPointerType>(access.getAddr().getType()).getAddressSpace();
  return !access.getAlignment() &&
         (space == static_cast<unsigned>(NVVM::NVVMMemorySpace::Global) ||
          space == static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared));
}

/// Returns the vector type of the parts of a complex element; null for other
/// types.
static VectorType getPair(Type type) {
  auto parts = dyn_cast<LLVM::LLVMStructType>(type);
  if (!parts || parts.isOpaque() || parts.getBody().size() != 2 ||
      !isa<FloatType>(parts.getBody()[0]) ||
      parts.getBody()[0] != parts.getBody()[1])
    return {};
  return VectorType::get({2}, parts.getBody()[0]);
}

static unsigned getBytes(VectorType pair) {
  return 2 * pair.getElementTypeBitWidth() / 8;
}

static Value getConstant(ImplicitLocOpBuilder &b, int64_t value) {
  return LLVM::ConstantOp::create(b, b.getI64Type(), value);
}

void tile::accessWhole(LLVM::LoadOp load) {
  if (!isElement(load))
    return;
  if (load.getType().isInteger(64))
    load.setAlignment(8);
  VectorType pair = getPair(load.getType());
  if (!pair)
    return;
  ImplicitLocOpBuilder b(load.getLoc(), load);
  auto loaded = LLVM::LoadOp::create(b, pair, load.getAddr(), getBytes(pair));
  loaded.setInvariant(load.getInvariant());
  Value element = LLVM::PoisonOp::create(b, load.getType());
  for (int64_t part : {0, 1})
    element = LLVM::InsertValueOp::create(
        b, element,
        LLVM::ExtractElementOp::create(b, loaded, getConstant(b, part)), part);
  load.replaceAllUsesWith(element);
  load.erase();
}

void tile::accessWhole(LLVM::StoreOp store) {
  if (!isElement(store))
    return;
  Type type = store.getValue().getType();
  if (type.isInteger(64))
    store.setAlignment(8);
  VectorType pair = getPair(type);
  if (!pair)
    return;
  ImplicitLocOpBuilder b(store.getLoc(), store);
  Value packed = LLVM::PoisonOp::create(b, pair);
  for (int64_t part : {0, 1})
    packed = LLVM::InsertElementOp::create(
        b, packed, LLVM::ExtractValueOp::create(b, store.getValue(), part),
        getConstant(b, part));
  LLVM::StoreOp::create(b, packed, store.getAddr(), getBytes(pair));
  store.erase();
}
