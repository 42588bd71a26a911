// DamageText.h - changes words, lines and attributes of a tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TEST_FUZZ_DAMAGETEXT_H
#define TILE_TEST_FUZZ_DAMAGETEXT_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace tile::fuzz {

/// Returns `text` with one to three changes, which depend only on `seed`: to a
/// byte, to a word, to a line, or by an attribute or a storage that a program
/// has no reason to have.
std::string damageText(llvm::StringRef text, unsigned seed);

} // namespace tile::fuzz

#endif // TILE_TEST_FUZZ_DAMAGETEXT_H
