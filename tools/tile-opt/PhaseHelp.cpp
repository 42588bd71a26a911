// PhaseHelp.cpp - lists the compiler's phases in their order, for --help
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PhaseHelp.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>

namespace {
struct Phase {
  llvm::StringRef title;
  llvm::SmallVector<llvm::StringRef, 6> passes;
};
} // namespace

/// The phases of docs/Pipeline.md. test/tools/tile-opt/phases-help.test checks
/// that they agree with the page and with the pipeline.
static llvm::ArrayRef<Phase> getPhases() {
  static const Phase phases[] = {
      {"canonical form",
       {"tile-canonical-form", "tile-decompose", "tile-orient-matmuls",
        "tile-specialize-alignment"}},
      {"warp tiling",
       {"tile-split-accumulators", "tile-warp-tiling", "tile-reread-tiles"}},
      {"storage", {"tile-assign-storage"}},
      {"layouts", {"tile-assign-layouts"}},
      {"pipelining",
       {"tile-advance-copies", "tile-assign-stages", "tile-expand-pipeline"}},
      {"buffers",
       {"tile-bufferize", "tile-carry-fragments", "tile-issue-matmuls",
        "tile-group-exchanges"}},
      {"allocation", {"tile-allocate-shared"}},
      {"synchronization",
       {"tile-order-fills", "tile-verify-channels", "tile-insert-barriers",
        "tile-count-groups", "tile-sink-waits", "tile-plan-accesses",
        "tile-verify-level", "tile-verify-synchronization",
        "tile-verify-instructions"}},
      {"down to NVVM",
       {"convert-tile-to-nvgpu", "convert-tile-kernel-to-nvvm"}},
      {"PTX and cubin, by tile-compile", {"tile-verify-target"}},
  };
  return phases;
}

std::string tile::describePhases() {
  std::string text = "The phases, in their order (-tile-phases runs 1 to 8, "
                     "-tile-to-nvvm 1 to 9):\n";
  llvm::raw_string_ostream os(text);
  for (auto [index, phase] : llvm::enumerate(getPhases())) {
    os << llvm::formatv("{0,4}. {1}\n", index + 1, phase.title);
    for (llvm::StringRef name : phase.passes) {
      const mlir::PassInfo *pass = mlir::PassInfo::lookup(name);
      assert(pass && "a pass that is not registered");
      os << llvm::formatv("        -{0,-30}{1}\n", name,
                          pass->getPassDescription());
    }
  }
  return text;
}
