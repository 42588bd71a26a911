// OperandReader.cpp - operands of a matmul in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OperandReader.h"

#include "../Patterns.h"

#include "tile/IR/Participants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

OperandReader::OperandReader(IndexBuilder &index,
                             ConversionPatternRewriter &rewriter, MatmulOp op,
                             int operand, const Tiling &tiling)
    : index(index), address(index, rewriter, op->getOperand(operand)),
      type(
          cast<ShapedType>(op->getOperand(operand).getType()).getElementType()),
      plan(makePlan(op, operand, tiling)),
      width(getOperandAccess(op, operand).getVector()),
      inner(plan.layout.getRank() - 1 - operand),
      coordinates(index, plan.layout) {}

Value OperandReader::loadElement(int64_t value) {
  int64_t lane = value % plan.vector % width;
  Value &vector = loaded[value - lane];
  if (!vector)
    vector = load(value - lane);
  Value &element = elements[value];
  if (!element)
    element = extractElement(index.builder, index.loc, vector, lane);
  return element;
}

SmallVector<Value> OperandReader::loadMatrices(int64_t value) {
  auto result = VectorType::get({plan.matrices, 2}, index.builder.getF16Type());
  Value row = address.getMatrixRow(address.getElement(coordinates, value));
  Value matrices = nvgpu::LdMatrixOp::create(
      index.builder, index.loc, result, row, index.constant(0),
      plan.kind == AccessKind::kLdmatrixTransposed,
      static_cast<uint32_t>(plan.matrices));
  SmallVector<Value> registers;
  for (int64_t i = 0; i < plan.matrices; ++i)
    registers.push_back(
        vector::ExtractOp::create(index.builder, index.loc, matrices, i));
  return registers;
}

/// Loads the vector whose first value is `value` by a plain load.
Value OperandReader::load(int64_t value) {
  Value element = address.getElement(coordinates, value);
  if (width == 1)
    return memref::LoadOp::create(index.builder, index.loc, address.getMemory(),
                                  element);
  return vector::LoadOp::create(
      index.builder, index.loc, VectorType::get({width}, type),
      address.getMemory(), element, /*nontemporal=*/false,
      llvm::MaybeAlign(width * getElementBytes(type)));
}

AccessPlan OperandReader::makePlan(MatmulOp op, int operand,
                                   const Tiling &tiling) {
  // The buffer's box may be larger than this operand, if other matmuls read
  // the buffer, too.
  return getOperandPlan(tiling, operand,
                        getOperandBox(tiling, operand, op.getK()),
                        address.getContiguousDimension(), getElementBytes(type),
                        getParticipants(op).numWarps);
}
