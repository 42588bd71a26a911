// InstructionCounts.cpp - counts of the instructions in the PTX
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The PTX is read line by line. An instruction's kind determines its cost:
//
//   ld.shared.v4.b32 {...}             ld.shared.128
//   ldmatrix...x4.trans.shared.b16     ldmatrix.trans
//   @%p1 fma.rn.f32 ...                fma

#include "tile/Report/Report.h"

#include "PtxLines.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using llvm::StringRef;

/// Returns the number of bits of a type such as "b32", "f16x2" or "s64"; zero
/// if `part` is no type.
static int64_t getTypeBits(StringRef part) {
  size_t digits = part.find_first_of("0123456789");
  if (part.empty() || digits == 0 || digits > 2 || digits == StringRef::npos ||
      !StringRef("bfsu").contains(part.front()))
    return 0;
  auto [bits, times] = part.drop_front(digits).split('x');
  int64_t width = 0, count = 1;
  if (bits.getAsInteger(10, width) ||
      (!times.empty() && times.getAsInteger(10, count)))
    return 0;
  return width * count;
}

/// Returns the name of an access with the bits of all its registers, such as
/// "ld.global.128".
static std::string nameAccess(llvm::ArrayRef<StringRef> parts) {
  StringRef space = "generic";
  int64_t vector = 1, bits = 0;
  for (StringRef part : parts.drop_front()) {
    for (StringRef known : {"global", "shared", "local", "param", "const"})
      if (part == known || part.starts_with(known.str() + "::"))
        space = known;
    int64_t width = 0;
    if (part.size() == 2 && part.consume_front("v") &&
        !part.getAsInteger(10, width))
      vector = width;
    else if (int64_t width = getTypeBits(part))
      bits = width;
  }
  if (space == "param")
    return {};
  return (parts.front() + "." + space + "." + std::to_string(vector * bits))
      .str();
}

/// Returns the kind of an instruction that is counted; empty for other
/// instructions.
static std::string getKind(StringRef opcode) {
  llvm::SmallVector<StringRef> parts;
  opcode.split(parts, '.');
  StringRef first = parts.front();
  bool isTransposed = llvm::is_contained(parts, "trans");
  if (first == "ld" || first == "st")
    return nameAccess(parts);
  if (first == "ldmatrix" || first == "stmatrix")
    return first.str() + (isTransposed ? ".trans" : "");
  if (first == "fma" || first == "shfl" || first == "atom" || first == "red" ||
      first == "redux" || first == "wgmma" || first == "mbarrier")
    return (first == "wgmma" || first == "mbarrier") && parts.size() > 1
               ? (first + "." + parts[1]).str()
               : first.str();
  if (opcode.starts_with("mma.sync"))
    return "mma.sync";
  if (opcode.starts_with("cp.async.bulk"))
    return "cp.async.bulk";
  if (opcode.starts_with("cp.async.c") && parts.size() > 3)
    return "cp.async"; // The copy itself: cp.async.ca.shared.global.
  if (opcode.starts_with("bar.sync") || opcode.starts_with("barrier.sync"))
    return "bar.sync";
  return {};
}

/// Returns the opcode of an instruction, without its predicate.
static StringRef getOpcode(StringRef line) {
  line = line.trim();
  if (line.starts_with("@"))
    line =
        line.drop_until([](char c) { return c == ' ' || c == '\t'; }).ltrim();
  line.consume_front("{ ");
  return line.take_until(
      [](char c) { return c == ' ' || c == '\t' || c == ';'; });
}

static BodyReport &findBody(ModuleReport &report, StringRef symbol) {
  for (BodyReport &body : report.bodies)
    if (body.symbol == symbol)
      return body;
  report.bodies.emplace_back();
  report.bodies.back().symbol = symbol.str();
  return report.bodies.back();
}

void tile::addInstructions(ModuleReport &report, StringRef ptx) {
  forEachPtxLine(ptx,
                 [&](StringRef entry, const Place &location, StringRef line) {
                   BodyReport &body = findBody(report, entry);
                   std::string kind = getKind(getOpcode(line));
                   if (kind.empty())
                     return;
                   ++body.instructions[kind];
                   if (!location.file.empty())
                     ++body.lineInstructions[location][kind];
                 });
}

void tile::addAssembly(ModuleReport &report,
                       llvm::ArrayRef<AssemblyFacts> facts) {
  const Architecture *architecture = findArchitecture(report.architecture);
  for (const AssemblyFacts &fact : facts) {
    BodyReport &body = findBody(report, fact.entry);
    body.assembly = fact;
    if (architecture && body.block > 0)
      body.occupancy = getOccupancy(*architecture, body.block, fact.registers,
                                    body.sharedBytes);
  }
}
