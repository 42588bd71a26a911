// Report.h - decisions of the compiler, for people
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where each tile lives and why, which bytes of shared memory each buffer has,
// the cost of accesses to memory, the least work of the kernel, the
// instructions of the code. The values are a structure, so that tests and tools
// can read them; `toText` is for people. docs/Report.md explains them.

#ifndef TILE_REPORT_REPORT_H
#define TILE_REPORT_REPORT_H

#include "tile/Analysis/Architecture.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Tile.h"
#include "tile/Report/AssemblyFacts.h"
#include "tile/Runtime/KernelMetadata.h"

#include "llvm/Support/JSON.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tile {

/// A line of the program; one without a file where none is known.
struct Place {
  std::string file;
  int64_t line = 0;

  bool operator<(const Place &other) const {
    return std::tie(file, line) < std::tie(other.file, other.line);
  }
  bool operator==(const Place &other) const {
    return std::tie(file, line) == std::tie(other.file, other.line);
  }
};

/// "gemm.mlir:17"; empty if no line is known.
std::string toText(const Place &place);

/// A tile, where it lives and why.
struct TileReport {
  Place place;
  /// Empty for a tile that a region takes.
  std::string operation;
  /// "!tile.tile<64x32xf16>".
  std::string type;
  /// "register" or "shared".
  std::string storage;
  std::string reason;
  /// Layout in the form that tile-layout takes; empty for a tile that is in
  /// other operations now.
  std::string layout;
  /// Value of --element-bytes for tile-layout, to draw a layout in shared
  /// memory.
  int64_t elementBytes = 0;
};

/// Choice of a phase, and its reason.
struct DecisionReport {
  Place place;
  std::string operation;
  /// "warps", "instruction", "distribution", "stages", "loads ahead", "buffer".
  std::string about;
  std::string chosen;
  std::string reason;
};

/// A buffer in shared memory.
struct BufferReport {
  Place place;
  /// The memref's type, and its layout as tile-layout takes it.
  std::string type, layout;
  int64_t offset = 0;
  int64_t bytes = 0;
  /// The operations of the kernel, counted in program order, from which to
  /// which it lives; -1 where nothing uses it.
  int64_t first = -1, last = -1;
};

/// Access of the block to a buffer: a read or a write of the whole of it.
struct AccessReport {
  Place place;
  /// "tile.copy_async", "tile.matmul lhs".
  std::string operation;
  /// The offset of the buffer, -1 for a stage of a circular buffer or a view.
  int64_t buffer = -1;
  /// Passes over the banks, by all warps, and the fewest possible; -1 where
  /// they are not counted.
  int64_t wavefronts = 0;
  int64_t minimalWavefronts = 0;
  /// Assumptions of the counts about the run: "whole lines", that run-time
  /// addresses are multiples of 128 bytes, "inside", that the box lies inside
  /// its array. Empty if the counts are those of every run.
  std::string assumes;
  int64_t conflicts() const { return wavefronts - minimalWavefronts; }
};

/// Access of the block to an array: to the whole box of a tile.
struct GlobalAccessReport {
  Place place;
  std::string operation;
  /// The kernel's argument that the array is, from 0 on; -1 for another.
  int64_t argument = -1;
  /// "read", "write" or "update".
  std::string direction;
  /// Bytes of the box.
  int64_t bytes = 0;
  /// Sectors that all warps' instructions touch, and the fewest that have their
  /// bytes (GlobalAccess.h); -1 where they are not counted.
  int64_t sectors = -1, minimalSectors = -1;
  /// Assumptions as for accesses to shared memory.
  std::string assumes;
  /// Executions by a block; none if the run decides.
  std::optional<int64_t> executions;
};

/// Report of a matmul. Warps and extents are those along M, N and the batch.
struct MatmulReport {
  Place place;
  /// The instruction, "m16n8k16" or "fma".
  std::string instruction;
  /// Reason for the choice of the instruction.
  std::string reason;
  std::array<int64_t, 3> warps = {1, 1, 1};

  /// The old name, until version 0.4.
  using ProductReport = MatmulReport;
  /// Tile that a warp computes, padding included.
  std::array<int64_t, 3> warpTile = {1, 1, 1};
  /// M, N and K of the whole matmul.
  std::array<int64_t, 3> extents = {1, 1, 1};
  /// Stages of the pipelined loop that it is in; none for another matmul.
  std::optional<int64_t> stages;
};

/// Work and memory traffic of a kernel, and the least time that they take.
struct WorkReport {
  /// Arithmetic operations of one block, an addition and a multiplication being
  /// two, by the unit that computes them: "mma f16", "fma f32". None if the run
  /// decides.
  std::optional<std::map<std::string, int64_t>> blockFlops;
  /// Bytes that a block reads and writes of arrays; none if the run decides.
  std::optional<int64_t> blockReadBytes, blockWrittenBytes;
  /// Facts for a grid that is known: its blocks, the operations of all, and the
  /// fewest bytes of memory, where each byte of an array is read once and
  /// written once.
  std::optional<int64_t> blocks;
  std::optional<int64_t> flops, memoryBytes;
  /// The part that the times are of (PeakRates.h); empty for none.
  std::string part;
  /// Microseconds, by "memory" and by unit; the longest bounds the
  /// kernel's time from below.
  std::map<std::string, double> microseconds;
};

/// Instructions by kind, "ld.global.128", "mma.sync".
using InstructionCounts = std::map<std::string, int64_t>;

/// Body of a kernel: an entry point.
struct BodyReport {
  std::string symbol;
  /// The kernel whose generic variant this is; empty for its first one.
  std::string generalOf;
  Place place;
  /// Threads that a launch starts, and those that the program requests if they
  /// are fewer.
  int64_t block = 0;
  std::optional<int64_t> threads;
  /// The blocks that a multiprocessor shall have room for; none if the program
  /// does not specify them.
  std::optional<int64_t> blocksPerProcessor;
  /// The grid's expressions in JSON; empty if the program states none.
  std::string grid;
  int64_t sharedBytes = 0;
  std::vector<TileReport> tiles;
  std::vector<DecisionReport> decisions;
  std::vector<MatmulReport> products;
  std::vector<BufferReport> buffers;
  std::vector<AccessReport> accesses;
  std::vector<GlobalAccessReport> globalAccesses;
  WorkReport work;
  /// Instructions in the PTX, all and by the line that they are for.
  InstructionCounts instructions;
  std::map<Place, InstructionCounts> lineInstructions;
  /// Facts that ptxas reports, and how many blocks they leave room for; none if
  /// it did not run.
  std::optional<AssemblyFacts> assembly;
  std::optional<Occupancy> occupancy;
};

struct ModuleReport {
  std::string architecture;
  std::vector<BodyReport> bodies;
};

/// Reports a kernel after phase 8, whose interface is `metadata`
/// (describeKernel): everything but instructions and assembly.
BodyReport reportKernel(KernelOp kernel,
                        const runtime::KernelMetadata &metadata,
                        const Architecture &architecture);

/// Fills in the instructions of the entry points in the PTX, by symbol. An
/// entry that the report does not have is added.
void addInstructions(ModuleReport &report, llvm::StringRef ptx);

/// Fills in the facts that ptxas reported, by symbol, and the occupancy.
void addAssembly(ModuleReport &report, llvm::ArrayRef<AssemblyFacts> facts);

/// The report as lines.
std::string toText(const ModuleReport &report);

/// Returns the report as JSON.
llvm::json::Value toJson(const ModuleReport &report);

} // namespace tile

#endif // TILE_REPORT_REPORT_H
