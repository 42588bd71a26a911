// ProgramCache.cpp - keeps compiled programs, so that a batch can reuse them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ProgramCache.h"

#include "tile/Runtime/File.h"

using namespace tile::runtime;

/// Upper limit of the size of a program.
static constexpr int64_t kMaxBytes = int64_t(1) << 30;

Result<CompiledProgram> ProgramCache::compile(const CompilerLibrary &compiler,
                                              const std::string &path,
                                              const std::string &kernel,
                                              Machine machine,
                                              const std::string &arch) {
  Result<std::string> text = readFile(path, kMaxBytes);
  if (!text)
    return text.takeError();
  std::string key = concat(compiler.getPath(), '\0', arch, '\0', kernel, '\0',
                           path, '\0', *text);
  Entry &last = entries[machine];
  if (last.program && key == last.key)
    return *last.program;
  last = {};
  Result<CompiledProgram> program =
      compiler.compile(*text, path, kernel, machine, arch);
  if (program)
    last = {std::move(key), *program};
  return program;
}
