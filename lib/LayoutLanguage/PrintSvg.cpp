// PrintSvg.cpp - a picture as SVG
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Picture.h"

#include "llvm/Support/Format.h"

#include <algorithm>

using namespace tile;
using namespace tile::layoutlanguage;

// In pixels; a character of the font is about 8 wide. The baseline of a text is
// counted from the top of its line.
static constexpr int64_t kCharacter = 8, kCellHeight = 24, kMargin = 12,
                         kBaseline = 17;

namespace {
/// Printer of a picture, its tables below each other.
class SvgPrinter {
public:
  SvgPrinter(const Picture &picture, llvm::raw_ostream &os);
  void print();

private:
  void printText(int64_t x, int64_t y, llvm::StringRef text,
                 llvm::StringRef anchor = "middle");
  void printTable(const Table &table, int64_t top);
  void printLine(int64_t x1, int64_t y1, int64_t x2, int64_t y2);
  int64_t tableHeight(const Table &table) const {
    // A table has a caption, the indices of the columns, the rows, and a gap.
    return kCellHeight * (picture.numRows + 1 + !table.caption.empty()) +
           kMargin;
  }

  const Picture &picture;
  llvm::raw_ostream &os;
  int64_t cellWidth = kCellHeight, left;
};
} // namespace

/// Escapes '&' and '<' for XML.
static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else
      result += c;
  }
  return result;
}

SvgPrinter::SvgPrinter(const Picture &picture, llvm::raw_ostream &os)
    : picture(picture), os(os) {
  for (const Table &table : picture.tables)
    for (const Cell &cell : table.cells)
      cellWidth = std::max<int64_t>(
          cellWidth, kCharacter * (int64_t(cell.text.size()) + 1));
  left = kMargin +
         kCharacter * (1 + int64_t(std::to_string(picture.numRows - 1).size()));
}

void SvgPrinter::printText(int64_t x, int64_t y, llvm::StringRef text,
                           llvm::StringRef anchor) {
  os << "  <text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor
     << "\">" << escape(text) << "</text>\n";
}

void SvgPrinter::printLine(int64_t x1, int64_t y1, int64_t x2, int64_t y2) {
  os << "  <line x1=\"" << x1 << "\" y1=\"" << y1 << "\" x2=\"" << x2
     << "\" y2=\"" << y2 << "\" stroke-width=\"3\"/>\n";
}

void SvgPrinter::printTable(const Table &table, int64_t top) {
  if (!table.caption.empty()) {
    printText(left, top + kBaseline, table.caption, "start");
    top += kCellHeight;
  }
  for (int64_t column = 0; column < picture.numColumns; ++column)
    printText(left + column * cellWidth + cellWidth / 2, top + kBaseline,
              std::to_string(column));
  top += kCellHeight;
  for (int64_t row = 0; row < picture.numRows; ++row) {
    int64_t y = top + row * kCellHeight;
    printText(left - kCharacter / 2, y + kBaseline, std::to_string(row), "end");
    for (int64_t column = 0; column < picture.numColumns; ++column) {
      const Cell &cell = table.cells[row * picture.numColumns + column];
      int64_t x = left + column * cellWidth;
      Color color = cell.color.value_or(Color{255, 255, 255});
      os << "  <rect x=\"" << x << "\" y=\"" << y << "\" width=\"" << cellWidth
         << "\" height=\"" << kCellHeight << "\" fill=\"#"
         << llvm::format("%02x%02x%02x", color.red, color.green, color.blue)
         << "\"/>\n";
      printText(x + cellWidth / 2, y + kBaseline, cell.text);
    }
  }
  int64_t right = left + picture.numColumns * cellWidth;
  int64_t bottom = top + picture.numRows * kCellHeight;
  if (picture.rowGroup != 0)
    for (int64_t row = picture.rowGroup; row < picture.numRows;
         row += picture.rowGroup)
      printLine(left, top + row * kCellHeight, right, top + row * kCellHeight);
  if (picture.columnGroup != 0)
    for (int64_t column = picture.columnGroup; column < picture.numColumns;
         column += picture.columnGroup)
      printLine(left + column * cellWidth, top, left + column * cellWidth,
                bottom);
}

void SvgPrinter::print() {
  int64_t height = kMargin + kCellHeight;
  for (const Table &table : picture.tables)
    height += tableHeight(table);
  height += kCellHeight * int64_t(picture.notes.size());
  // A sentence may be wider than the tables.
  size_t longest = picture.title.size();
  for (const std::string &note : picture.notes)
    longest = std::max(longest, note.size());
  int64_t width = kMargin + std::max(left + picture.numColumns * cellWidth,
                                     kMargin + kCharacter * int64_t(longest));
  os << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width
     << "\" height=\"" << height << "\" viewBox=\"0 0 " << width << ' '
     << height << "\" font-family=\"monospace\" font-size=\"13\">\n"
     << "  <style>rect, line { stroke: black; }</style>\n"
     << "  <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  int64_t y = kMargin;
  printText(kMargin, y + kBaseline, picture.title, "start");
  y += kCellHeight;
  for (const Table &table : picture.tables) {
    printTable(table, y);
    y += tableHeight(table);
  }
  for (const std::string &note : picture.notes) {
    printText(kMargin, y + kBaseline, note, "start");
    y += kCellHeight;
  }
  os << "</svg>\n";
}

void layoutlanguage::printSvg(const Picture &picture, llvm::raw_ostream &os) {
  SvgPrinter(picture, os).print();
}
