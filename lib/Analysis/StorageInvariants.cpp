// StorageInvariants.cpp - invariants of storages for all operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/StorageInvariants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

bool tile::isResolved(TileType tile) {
  if (RegisterAttr registers = tile.getRegister())
    return registers.isResolved();
  return tile.getShared() && tile.getShared().isResolved();
}

static std::string print(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream(text) << attr;
  return text;
}

static std::string findLayoutProblem(RegisterAttr registers, int64_t numWarps) {
  // The second mode is the warp, as RegisterLayout's own verifier has checked.
  int64_t warps = registers.getLayout().getValue().mode(1).size();
  if (warps == numWarps)
    return "";
  return "expected a layout of " + std::to_string(numWarps) +
         " warps (the block's), got " + std::to_string(warps) + " in " +
         print(registers);
}

static std::string findBufferProblem(MemRefType type) {
  auto shared = cast<SharedAttr>(type.getMemorySpace());
  SmallVector<int64_t> box = shared.getBox();
  int64_t numStageDims = type.getRank() - static_cast<int64_t>(box.size());
  bool fits = type.hasStaticShape() && (numStageDims == 0 || numStageDims == 1);
  if (fits)
    for (auto [extent, limit] :
         llvm::zip(type.getShape().drop_front(numStageDims), box))
      fits &= extent <= limit;
  if (fits)
    return "";
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream
      << "expected a buffer, or stages of a circular buffer, within the box [";
  llvm::interleaveComma(box, stream);
  stream << "] of its layout, got '" << type << "'";
  return text;
}

std::string tile::findStorageProblem(Operation *op,
                                     std::optional<int64_t> numWarps) {
  if (isa<memref::AllocOp>(op) && isSharedBuffer(op->getResult(0).getType()))
    return findBufferProblem(cast<MemRefType>(op->getResult(0).getType()));
  for (Type type : op->getResultTypes()) {
    auto tile = dyn_cast<TileType>(type);
    RegisterAttr registers = tile ? tile.getRegister() : RegisterAttr();
    if (!numWarps || !registers || !registers.isResolved())
      continue;
    std::string problem = findLayoutProblem(registers, *numWarps);
    if (!problem.empty())
      return problem;
  }
  return "";
}
