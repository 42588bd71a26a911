// DescriptorLayout.cpp - buffers that matrix descriptors describe
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/DescriptorLayout.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

/// The widest rows of a panel.
static constexpr int64_t kMaxPanelBytes = 128;

int64_t tile::getInstructionColumns(const Tiling &tiling) {
  int64_t subN = tiling.instruction.getSubTile().n;
  int64_t count = 1;
  while (tiling.sub[1] % count != 0 ||
         !tiling.instruction.hasColumns(tiling.sub[1] / count * subN))
    ++count;
  return tiling.sub[1] / count * subN;
}

int64_t tile::getPanelBytes(const Tiling &tiling, int operand,
                            ArrayRef<int64_t> box, int64_t contiguous,
                            int64_t elementBytes) {
  bool isAlong = contiguous == static_cast<int64_t>(box.size()) - 1 - operand;
  int64_t extent = isAlong        ? box[contiguous]
                   : operand == 0 ? tiling.instruction.getInstructionShape().m
                                  : getInstructionColumns(tiling);
  for (int64_t bytes = kMaxPanelBytes; bytes >= kMinPanelBytes; bytes /= 2)
    if (extent * elementBytes % bytes == 0)
      return bytes;
  return 0;
}

SharedAttr tile::getDescriptorLayout(MLIRContext *context,
                                     ArrayRef<int64_t> box,
                                     const PanelDimensions &dims,
                                     int64_t elementBytes, int64_t panelBytes) {
  int64_t panel = panelBytes / elementBytes, rows = box[dims.outer];
  int64_t panels = box[dims.contiguous] / panel;
  std::vector<IntTuple> shape, stride;
  int64_t matmul = rows * box[dims.contiguous];
  for (int64_t extent : box) {
    shape.emplace_back(extent);
    stride.emplace_back(matmul);
  }
  stride[dims.outer] = IntTuple(panel);
  shape[dims.contiguous] = IntTuple(panel);
  stride[dims.contiguous] = IntTuple(1);
  if (panels > 1) {
    shape[dims.contiguous] =
        IntTuple(std::vector<IntTuple>{IntTuple(panel), IntTuple(panels)});
    stride[dims.contiguous] =
        IntTuple(std::vector<IntTuple>{IntTuple(1), IntTuple(panel * rows)});
  }
  Result<Layout> layout = Layout::get(IntTuple(shape), IntTuple(stride));
  // Within a row, the units of 16 bytes are permuted by the index of the 128
  // bytes that contain them, modulo the number of units of the row.
  unsigned bits = llvm::Log2_64(panelBytes / 16);
  return SharedAttr::get(
      context, LayoutAttr::get(context, *layout),
      SwizzleAttr::get(context, bits, /*base=*/4, /*shift=*/3),
      kSwizzledRows * panelBytes);
}

std::optional<PanelDimensions> tile::getPanelDimensions(int64_t rank,
                                                        int64_t contiguous) {
  int64_t outer = 2 * rank - 3 - contiguous;
  if (contiguous < rank - 2)
    return std::nullopt;
  return PanelDimensions{contiguous, outer};
}

int64_t tile::getPanelBytes(SharedAttr shared) {
  SwizzleAttr swizzle = shared.getSwizzle();
  return swizzle ? int64_t(kMaxAccessBytes) << swizzle.getBits() : 0;
}

bool tile::isDescriptorLayout(SharedAttr shared, int64_t elementBytes,
                              int64_t panelBytes) {
  SmallVector<int64_t> box = shared.getBox();
  std::optional<PanelDimensions> dims =
      getPanelDimensions(box.size(), getContiguousDimension(shared));
  if (!dims || panelBytes == 0 ||
      box[dims->contiguous] * elementBytes % panelBytes != 0)
    return false;
  SharedAttr wanted = getDescriptorLayout(shared.getContext(), box, *dims,
                                          elementBytes, panelBytes);
  auto haveSameModes = [&](int64_t dim) {
    return shared.getLayout().getValue().mode(dim).coalescedModes() ==
           wanted.getLayout().getValue().mode(dim).coalescedModes();
  };
  return shared.getSwizzle() == wanted.getSwizzle() &&
         shared.getAlignment() >= wanted.getAlignment() &&
         llvm::all_of(llvm::seq<int64_t>(0, box.size()), haveSameModes);
}

RegisterLayout tile::getDescriptorElements(const Tiling &tiling, int operand,
                                           ArrayRef<int64_t> box,
                                           int64_t numWarps) {
  MatrixInstructionAttrInterface instruction = tiling.instruction;
  MatrixShape sub = instruction.getSubTile();
  int64_t group = instruction.getNumWarps();
  int64_t outer = operand, inner = 1 - operand;
  int64_t k = box.take_back(2)[inner];
  int64_t rows = instruction.getInstructionShape().m;
  RegisterLayout::Modes warp, value;
  if (operand == 0) {
    warp = {{group, -1, 0},
            {tiling.warps[0] / group, outer, rows * tiling.sub[0]},
            {tiling.warps[1], -1, 0}};
    value = {{tiling.sub[0], outer, rows}};
  } else {
    int64_t columns = tiling.sub[1] * sub.n;
    rows = getInstructionColumns(tiling);
    warp = {{tiling.warps[0], -1, 0}, {tiling.warps[1], outer, columns}};
    value = {{columns / rows, outer, rows}};
  }
  value.push_back({k / sub.k, inner, sub.k});
  value.push_back({rows, outer, 1});
  value.push_back({sub.k, inner, 1});
  return spreadOverBatch(tiling, {{kWarpSize, -1, 0}}, warp, value, box,
                         numWarps);
}
