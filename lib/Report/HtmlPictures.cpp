// HtmlPictures.cpp - shared memory and layouts as pictures of a report's page
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Html.h"

#include "tile/LayoutLanguage/Expression.h"
#include "tile/LayoutLanguage/Picture.h"

#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tile;
using namespace tile::html;

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

// Sizes in pixels.
static constexpr double kWidth = 900, kHeight = 320, kMargin = 24;
// Maximum width and height of a letter, in pixels.
static constexpr double kLetterWidth = 6.5, kLetterHeight = 14;

static void printText(double x, double y, llvm::StringRef text,
                      llvm::raw_ostream &os) {
  os << llvm::formatv("<text x=\"{0:F1}\" y=\"{1:F1}\">{2}</text>\n", x, y,
                      escape(text));
}

/// Prints a buffer. Its description is a tooltip, and also a text in the
/// picture if there is room.
static void printBuffer(const BufferReport &buffer, double perOperation,
                        double perByte, llvm::raw_ostream &os) {
  double x = kMargin + double(buffer.first) * perOperation;
  double width =
      std::max(double(buffer.last - buffer.first + 1) * perOperation, 2.0);
  double height = std::max(double(buffer.bytes) * perByte, 2.0);
  double y = kHeight + kMargin - double(buffer.offset) * perByte - height;
  std::string text = llvm::formatv(
      "{0} + {1} at {2}, operations {3} to {4}", buffer.offset, buffer.bytes,
      toText(buffer.place), buffer.first, buffer.last);
  os << llvm::formatv("<rect x=\"{0:F1}\" y=\"{1:F1}\" width=\"{2:F1}\" "
                      "height=\"{3:F1}\"><title>{4}</title></rect>\n",
                      x, y, width, height, escape(text));
  if (height >= kLetterHeight && width >= double(text.size()) * kLetterWidth)
    printText(x + 4, y + height / 2 + 4, text, os);
}

void html::printBuffers(const BodyReport &body, llvm::raw_ostream &os) {
  int64_t operations = 1, bytes = std::max<int64_t>(body.sharedBytes, 1);
  for (const BufferReport &buffer : body.buffers)
    operations = std::max(operations, buffer.last + 1);
  os << "<div class=\"wide\">"
     << llvm::formatv("<svg class=\"memory\" role=\"img\" width=\"{0}\" "
                      "height=\"{1}\">\n<title>buffers in shared memory: "
                      "operations to the right, bytes upwards</title>\n",
                      kWidth + 2 * kMargin, kHeight + 2 * kMargin);
  printText(kMargin, 16, std::to_string(body.sharedBytes) + " bytes", os);
  printText(
      kMargin, kHeight + kMargin + 16,
      llvm::formatv("operations 0 to {0}, to the right", operations - 1).str(),
      os);
  for (const BufferReport &buffer : body.buffers)
    if (buffer.first >= 0)
      printBuffer(buffer, kWidth / double(operations), kHeight / double(bytes),
                  os);
  os << "</svg></div>\n";
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Maximum number of cells of a picture; larger layouts are left to
/// tile-layout.
static constexpr size_t kMaxCells = 1 << 11;

static void printLayout(const std::string &layout,
                        const layoutlanguage::PictureOptions &options,
                        llvm::raw_ostream &os) {
  os << "<p><code>" << escape(layout) << "</code></p>\n";
  layoutlanguage::ExpressionError error;
  std::optional<layoutlanguage::Value> value =
      layoutlanguage::evaluateExpression(layout, error);
  if (!value)
    return;
  Result<layoutlanguage::Picture> picture =
      layoutlanguage::drawValue(*value, options);
  size_t cells = 0;
  if (picture)
    for (const layoutlanguage::Table &table : picture->tables)
      cells += table.cells.size();
  if (picture && cells <= kMaxCells) {
    os << "<div class=\"wide\">";
    layoutlanguage::printSvg(*picture, os);
    os << "</div>\n";
  } else {
    os << "<p>Too large for this page: <code>"
       << escape("tile-layout '" + layout + "' --draw") << "</code></p>\n";
  }
}

void html::printLayouts(const BodyReport &body, llvm::raw_ostream &os) {
  std::set<std::string> printed;
  for (const TileReport &tile : body.tiles) {
    if (tile.layout.empty() || !printed.insert(tile.layout).second)
      continue;
    layoutlanguage::PictureOptions options;
    if (tile.storage == "shared")
      options.elementBytes = tile.elementBytes;
    printLayout(tile.layout, options, os);
  }
}
