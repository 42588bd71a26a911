// BuildKernel.cpp - builds a kernel on tiles from a statement
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For "y = a*x":
//
//   tile.kernel @y(%a: memref<?xf32>, %x: memref<?xf32>, %y: memref<?xf32>)
//       attributes {grid = (size of %y) ceildiv 1024} {
//     %start = program_id * 1024
//     %0 = tile.load %a[%start]
//     %1 = tile.load %x[%start]
//     %2 = arith.mulf %0, %1
//     tile.store %2, %y[%start]
//   }

#include "BuildKernel.h"

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

using namespace embed;
using namespace mlir;
using Kind = Expression::Kind;

/// The number of elements that one block computes.
static constexpr int64_t kBlockElements = 1024;

/// Makes a grid with a block for each tile of the array `argument`.
static tile::GridAttr makeGrid(Builder &builder, unsigned argument) {
  AffineExpr size = builder.getAffineDimExpr(0);
  AffineMap blocks = AffineMap::get(1, 0, size.ceilDiv(kBlockElements));
  ArrayAttr source = builder.getI64ArrayAttr({argument, /*dimension=*/0});
  return tile::GridAttr::get(builder.getContext(), AffineMapAttr::get(blocks),
                             builder.getArrayAttr(source), /*factors=*/{});
}

/// Creates the kernel without its body.
static tile::KernelOp declareKernel(OpBuilder &builder, Location loc,
                                    const Statement &statement) {
  Type array = MemRefType::get(ShapedType::kDynamic, builder.getF32Type());
  std::vector<std::string> names = statement.inputs;
  names.push_back(statement.result);
  SmallVector<Type> types(names.size(), array);
  auto kernel = tile::KernelOp::create(
      builder, loc, statement.result, builder.getFunctionType(types, {}),
      /*sym_visibility=*/nullptr, /*block=*/nullptr,
      makeGrid(builder, names.size() - 1), /*arg_attrs=*/nullptr,
      /*res_attrs=*/nullptr);
  for (auto [index, name] : llvm::enumerate(names))
    kernel.setArgAttr(index, tile::kArgumentNameAttr,
                      builder.getStringAttr(name));
  Block &body = kernel.getBody().emplaceBlock();
  body.addArguments(types, SmallVector<Location>(types.size(), loc));
  return kernel;
}

/// Builds the tile of an expression from the tiles of the inputs.
static Value build(OpBuilder &builder, const Expression &expression,
                   ValueRange inputs, tile::TileType type) {
  Location loc = expression.loc;
  if (expression.kind == Kind::Number)
    return arith::ConstantOp::create(
        builder, loc,
        DenseElementsAttr::get(cast<ShapedType>(type), expression.number));
  if (expression.kind == Kind::Input)
    return inputs[expression.input];
  Value left = build(builder, expression.operands[0], inputs, type);
  Value right = build(builder, expression.operands[1], inputs, type);
  switch (expression.kind) {
  case Kind::Add:
    return arith::AddFOp::create(builder, loc, left, right);
  case Kind::Subtract:
    return arith::SubFOp::create(builder, loc, left, right);
  default:
    return arith::MulFOp::create(builder, loc, left, right);
  }
}

OwningOpRef<ModuleOp> embed::buildKernel(const Statement &statement) {
  Location loc = statement.value.loc;
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  tile::KernelOp kernel = declareKernel(builder, loc, statement);
  builder.setInsertionPointToStart(&kernel.getBody().front());

  Value size = arith::ConstantIndexOp::create(builder, loc, kBlockElements);
  Value block = tile::ProgramIdOp::create(builder, loc, tile::Axis::x);
  Value start = arith::MulIOp::create(builder, loc, block, size);
  auto type = tile::TileType::get({kBlockElements}, builder.getF32Type());
  SmallVector<Value> inputs;
  for (Value array : kernel.getArguments().drop_back())
    inputs.push_back(tile::LoadOp::create(builder, loc, type, array, start,
                                          /*pad=*/nullptr,
                                          /*inBounds=*/false));
  Value result = build(builder, statement.value, inputs, type);
  tile::StoreOp::create(builder, loc, result, kernel.getArguments().back(),
                        start, /*mask=*/nullptr, /*in_bounds=*/false,
                        /*dims=*/nullptr);
  tile::ReturnOp::create(builder, loc);
  return module;
}
