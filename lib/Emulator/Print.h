// Print.h - printf of a GPU thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_EMULATOR_PRINT_H
#define TILE_EMULATOR_PRINT_H

#include <string>

namespace tile::emulator {

/// The text of `format` with the values at `arguments`, each at its natural
/// alignment: ints of 4 bytes (8 with l, ll, j, z, t), floats as f64, pointers.
/// `count` is set to the number of values. A conversion that printf does not
/// have is copied unchanged.
std::string formatPrint(const char *format, const void *arguments, int &count);

} // namespace tile::emulator

#endif // TILE_EMULATOR_PRINT_H
