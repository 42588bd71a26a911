// WarpgroupProduct.cpp - products that four warps issue together (wgmma)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/WarpgroupProduct.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

/// Bytes of K that every instruction multiplies.
static constexpr int64_t kStepBytes = 32;
static constexpr int64_t kMaxRowBytes = 128;

//===----------------------------------------------------------------------===//
// Which products
//===----------------------------------------------------------------------===//

/// Why a descriptor cannot name operand 0 or 1; empty where it can.
static std::string explainOperand(MatmulOp op, int operand) {
  std::string name = operand == 0 ? "lhs" : "rhs";
  Value value = op->getOperand(operand);
  int64_t inner = 1 - operand; // the dimension of K
  auto isAlone = [](Value value) {
    auto type = dyn_cast<TileType>(value.getType());
    return type && !type.getStorage() && value.hasOneUse();
  };
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    if (!isAlone(value))
      break;
    inner = transpose.getPermutation()[inner];
    value = transpose.getSource();
  }
  auto load = value.getDefiningOp<LoadOp>();
  if (!load || !isAlone(value))
    return "expected '" + name +
           "' loaded from an array, for this product only and with no storage "
           "of its own";
  auto array = cast<MemRefType>(load.getSource().getType());
  if (getContiguousDimension(array, load.getType().getRank()) != inner)
    return "expected '" + name + "' of an array in which K is contiguous";
  return {};
}

/// Why the block or the given tiling have no warpgroups; empty where they do.
static std::string explainWarps(MatmulOp op, int64_t groupWarps) {
  auto kernel = op->getParentOfType<KernelOp>();
  std::optional<int64_t> block = kernel ? kernel.getBlock() : std::nullopt;
  if (block && *block % (groupWarps * kWarpSize) != 0)
    return "expected a block of a multiple of 128 threads, got " +
           std::to_string(*block);
  TilingAttr tiling = op.getTiling().value_or(TilingAttr());
  if (tiling && tiling.getWarps()) {
    int64_t warps = getAxisNumber(tiling.getWarps(), 0);
    if (warps % groupWarps != 0)
      return "expected a multiple of 4 warps along M, got " +
             std::to_string(warps);
  }
  if (tiling && tiling.getOperands() == OperandSource::global)
    return "expected operands in shared memory, got global";
  return {};
}

std::string tile::explainNoWarpgroup(MatmulOp op) {
  TileType type = op.getType();
  if (type.getRank() != 2)
    return "expected one product, got a batch";
  if (type.getDimSize(0) < kWarpgroupRows)
    return "expected at least 64 rows, got " +
           std::to_string(type.getDimSize(0));
  auto element = cast<ShapedType>(op.getLhs().getType()).getElementType();
  int64_t bytes =
      llvm::alignTo(op.getK() * getElementBytes(element), kStepBytes);
  if (!llvm::isPowerOf2_64(bytes) || bytes > kMaxRowBytes)
    return "expected a K of 32, 64 or 128 bytes, got " + std::to_string(bytes);
  if (std::string why = explainWarps(op, /*groupWarps=*/4); !why.empty())
    return why;
  for (int operand : {0, 1})
    if (std::string why = explainOperand(op, operand); !why.empty())
      return why;
  return {};
}

//===----------------------------------------------------------------------===//
// Operands and results
//===----------------------------------------------------------------------===//

SharedAttr tile::getDescriptorLayout(MLIRContext *context,
                                     ArrayRef<int64_t> box, int64_t fastest,
                                     int64_t elementBytes) {
  int64_t rowBytes = box[fastest] * elementBytes;
  std::vector<IntTuple> shape, stride;
  for (auto [dim, extent] : llvm::enumerate(box)) {
    shape.push_back(IntTuple(extent));
    stride.push_back(IntTuple(int64_t(dim) == fastest ? 1 : box[fastest]));
  }
  Result<Layout> layout = Layout::get(IntTuple(shape), IntTuple(stride));
  // Units of 16 bytes are exchanged by the number of the 128 bytes that they
  // are in, modulo the units of a row.
  unsigned bits = llvm::Log2_64(rowBytes / 16);
  return SharedAttr::get(context, LayoutAttr::get(context, *layout),
                         SwizzleAttr::get(context, bits, /*base=*/4,
                                          /*shift=*/3),
                         kSwizzledRows * rowBytes);
}

RegisterLayout tile::getDescriptorPlaces(const Tiling &tiling, int operand,
                                         ArrayRef<int64_t> box,
                                         int64_t numWarps) {
  const MatrixInstruction &instruction = *tiling.instruction;
  int64_t group = instruction.getNumWarps();
  int64_t outer = operand, inner = 1 - operand;
  int64_t rows = kWarpgroupRows;
  RegisterLayout::Modes warp, value;
  if (operand == 0) {
    warp = {{group, -1, 0},
            {tiling.warps[0] / group, outer, rows * tiling.sub[0]},
            {tiling.warps[1], -1, 0}};
    value = {{tiling.sub[0], outer, rows}};
  } else {
    int64_t columns = tiling.sub[1] * instruction.subN;
    rows = getInstructionColumns(tiling);
    warp = {{tiling.warps[0], -1, 0}, {tiling.warps[1], outer, columns}};
    value = {{columns / rows, outer, rows}};
  }
  value.push_back({box[inner] / instruction.subK, inner, instruction.subK});
  value.push_back({rows, outer, 1});
  value.push_back({instruction.subK, inner, 1});
  return spreadOverBatch(tiling, {{kWarpSize, -1, 0}}, warp, value, box,
                         numWarps);
}

int64_t tile::getInstructionColumns(const Tiling &tiling) {
  int64_t subN = tiling.instruction->subN;
  int64_t count = llvm::divideCeil(tiling.sub[1] * subN, kMaxWarpgroupColumns);
  while (tiling.sub[1] % count != 0)
    ++count;
  return tiling.sub[1] / count * subN;
}
