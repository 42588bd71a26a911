// PrintText.cpp - a picture for the terminal
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Picture.h"

#include <algorithm>

using namespace tile;
using namespace tile::layoutlanguage;

/// Prints spaces and then `text`, right-aligned in `width` characters.
static void printRight(llvm::raw_ostream &os, const std::string &text,
                       size_t width) {
  os.indent(width - std::min(width, text.size())) << text;
}

static void printCell(llvm::raw_ostream &os, const Cell &cell, size_t width,
                      bool inColor) {
  if (!inColor || !cell.color) {
    printRight(os, cell.text, width);
    return;
  }
  // Black on the colour (ECMA-48, SGR 30 and 48).
  Color color = *cell.color;
  os << "\033[30;48;2;" << unsigned(color.red) << ';' << unsigned(color.green)
     << ';' << unsigned(color.blue) << 'm';
  printRight(os, cell.text, width);
  os << "\033[0m";
}

/// Whether a line is drawn before row or column `i`.
static bool beginsGroup(int64_t i, int64_t group) {
  return group != 0 && i != 0 && i % group == 0;
}

/// Returns the width of a cell in characters, which is the same in all tables.
static size_t getCellWidth(const Picture &picture) {
  size_t width = std::to_string(picture.numColumns - 1).size();
  for (const Table &table : picture.tables)
    for (const Cell &cell : table.cells)
      width = std::max(width, cell.text.size());
  return width;
}

static void printTable(const Picture &picture, const Table &table, bool inColor,
                       llvm::raw_ostream &os) {
  size_t width = getCellWidth(picture);
  size_t labelWidth = std::to_string(picture.numRows - 1).size();

  os.indent(labelWidth + 2);
  for (int64_t column = 0; column < picture.numColumns; ++column) {
    os << (beginsGroup(column, picture.columnGroup) ? "   " : " ");
    printRight(os, std::to_string(column), width);
  }
  os << '\n';
  std::string line;
  for (int64_t column = 0; column < picture.numColumns; ++column)
    line += (beginsGroup(column, picture.columnGroup) ? "-+-" : "-") +
            std::string(width, '-');
  for (int64_t row = 0; row < picture.numRows; ++row) {
    if (row == 0 || beginsGroup(row, picture.rowGroup))
      os.indent(labelWidth + 1) << '+' << line << '\n';
    printRight(os, std::to_string(row), labelWidth);
    os << " |";
    for (int64_t column = 0; column < picture.numColumns; ++column) {
      os << (beginsGroup(column, picture.columnGroup) ? " | " : " ");
      printCell(os, table.cells[row * picture.numColumns + column], width,
                inColor);
    }
    os << '\n';
  }
}

void layoutlanguage::printText(const Picture &picture, bool inColor,
                               llvm::raw_ostream &os) {
  for (const Table &table : picture.tables) {
    if (!table.caption.empty())
      os << table.caption << '\n';
    printTable(picture, table, inColor, os);
  }
  for (const std::string &note : picture.notes)
    os << note << '\n';
}
