// Architecture.cpp - limits and costs of a GPU architecture
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Architecture.h"

#include "tile/IR/Tile.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tile;

static constexpr int64_t kKiB = 1024;

// The limits of 10.x and 12.x are those of the guide of CUDA 13.0; the PTX
// versions are those of LLVM's features for the architectures. Matmuls use
// mma.sync there: tcgen05 is in no row of the instruction table.
static const Architecture kArchitectures[] = {
    {"sm_80", 80, 163 * kKiB, 164 * kKiB, 2048, 32, 108, 80},
    {"sm_86", 86, 99 * kKiB, 100 * kKiB, 1536, 16, 84, 80},
    {"sm_87", 87, 163 * kKiB, 164 * kKiB, 1536, 16, 16, 80},
    {"sm_89", 89, 99 * kKiB, 100 * kKiB, 1536, 24, 142, 81},
    {"sm_90", 90, 227 * kKiB, 228 * kKiB, 2048, 32, 132, 80},
    {"sm_90a", 90, 227 * kKiB, 228 * kKiB, 2048, 32, 132, 80,
     /*hasWarpgroupMma=*/true},
    {"sm_100", 100, 227 * kKiB, 228 * kKiB, 2048, 32, 148, 86},
    {"sm_100a", 100, 227 * kKiB, 228 * kKiB, 2048, 32, 148, 86},
    {"sm_103", 103, 227 * kKiB, 228 * kKiB, 2048, 32, 160, 88},
    {"sm_103a", 103, 227 * kKiB, 228 * kKiB, 2048, 32, 160, 88},
    {"sm_120", 120, 99 * kKiB, 100 * kKiB, 1536, 24, 188, 87},
    {"sm_120a", 120, 99 * kKiB, 100 * kKiB, 1536, 24, 188, 87},
    {"sm_121", 121, 99 * kKiB, 100 * kKiB, 1536, 24, 48, 88},
    {"sm_121a", 121, 99 * kKiB, 100 * kKiB, 1536, 24, 48, 88},
};

int64_t Architecture::getMaxWarps() const {
  return threadsPerBlock / kWarpSize;
}

ArrayRef<Architecture> tile::getArchitectures() { return kArchitectures; }

const Architecture *tile::findArchitecture(StringRef name) {
  for (const Architecture &architecture : kArchitectures)
    if (architecture.name == name)
      return &architecture;
  return nullptr;
}

std::string tile::listArchitectures() {
  return llvm::join(llvm::map_range(kArchitectures,
                                    [](const Architecture &architecture) {
                                      return architecture.name;
                                    }),
                    ", ");
}

/// Returns the architecture with the name `name`; null after an error at `loc`.
static const Architecture *findOrReport(Location loc, StringRef name) {
  const Architecture *found = findArchitecture(name);
  if (!found)
    emitError(loc) << "expected architecture " << listArchitectures()
                   << ", got '" << name << "'";
  return found;
}

const Architecture *tile::getTargetArchitecture(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto name = module ? module->getAttrOfType<StringAttr>(kTargetAttr) : nullptr;
  if (!name)
    return &kArchitectures[0];
  return findOrReport(module.getLoc(), name.getValue());
}

const Architecture *tile::setTargetArchitecture(ModuleOp module,
                                                StringRef name) {
  if (name.empty())
    return getTargetArchitecture(module);
  MLIRContext *context = module.getContext();
  const Architecture *found = findOrReport(UnknownLoc::get(context), name);
  if (found)
    module->setAttr(kTargetAttr, StringAttr::get(context, name));
  return found;
}
