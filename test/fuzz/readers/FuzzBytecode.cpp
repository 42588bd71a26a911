// FuzzBytecode.cpp - passes damaged programs in bytecode to the compiler
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileDamaged.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tile::fuzz::compileDamaged(
      llvm::StringRef(reinterpret_cast<const char *>(data), size));
  return 0;
}
