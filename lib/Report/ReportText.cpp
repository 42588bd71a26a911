// ReportText.cpp - the report as lines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile;

std::string tile::toText(const Place &location) {
  return location.file.empty()
             ? ""
             : location.file + ":" + std::to_string(location.line);
}

/// Prints the tiles. Each layout is on a line of its own, in the form that
/// tile-layout reads.
static void printTiles(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.tiles.empty())
    return;
  os << "  tiles:\n";
  for (const TileReport &tile : body.tiles) {
    os << "    " << tile.type << ": " << tile.storage << " (" << tile.reason
       << ")";
    if (!tile.place.file.empty())
      os << " at " << toText(tile.place);
    if (!tile.operation.empty())
      os << ", " << tile.operation;
    os << "\n";
    if (!tile.layout.empty())
      os << "      " << tile.layout << "\n";
  }
}

static void printDecisions(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.decisions.empty())
    return;
  os << "  decisions:\n";
  for (const DecisionReport &decision : body.decisions)
    os << "    " << decision.about << " " << decision.chosen << " at "
       << toText(decision.place) << " (" << decision.reason << ")\n";
}

/// Returns extents such as "2x2x1"; the third is omitted if `hasThird` is
/// false.
static std::string joinExtents(std::array<int64_t, 3> extents, bool hasThird) {
  std::string text =
      std::to_string(extents[0]) + "x" + std::to_string(extents[1]);
  return hasThird ? text + "x" + std::to_string(extents[2]) : text;
}

static void printMatmuls(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.products.empty())
    return;
  os << "  products:\n";
  for (const MatmulReport &matmul : body.products) {
    bool hasBatch = matmul.warps[2] * matmul.warpTile[2] != 1;
    os << "    " << matmul.instruction << ", "
       << joinExtents(matmul.warps, hasBatch) << " warps of "
       << joinExtents(matmul.warpTile, hasBatch) << " for "
       << joinExtents(matmul.extents, /*hasThird=*/true);
    if (matmul.stages)
      os << " in " << *matmul.stages << " stages";
    os << " at " << toText(matmul.place);
    if (!matmul.reason.empty())
      os << " (" << matmul.reason << ")";
    os << "\n";
  }
}

static void printBuffers(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.buffers.empty())
    return;
  os << "  buffers:\n";
  for (const BufferReport &buffer : body.buffers)
    os << llvm::formatv("    {0,7} + {1,-7} {2} at {3}\n", buffer.offset,
                        buffer.bytes, buffer.type, toText(buffer.place));
}

static std::string describeAssumption(const std::string &assumes) {
  return assumes.empty() ? "" : " (assumes " + assumes + ")";
}

static void printAccesses(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.accesses.empty())
    return;
  os << "  shared accesses, in wavefronts of all warps:\n";
  for (const AccessReport &access : body.accesses)
    if (access.wavefronts < 0)
      os << llvm::formatv("          ? (not counted) {0} at {1}\n",
                          access.operation, toText(access.place));
    else
      os << llvm::formatv("    {0,7} ({1} by bank conflicts) {2} at {3}{4}\n",
                          access.wavefronts, access.conflicts(),
                          access.operation, toText(access.place),
                          describeAssumption(access.assumes));
}

static void printGlobalAccesses(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.globalAccesses.empty())
    return;
  os << "  global accesses, in sectors of all warps:\n";
  for (const GlobalAccessReport &access : body.globalAccesses) {
    if (access.sectors < 0)
      os << "          ? (not counted)";
    else
      os << llvm::formatv("    {0,7} ({1} more than filled)", access.sectors,
                          access.sectors - access.minimalSectors);
    os << llvm::formatv(" {0} at {1}: {2} bytes", access.operation,
                        toText(access.place), access.bytes);
    if (access.argument >= 0)
      os << " of argument " << access.argument;
    os << (access.executions
               ? llvm::formatv(", {0} times", *access.executions).str()
               : ", as often as the run decides")
       << describeAssumption(access.assumes) << "\n";
  }
}

