// Report.h - decisions of the compiler, for people
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report states where each tile is stored and why, which bytes of shared
// memory each buffer has, the cost of accesses to memory, the least work of the
// kernel, and the instructions of the code. It is a structure, so that tests
// and tools can read it; `toText` prints it. docs/Report.md explains the
// values.

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

/// A line of the program; its file is empty if the line is not known.
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

/// Returns text such as "gemm.mlir:17"; empty if no line is known.
std::string toText(const Place &place);

/// A tile, its storage, and the reason for it.
struct TileReport {
  Place place;
  /// The operation that defines the tile; empty for an argument of a region.
  std::string operation;
  /// "!tile.tile<64x32xf16>".
  std::string type;
  /// "register" or "shared".
  std::string storage;
  std::string reason;
  /// The layout in the syntax of tile-layout; empty for a tile that other
  /// operations have absorbed.
  std::string layout;
  /// Value of --element-bytes for tile-layout, to draw a layout in shared
  /// memory.
  int64_t elementBytes = 0;
};

/// A choice of a phase, and its reason.
struct DecisionReport {
  Place place;
  std::string operation;
  /// "warps", "instruction", "distribution", "stages", "loads ahead", "buffer",
  /// "gradient of NAME", "value of a loop".
  std::string about;
  std::string chosen;
  std::string reason;
  /// The bytes of memory that a decision about a derivative takes; -1 if they
  /// are not known, and for other decisions.
  int64_t bytes = -1;
};

/// A buffer in shared memory.
struct BufferReport {
  Place place;
  /// The memref's type, and its layout in the syntax of tile-layout.
  std::string type, layout;
  int64_t offset = 0;
  int64_t bytes = 0;
  /// The lifetime: the indices, in program order, of the first and the last
  /// operation of the kernel during which the buffer lives; -1 if no operation
  /// uses it.
  int64_t first = -1, last = -1;
};

/// Access of the block to a buffer: a read or a write of the whole of it.
struct AccessReport {
  Place place;
  /// "tile_gpu.copy_async", "tile.matmul lhs".
  std::string operation;
  /// The offset of the buffer; -1 for a stage of a circular buffer or a view.
  int64_t buffer = -1;
  /// Passes over the banks by all warps, and the minimum; -1 if they are not
  /// counted.
  int64_t wavefronts = 0;
  int64_t minimalWavefronts = 0;
  /// Assumptions of the counts about values known only at run time: "whole
  /// lines" if addresses are assumed to be multiples of 128 bytes, "inside" if
  /// the box is assumed to be inside its array. Empty if the counts hold for
  /// every run.
  std::string assumes;
  int64_t conflicts() const { return wavefronts - minimalWavefronts; }
};

/// Access of the block to an array, to the whole box of a tile.
struct GlobalAccessReport {
  Place place;
  std::string operation;
  /// Index of the kernel's argument that is the array; -1 for another array.
  int64_t argument = -1;
  /// "read", "write" or "update".
  std::string direction;
  /// Size of the box in bytes.
  int64_t bytes = 0;
  /// Sectors that the instructions of all warps touch, and the least number of
  /// sectors that contain the bytes (GlobalAccess.h); -1 if they are not
  /// counted.
  int64_t sectors = -1, minimalSectors = -1;
  /// Assumptions as for accesses to shared memory.
  std::string assumes;
  /// Executions by a block; nothing if known only at run time.
  std::optional<int64_t> executions;
};

/// Report of a matmul. `warps` and `warpTile` are along M, N and the batch.
struct MatmulReport {
  Place place;
  /// The instruction, "m16n8k16" or "fma".
  std::string instruction;
  /// Reason for the choice of the instruction.
  std::string reason;
  std::array<int64_t, 3> warps = {1, 1, 1};

  /// The former name, until version 0.4.
  using ProductReport = MatmulReport;
  /// Tile that a warp computes, padding included.
  std::array<int64_t, 3> warpTile = {1, 1, 1};
  /// M, N and K of the whole matmul.
  std::array<int64_t, 3> extents = {1, 1, 1};
  /// Stages of the pipelined loop that contains the matmul; nothing if there is
  /// no such loop.
  std::optional<int64_t> stages;
};

/// Work and memory traffic of a kernel, and the least time that they take.
struct WorkReport {
  /// Arithmetic operations of one block (an addition and a multiplication are
  /// two), by the unit that computes them: "mma f16", "fma f32". Nothing if
  /// known only at run time.
  std::optional<std::map<std::string, int64_t>> blockFlops;
  /// Bytes that a block reads from and writes to arrays; nothing if known only
  /// at run time.
  std::optional<int64_t> blockReadBytes, blockWrittenBytes;
  /// Values for a grid that is known: the number of blocks, the operations of
  /// all blocks, and the least traffic in bytes, for which each byte of an
  /// array is read once and written once.
  std::optional<int64_t> blocks;
  std::optional<int64_t> flops, memoryBytes;
  /// The GPU for which the times are computed (Machine.h); empty for none.
  std::string part;
  /// Microseconds, by "memory" and by unit; the longest time is a lower bound
  /// of the kernel's time.
  std::map<std::string, double> microseconds;
};

/// Counts of instructions by kind, such as "ld.global.128" and "mma.sync".
using InstructionCounts = std::map<std::string, int64_t>;

/// An entry point of a kernel: its specialized or its generic variant.
struct BodyReport {
  std::string symbol;
  /// The kernel of which this is the generic variant; empty if it is not one.
  std::string generalOf;
  Place place;
  /// Threads that a launch starts, and the threads that the program requests if
  /// they are fewer.
  int64_t block = 0;
  std::optional<int64_t> threads;
  /// Number of blocks that should fit on a multiprocessor at once; nothing if
  /// the program does not specify it.
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
  /// Instructions in the PTX: the totals, and by line of the program.
  InstructionCounts instructions;
  std::map<Place, InstructionCounts> lineInstructions;
  /// Facts that ptxas reports, and how many blocks fit on a multiprocessor with
  /// them; nothing if ptxas did not run.
  std::optional<AssemblyFacts> assembly;
  std::optional<Occupancy> occupancy;
};

struct ModuleReport {
  std::string architecture;
  std::vector<BodyReport> bodies;
};

/// Reports a kernel after phase 8, except for instructions and assembly.
/// `metadata` describes its interface (describeKernel).
BodyReport reportKernel(KernelOp kernel,
                        const runtime::KernelMetadata &metadata,
                        const Architecture &architecture);

/// Fills in the instructions of the entry points in the PTX, by symbol. Adds
/// entry points that the report does not have.
void addInstructions(ModuleReport &report, llvm::StringRef ptx);

/// Fills in the facts that ptxas reported, by symbol, and the occupancy.
void addAssembly(ModuleReport &report, llvm::ArrayRef<AssemblyFacts> facts);

/// Returns the report as lines of text.
std::string toText(const ModuleReport &report);

/// Returns the report as JSON.
llvm::json::Value toJson(const ModuleReport &report);

} // namespace tile

#endif // TILE_REPORT_REPORT_H
