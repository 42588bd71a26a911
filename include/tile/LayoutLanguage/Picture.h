// Picture.h - a layout as tables of coloured cells
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Picture is independent of the output format: PrintText.cpp and PrintSvg.cpp
// print the same Picture. Mode 0 runs down, mode 1 to the right; each
// coordinate of the other modes has a table.

#ifndef TILE_LAYOUTLANGUAGE_PICTURE_H
#define TILE_LAYOUTLANGUAGE_PICTURE_H

#include "tile/LayoutLanguage/Value.h"

#include "tile/Layout/Result.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tile::layoutlanguage {

struct Color {
  uint8_t red, green, blue;
};

struct Cell {
  std::string text;
  std::optional<Color> color;
};

/// Cells row by row.
struct Table {
  /// Empty where there is one table.
  std::string caption;
  std::vector<Cell> cells;
};

struct Picture {
  std::string title;
  int64_t numRows = 1, numColumns = 1;
  /// A line is drawn after each `rowGroup` rows and each `columnGroup` columns;
  /// 0 for no lines.
  int64_t rowGroup = 0, columnGroup = 0;
  std::vector<Table> tables;
  /// Sentences below the tables.
  std::vector<std::string> notes;
};

struct PictureOptions {
  /// Bytes of an element in shared memory. If given, the cells show banks.
  std::optional<unsigned> elementBytes;
  /// Bytes that a lane reads at a time; those of an element if not given.
  std::optional<unsigned> accessBytes;
  /// Shape of a tile. If given, the layout maps (thread, value) to the index in
  /// the tile, leftmost mode fastest, and the cells show threads and values.
  std::optional<IntTuple> tile;
};

/// Maximum number of cells that are drawn.
constexpr int64_t kMaxCells = 1 << 14;

/// Returns the picture of a value. Refuses values that have no cells or too
/// many, and options that do not apply to the value.
Result<Picture> drawValue(const Value &value, const PictureOptions &options);

void printText(const Picture &picture, bool inColor, llvm::raw_ostream &os);
void printSvg(const Picture &picture, llvm::raw_ostream &os);

} // namespace tile::layoutlanguage

#endif // TILE_LAYOUTLANGUAGE_PICTURE_H
