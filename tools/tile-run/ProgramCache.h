// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- ProgramCache.h - programs that were compiled -------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_PROGRAMCACHE_H
#define TILE_TOOLS_TILERUN_PROGRAMCACHE_H

#include "CompilerLibrary.h"

#include <map>
#include <optional>
#include <string>

namespace tile::runtime {

/// Compiles programs, and keeps the last one for each machine: a batch runs a
/// program on many arrays, or compares machines.
class ProgramCache {
public:
  /// As CompilerLibrary::compile of the file `path`; not again if that has the
  /// text that it had in the machine's call before, and the other words are
  /// those of then too.
  Result<CompiledProgram> compile(const CompilerLibrary &compiler,
                                  const std::string &path,
                                  const std::string &kernel, Machine machine,
                                  const std::string &arch);

private:
  struct Entry {
    /// All that the program hangs on.
    std::string key;
    std::optional<CompiledProgram> program;
  };

  std::map<Machine, Entry> entries;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_PROGRAMCACHE_H
