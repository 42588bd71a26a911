// Print.h - printf of a GPU thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_PRINT_H
#define TILE_EMULATOR_PRINT_H

#include <string>

namespace tile::emulator {

/// Returns the text of `format` with the values at `arguments`, each at its
/// natural alignment: integers of 4 bytes (8 with l, ll, j, z or t), floats as
/// f64, and pointers. Sets `count` to the number of values. A conversion that
/// printf does not have is copied unchanged.
std::string formatPrint(const char *format, const void *arguments, int &count);

} // namespace tile::emulator

#endif // TILE_EMULATOR_PRINT_H
