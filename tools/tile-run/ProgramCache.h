// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- ProgramCache.h - the program compiled last ---------------*- C++ -*-===//

#ifndef TILE_TOOLS_TILERUN_PROGRAMCACHE_H
#define TILE_TOOLS_TILERUN_PROGRAMCACHE_H

#include "tile/Runtime/CompilerPlugin.h"

#include <optional>
#include <string>

namespace tile::runtime {

/// Compiles programs, and keeps the last one: a batch runs a program on many
/// arrays.
class ProgramCache {
public:
  /// As CompilerPlugin::compile; not again if `path` has the text that it had
  /// in the call before, and the other words are those of then too.
  Result<CompiledProgram> compile(const CompilerPlugin &plugin,
                                  const std::string &path,
                                  const std::string &kernel, Machine machine,
                                  const std::string &arch);

private:
  /// All that the result hangs on.
  std::string lastKey;
  std::optional<CompiledProgram> lastProgram;
};

} // namespace tile::runtime

#endif // TILE_TOOLS_TILERUN_PROGRAMCACHE_H
