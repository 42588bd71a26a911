// Constant.cpp - constant tiles: one number, or a table in module memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table is in global memory, constant and row by row, and each thread reads
// the elements that it holds by vectors: ld.global.nc. Memory of the space
// .const, of 64 KiB, serves threads that all read one element; those of a tile
// read different ones, which it serves one after the other (CUDA C++
// Programming Guide, "Device Memory Accesses").

#include "Addresses.h"
#include "BoxAccess.h"
#include "PaddedValues.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Analysis/SharedWidth.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tile;

/// The table of these elements: constants of a kernel that are equal share one.
static memref::GlobalOp getTable(OpBuilder &builder, arith::ConstantOp op,
                                 MemRefType type, DenseElementsAttr elements) {
  auto module = op->getParentOfType<ModuleOp>();
  // Named after the kernel: kernels are lowered apart and joined.
  std::string stem =
      ("tile_constant_" + op->getParentOfType<KernelOp>().getSymName() + "_")
          .str();
  for (int number = 0;; ++number) {
    std::string name = stem + std::to_string(number);
    Operation *found = module.lookupSymbol(name);
    if (!found) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(module.getBody());
      return memref::GlobalOp::create(
          builder, op.getLoc(), name, builder.getStringAttr("private"), type,
          elements, /*constant=*/true,
          builder.getI64IntegerAttr(kMaxAccessBytes));
    }
    auto table = dyn_cast<memref::GlobalOp>(found);
    if (table && table.getType() == type &&
        table.getInitialValueAttr() == elements)
      return table;
  }
}

/// Elements of a row that are read at a time.
static int64_t getWidth(TileType type) {
  if (type.getRank() == 0)
    return 1;
  return getSharedWidth(
      type.getRegister().getRegisterLayout(), type.getShape(), type.getShape(),
      type.getElementType(), type.getRank() - 1,
      kMaxAccessBytes / getElementBytes(type.getElementType()));
}

static SmallVector<Value> readTable(OpBuilder &builder, arith::ConstantOp op,
                                    TileType type, DenseElementsAttr elements) {
  Location loc = op.getLoc();
  auto memoryType = MemRefType::get(
      type.getShape(), type.getElementType(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Global));
  auto tensor = RankedTensorType::get(type.getShape(), type.getElementType());
  memref::GlobalOp table = getTable(
      builder, op, memoryType,
      DenseElementsAttr::getFromRawBuffer(tensor, elements.getRawData()));
  Value memory =
      memref::GetGlobalOp::create(builder, loc, memoryType, table.getSymName());
  IndexBuilder index(builder, loc);
  ThreadCoordinates coordinates(index, type.getRegister().getRegisterLayout());
  int64_t width = getWidth(type);
  PaddedValues values(index, coordinates, type.getShape(), width);
  SmallVector<Value> chunks;
  for (int64_t value = 0; value < getNumValues(type); value += width) {
    ThreadCoordinates *readable = values.getReadable(value);
    if (!readable) {
      chunks.push_back(chunks.front());
      continue;
    }
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      at.push_back(readable->get(value, dim));
    chunks.push_back(loadChunk(index, memory, at, width));
  }
  return packChunks(builder, loc, type, chunks);
}

static SmallVector<Value> createSplat(OpBuilder &builder, Location loc,
                                      TileType type,
                                      DenseElementsAttr elements) {
  Attribute scalar = elements.getSplatValue<Attribute>();
  Type pack = getPackType(type);
  Value value;
  if (auto complex = dyn_cast<ComplexType>(pack)) {
    value = complex::ConstantOp::create(builder, loc, complex,
                                        cast<ArrayAttr>(scalar));
  } else {
    if (auto vector = dyn_cast<VectorType>(pack))
      scalar = DenseElementsAttr::get(vector, scalar);
    value = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(scalar));
  }
  return SmallVector<Value>(getNumValues(type) / getPackWidth(type), value);
}

namespace {
/// A splat is one constant; other constants are read from a table.
struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<TileType>(op.getType());
    if (!type)
      return failure();
    auto elements = cast<DenseElementsAttr>(op.getValue());
    replaceWithPacks(rewriter, op,
                     {elements.isSplat()
                          ? createSplat(rewriter, op.getLoc(), type, elements)
                          : readTable(rewriter, op, type, elements)});
    return success();
  }
};
} // namespace

void tile::populateConstantPatterns(TypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertConstant>(types, patterns.getContext());
}
