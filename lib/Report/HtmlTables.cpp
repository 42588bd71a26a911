// HtmlTables.cpp - the tables of a report's page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Html.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tile;
using namespace tile::html;

namespace {
/// A table that is printed row by row; without rows nothing is printed.
class Table {
public:
  Table(llvm::raw_ostream &os, llvm::StringRef title,
        std::initializer_list<llvm::StringRef> columns)
      : os(os), title(title), columns(columns) {}
  ~Table() {
    if (!isEmpty)
      os << "</tbody></table></div>\n";
  }

  void addRow(std::initializer_list<std::string> cells) {
    if (isEmpty)
      begin();
    os << "<tr>";
    for (const std::string &cell : cells)
      os << "<td>" << escape(cell) << "</td>";
    os << "</tr>\n";
  }

private:
  void begin() {
    isEmpty = false;
    os << "<h3>" << escape(title) << "</h3>\n<div class=\"wide\"><table>"
       << "<thead><tr>";
    for (llvm::StringRef column : columns)
      os << "<th>" << escape(column) << "</th>";
    os << "</tr></thead><tbody>\n";
  }

  llvm::raw_ostream &os;
  llvm::StringRef title;
  std::vector<llvm::StringRef> columns;
  bool isEmpty = true;
};
} // namespace

/// Returns `value` in decimal, or a question mark if it is negative, which
/// means that it is not known.
static std::string show(int64_t value) {
  return value < 0 ? "?" : std::to_string(value);
}
static std::string show(std::optional<int64_t> value) {
  return value ? std::to_string(*value) : "?";
}
static std::string show(std::array<int64_t, 3> values) {
  return llvm::formatv("{0} x {1} x {2}", values[0], values[1], values[2]);
}

static void printFacts(const BodyReport &body, llvm::raw_ostream &os) {
  Table table(os, "Launch", {"what", "value"});
  table.addRow({"threads of a block", std::to_string(body.block)});
  table.addRow({"grid", body.grid.empty() ? "the caller's" : body.grid});
  table.addRow({"bytes of shared memory", std::to_string(body.sharedBytes)});
  if (body.assembly)
    table.addRow(
        {"registers of a thread", std::to_string(body.assembly->registers)});
  if (body.assembly)
    table.addRow({"bytes of spill stores",
                  std::to_string(body.assembly->spillStoreBytes)});
  if (body.occupancy)
    table.addRow({"blocks a multiprocessor",
                  llvm::formatv("{0}, limited by {1}", body.occupancy->blocks,
                                body.occupancy->limiter)});
}

static void printWork(const WorkReport &work, llvm::raw_ostream &os) {
  Table table(os, "Work and roofline", {"what", "value"});
  table.addRow({"bytes that a block reads", show(work.blockReadBytes)});
  table.addRow({"bytes that a block writes", show(work.blockWrittenBytes)});
  if (work.blockFlops)
    for (const auto &[unit, flops] : *work.blockFlops)
      table.addRow({"operations of a block by " + unit, std::to_string(flops)});
  table.addRow({"blocks", show(work.blocks)});
  table.addRow({"operations of all", show(work.flops)});
  table.addRow({"bytes of memory at least", show(work.memoryBytes)});
  for (const auto &[unit, time] : work.microseconds)
    table.addRow({"microseconds at least by " + unit + " of " + work.part,
                  llvm::formatv("{0:F3}", time)});
}

static void printMatmuls(const BodyReport &body, llvm::raw_ostream &os) {
  Table matmuls(os, "Products",
                {"line", "instruction", "warps", "tile of a warp", "M x N x K",
                 "stages", "why this instruction"});
  for (const MatmulReport &matmul : body.products)
    matmuls.addRow({toText(matmul.place), matmul.instruction,
                    show(matmul.warps), show(matmul.warpTile),
                    show(matmul.extents), show(matmul.stages), matmul.reason});
}

static void printDecisions(const BodyReport &body, llvm::raw_ostream &os) {
  Table decisions(os, "Decisions",
                  {"line", "operation", "about", "chosen", "why"});
  for (const DecisionReport &decision : body.decisions)
    decisions.addRow({toText(decision.place), decision.operation,
                      decision.about, decision.chosen, decision.reason});
}

static void printTiles(const BodyReport &body, llvm::raw_ostream &os) {
  Table table(os, "Tiles",
              {"line", "operation", "type", "storage", "why", "layout"});
  for (const TileReport &tile : body.tiles)
    table.addRow({toText(tile.place), tile.operation, tile.type, tile.storage,
                  tile.reason, tile.layout});
}

static void printShared(const BodyReport &body, llvm::raw_ostream &os) {
  Table table(
      os, "Accesses to shared memory",
      {"line", "operation", "buffer", "wavefronts", "at least", "assumes"});
  for (const AccessReport &access : body.accesses)
    table.addRow({toText(access.place), access.operation, show(access.buffer),
                  show(access.wavefronts), show(access.minimalWavefronts),
                  access.assumes});
}

static void printGlobal(const BodyReport &body, llvm::raw_ostream &os) {
  Table table(os, "Accesses to global memory",
              {"line", "operation", "argument", "direction", "bytes", "sectors",
               "at least", "times", "assumes"});
  for (const GlobalAccessReport &access : body.globalAccesses)
    table.addRow({toText(access.place), access.operation, show(access.argument),
                  access.direction, show(access.bytes), show(access.sectors),
                  show(access.minimalSectors), show(access.executions),
                  access.assumes});
}

static void printInstructions(const BodyReport &body, llvm::raw_ostream &os) {
  Table table(os, "Instructions in the PTX", {"kind", "number"});
  for (const auto &[kind, count] : body.instructions)
    table.addRow({kind, std::to_string(count)});
}

void html::printTables(const BodyReport &body, llvm::raw_ostream &os) {
  printFacts(body, os);
  printWork(body.work, os);
  printMatmuls(body, os);
  printDecisions(body, os);
  printTiles(body, os);
  printShared(body, os);
  printGlobal(body, os);
  printInstructions(body, os);
}

void html::printProfile(const llvm::json::Value &profile,
                        llvm::raw_ostream &os) {
  Table table(os, "Counters of an emulated launch",
              {"line", "instruction", "warps", "threads", "wavefronts",
               "at least", "sectors"});
  for (const llvm::json::Value &value :
       *profile.getAsObject()->getArray("instructions")) {
    const llvm::json::Object &row = *value.getAsObject();
    auto counter = [&](llvm::StringRef name) {
      return show(row.getInteger(name).value_or(-1));
    };
    table.addRow({row.getString("location").value_or("").str(),
                  row.getString("instruction").value_or("").str(),
                  counter("warps"), counter("threads"), counter("wavefronts"),
                  counter("minimalWavefronts"), counter("sectors")});
  }
}