static void printBlockWork(const WorkReport &work, llvm::raw_ostream &os) {
  auto describe = [](std::optional<int64_t> value) {
    return value ? std::to_string(*value) : "unknown";
  };
  os << "  work of a block: " << describe(work.blockReadBytes)
     << " bytes read, " << describe(work.blockWrittenBytes) << " written";
  if (!work.blockFlops)
    os << ", unknown operations";
  else
    for (const auto &[unit, flops] : *work.blockFlops)
      os << ", " << flops << " operations by " << unit;
  os << "\n";
}

/// Prints the work of all blocks, and a lower bound of the time that it takes.
static void printWork(const WorkReport &work, llvm::raw_ostream &os) {
  printBlockWork(work, os);
  if (work.blocks && work.flops && work.memoryBytes)
    os << llvm::formatv("  work of {0} blocks: {1} operations, {2} bytes of "
                        "memory at least, {3:F1} operations a byte\n",
                        *work.blocks, *work.flops, *work.memoryBytes,
                        double(*work.flops) /
                            double(std::max<int64_t>(*work.memoryBytes, 1)));
  if (work.microseconds.empty())
    return;
  os << "  roofline of " << work.part << ": ";
  llvm::interleaveComma(work.microseconds, os, [&](const auto &entry) {
    os << llvm::formatv("{0:F2} us by {1}", entry.second, entry.first);
  });
  os << "\n";
}

static void printCounts(const InstructionCounts &counts,
                        llvm::raw_ostream &os) {
  llvm::interleaveComma(counts, os, [&](const auto &entry) {
    os << entry.second << " " << entry.first;
  });
}

static void printInstructions(const BodyReport &body, llvm::raw_ostream &os) {
  if (body.instructions.empty())
    return;
  os << "  instructions in the PTX:\n";
  for (const auto &[kind, count] : body.instructions)
    os << llvm::formatv("    {0,7} {1}\n", count, kind);
  if (body.lineInstructions.empty())
    return;
  os << "  instructions by line:\n";
  for (const auto &[location, counts] : body.lineInstructions) {
    os << "    " << toText(location) << ": ";
    printCounts(counts, os);
    os << "\n";
  }
}

static void printBody(const BodyReport &body, llvm::raw_ostream &os) {
  os << "kernel " << body.symbol;
  if (!body.generalOf.empty())
    os << ", the generic variant of " << body.generalOf;
  if (!body.place.file.empty())
    os << " at " << toText(body.place);
  os << "\n";
  if (body.block)
    os << "  block: " << body.block << " threads"
       << (body.threads
               ? llvm::formatv(", the program's are {0}", *body.threads).str()
               : "")
       << "\n"
       << "  grid: " << (body.grid.empty() ? "the caller's" : body.grid) << "\n"
       << "  shared memory: " << body.sharedBytes << " bytes\n";
  if (body.blocksPerProcessor)
    os << "  blocks a multiprocessor: " << *body.blocksPerProcessor
       << " or more\n";
  if (body.assembly)
    os << "  registers: " << body.assembly->registers << " a thread, "
       << body.assembly->spillStoreBytes << " bytes of spill stores, "
       << body.assembly->spillLoadBytes << " of spill loads, "
       << body.assembly->stackBytes << " of stack\n";
  if (body.occupancy)
    os << "  occupancy: " << body.occupancy->blocks
       << " blocks a multiprocessor (" << body.occupancy->warps
       << " warps), limited by " << body.occupancy->limiter << "\n";
  if (body.block)
    printWork(body.work, os);
  printTiles(body, os);
  printMatmuls(body, os);
  printDecisions(body, os);
  printBuffers(body, os);
  printAccesses(body, os);
  printGlobalAccesses(body, os);
  printInstructions(body, os);
}

std::string tile::toText(const ModuleReport &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "architecture " << report.architecture << "\n";
  for (const BodyReport &body : report.bodies) {
    os << "\n";
    printBody(body, os);
  }
  return text;
}
