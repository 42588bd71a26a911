// ProgramCache.h - keeps compiled programs, so that a batch can reuse them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
  /// Compiles the file `path` as CompilerLibrary::compile does, or returns the
  /// last program compiled for `machine` if the text of the file and the other
  /// arguments are the same.
  Result<CompiledProgram> compile(const CompilerLibrary &compiler,
                                  const std::string &path,
                                  const std::string &kernel, Machine machine,
                                  const std::string &arch);

private:
  struct Entry {
    /// Concatenated inputs of the compilation.
    std::string key;
    std::optional<CompiledProgram> program;
  };

  std::map<Machine, Entry> entries;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_PROGRAMCACHE_H
