// EmulatorProfile.cpp - profile of a kernel on the emulator, by line
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/EmulatorProfile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <tuple>

using namespace tile;
using emulator::Counters;

namespace {
/// The parts of a location such as "gemm.mlir:25:10".
struct SourceLocation {
  llvm::StringRef file;
  unsigned line = 0, column = 0;

  explicit SourceLocation(llvm::StringRef text) {
    llvm::StringRef rest, digits;
    std::tie(rest, digits) = text.rsplit(':');
    digits.getAsInteger(10, column);
    std::tie(file, digits) = rest.rsplit(':');
    digits.getAsInteger(10, line);
  }

  auto getKey() const { return std::make_tuple(file, line, column); }
};

/// The lines of files, each of which is read when it is first used.
class SourceLines {
public:
  /// Returns a line without blanks at its ends; empty if the file cannot be
  /// read.
  llvm::StringRef get(const SourceLocation &location) {
    auto [entry, isNew] = files.try_emplace(location.file.str());
    if (isNew)
      read(entry->first, entry->second);
    auto &lines = entry->second.lines;
    bool isInside = location.line > 0 && location.line <= lines.size();
    return isInside ? lines[location.line - 1].trim() : llvm::StringRef();
  }

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::SmallVector<llvm::StringRef> lines;
  };

  static void read(const std::string &name, File &file) {
    auto buffer = llvm::MemoryBuffer::getFile(name, /*IsText=*/true);
    if (!buffer)
      return;
    file.buffer = std::move(*buffer);
    file.buffer->getBuffer().split(file.lines, '\n');
  }

  std::map<std::string, File> files;
};
} // namespace

static void add(Counters &sum, const Counters &counters) {
  sum.threads += counters.threads;
  sum.warps += counters.warps;
  sum.wavefronts += counters.wavefronts;
  sum.minimalWavefronts += counters.minimalWavefronts;
  sum.sectors += counters.sectors;
}

std::vector<ProfileRow>
tile::collectProfile(const std::vector<emulator::Site> &sites,
                     const std::vector<Counters> &counters) {
  using Key = std::tuple<llvm::StringRef, unsigned, unsigned, llvm::StringRef>;
  std::map<Key, ProfileRow> rows;
  for (size_t i = 0; i < std::min(sites.size(), counters.size()); ++i) {
    if (counters[i].threads == 0)
      continue;
    const emulator::Site &site = sites[i];
    Key key =
        std::tuple_cat(SourceLocation(site.location).getKey(),
                       std::make_tuple(llvm::StringRef(site.instruction)));
    ProfileRow &row = rows[key];
    row.location = site.location;
    row.operation = site.operation;
    row.instruction = site.instruction;
    add(row.counters, counters[i]);
  }
  std::vector<ProfileRow> result;
  for (auto &[key, row] : rows)
    result.push_back(std::move(row));
  return result;
}

std::string tile::printProfile(const std::vector<ProfileRow> &rows,
                               uint64_t barriers) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  SourceLines lines;
  llvm::StringRef last = "\n";
  for (const ProfileRow &row : rows) {
    if (row.location != last)
      stream << (row.location.empty() ? "an unknown place" : row.location)
             << ": " << lines.get(SourceLocation(row.location)) << "\n";
    last = row.location;
    const Counters &counters = row.counters;
    stream << llvm::formatv("  {0,-18} {1,10} warps {2,12} threads",
                            row.instruction, counters.warps, counters.threads);
    if (counters.wavefronts)
      stream << llvm::formatv(", {0} wavefronts (at least {1})",
                              counters.wavefronts, counters.minimalWavefronts);
    if (counters.sectors)
      stream << llvm::formatv(
          ", {0} sectors ({1:F2} a warp)", counters.sectors,
          double(counters.sectors) /
              double(std::max<uint64_t>(counters.warps, 1)));
    stream << "\n";
  }
  stream << "barriers completed: " << barriers << "\n";
  return text;
}

std::string tile::printProfileJson(const std::vector<ProfileRow> &rows,
                                   uint64_t barriers) {
  llvm::json::Array instructions;
  for (const ProfileRow &row : rows)
    instructions.push_back(llvm::json::Object{
        {"location", row.location},
        {"operation", row.operation},
        {"instruction", row.instruction},
        {"threads", row.counters.threads},
        {"warps", row.counters.warps},
        {"wavefronts", row.counters.wavefronts},
        {"minimalWavefronts", row.counters.minimalWavefronts},
        {"sectors", row.counters.sectors}});
  llvm::json::Object object{{"schema", 1},
                            {"barriers", barriers},
                            {"instructions", std::move(instructions)}};
  return llvm::formatv("{0:2}", llvm::json::Value(std::move(object)));
}
