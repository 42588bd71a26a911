// Report.h - what the compiler decided, for people
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each tile lives and why, which bytes of shared memory each buffer has,
// what each access to them costs, which instructions came out. The numbers are
// a structure, so that tests and tools can read them; `toText` is for people.

#ifndef TILE_TARGET_REPORT_H
#define TILE_TARGET_REPORT_H

#include "tile/Analysis/Architecture.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Tile.h"
#include "tile/Target/AssembleCubin.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tile {

/// A buffer in shared memory.
struct BufferReport {
  std::string location;
  /// The memref's type.
  std::string type;
  int64_t offset = 0;
  int64_t bytes = 0;
};

/// One access of the block to a buffer: a read or a write of the whole of it.
struct AccessReport {
  std::string location;
  /// "tile.copy_async", "tile.matmul lhs".
  std::string operation;
  /// The offset of the buffer, -1 where it is one of a ring or a view.
  int64_t buffer = -1;
  /// Passes over the banks, by all warps, and the fewest possible; -1 where
  /// they are not counted.
  int64_t wavefronts = 0;
  int64_t minimalWavefronts = 0;
  /// What the counts assume of the run: "whole lines", that addresses which it
  /// decides are multiples of 128 bytes, "inside", that the box lies inside its
  /// array. Empty where they are those of every run.
  std::string assumes;
  int64_t conflicts() const { return wavefronts - minimalWavefronts; }
};

/// A product.
struct ProductReport {
  std::string location;
  /// The instruction, "m16n8k16" or "fma".
  std::string instruction;
  /// Why no matrix instruction serves it; empty if one does.
  std::string why;
};

/// One body of a kernel: an entry point.
struct BodyReport {
  std::string symbol;
  /// The kernel whose generic variant this is; empty for its first one.
  std::string generalOf;
  std::string location;
  /// Threads that a launch starts, and those that the program asks for where
  /// they are fewer.
  int64_t block = 0;
  std::optional<int64_t> threads;
  /// The blocks that a multiprocessor shall have room for; none where the
  /// program does not ask.
  std::optional<int64_t> blocksPerProcessor;
  /// The grid's expressions in JSON; empty where the program states none.
  std::string grid;
  int64_t sharedBytes = 0;
  /// A line for each tile: its type, storage and the reason.
  std::vector<std::string> tiles;
  std::vector<ProductReport> products;
  std::vector<BufferReport> buffers;
  std::vector<AccessReport> accesses;
  /// Instructions in the PTX by kind, "ld.global.128", "mma.sync".
  std::map<std::string, int64_t> instructions;
  /// What ptxas says, and how many blocks that leaves room for; none if it did
  /// not run.
  std::optional<AssemblyFacts> assembly;
  std::optional<Occupancy> occupancy;
};

struct ModuleReport {
  std::string architecture;
  std::vector<BodyReport> bodies;
};

/// What is known of a kernel after phase 8: everything but instructions and
/// assembly.
BodyReport reportKernel(KernelOp kernel, const Architecture &architecture);

/// Fills in the instructions of the entry points in the PTX, by symbol. An
/// entry that the report does not have is added.
void addInstructions(ModuleReport &report, llvm::StringRef ptx);

/// Fills in what ptxas said, by symbol, and the occupancy.
void addAssembly(ModuleReport &report, llvm::ArrayRef<AssemblyFacts> facts);

/// The report as lines.
std::string toText(const ModuleReport &report);

/// The same numbers.
llvm::json::Value toJson(const ModuleReport &report);

} // namespace tile

#endif // TILE_TARGET_REPORT_H
