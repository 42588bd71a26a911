// ConstantTable.cpp - tables of constants in module memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table is a constant in global memory, in row-major order, and read by
// ld.global.nc. The space .const, of 64 KiB, is fast only if all threads read
// one element. The threads of a tile read different elements, which .const
// would serve one after the other (CUDA C++ Programming Guide, "Device Memory
// Accesses").

#include "ConstantTable.h"

#include "tile/Analysis/Alignment.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

static memref::GlobalOp getTable(OpBuilder &builder, Operation *op,
                                 MemRefType type, DenseElementsAttr elements) {
  auto module = op->getParentOfType<ModuleOp>();
  // The name contains the kernel's: kernels are lowered separately, and their
  // modules are joined.
  std::string stem =
      ("tile_constant_" + op->getParentOfType<KernelOp>().getSymName() + "_")
          .str();
  for (int suffix = 0;; ++suffix) {
    std::string name = stem + std::to_string(suffix);
    Operation *found = module.lookupSymbol(name);
    if (!found) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      return memref::GlobalOp::create(
          builder, op->getLoc(), name, builder.getStringAttr("private"), type,
          elements, /*constant=*/true,
          builder.getI64IntegerAttr(kMaxAccessBytes));
    }
    auto table = dyn_cast<memref::GlobalOp>(found);
    if (table && table.getType() == type &&
        table.getInitialValueAttr() == elements)
      return table;
  }
}

Value tile::createConstantTable(OpBuilder &builder, Operation *op,
                                DenseElementsAttr elements) {
  auto type = MemRefType::get(
      elements.getType().getShape(), elements.getElementType(),
      MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(op->getContext(), gpu::AddressSpace::Global));
  memref::GlobalOp table = getTable(builder, op, type, elements);
  return memref::GetGlobalOp::create(builder, op->getLoc(), type,
                                     table.getSymName());
}
