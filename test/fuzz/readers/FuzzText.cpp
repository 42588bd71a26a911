// FuzzText.cpp - passes damaged programs in text to the compiler
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../DamageText.h"
#include "CompileDamaged.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <algorithm>
#include <string>

using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (mlir::isBytecode(llvm::MemoryBufferRef(text, "")))
    return -1; // FuzzBytecode's; not kept
  tile::fuzz::compileDamaged(text);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 8 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string damaged = tile::fuzz::damageText(
      StringRef(reinterpret_cast<char *>(data), size), seed);
  size_t length = std::min(damaged.size(), maxSize);
  std::copy_n(damaged.begin(), length, data);
  return length;
}
