// LayoutText.cpp - the layout of a value in a hover
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutText.h"

#include "tile/IR/Tile.h"
#include "tile/LayoutLanguage/Picture.h"

using namespace mlir;
using namespace tile;
using layoutlanguage::Picture;
using layoutlanguage::PictureOptions;

/// The maximum numbers of rows and columns of a drawing in a hover.
constexpr int64_t kMaxRows = 64, kMaxColumns = 16;

/// Returns a layout as tile-layout represents it; nothing if the compiler has
/// not chosen the layout yet.
static std::optional<layoutlanguage::Value>
getLayoutValue(Attribute attribute) {
  if (auto layout = dyn_cast_or_null<LayoutAttr>(attribute))
    return layout.getValue();
  if (auto registers = dyn_cast_or_null<RegisterAttr>(attribute))
    if (registers.isResolved())
      return registers.getRegisterLayout();
  if (auto shared = dyn_cast_or_null<SharedAttr>(attribute))
    if (shared.isResolved())
      return layoutlanguage::SharedLayout{
          shared.getLayout().getValue(),
          shared.getSwizzle() ? shared.getSwizzle().getSwizzle() : Swizzle()};
  return std::nullopt;
}

static bool isSmall(const Picture &picture) {
  return picture.numColumns <= kMaxColumns &&
         picture.numRows * int64_t(picture.tables.size()) <= kMaxRows;
}

/// Returns the command that draws the layout.
static std::string getCommand(const layoutlanguage::Value &value,
                              const PictureOptions &options) {
  std::string command =
      "tile-layout \"" + layoutlanguage::toText(value) + "\" --draw";
  if (options.elementBytes)
    command += " --element-bytes=" + std::to_string(*options.elementBytes);
  return command;
}

static std::string show(Attribute attribute, const PictureOptions &options) {
  std::optional<layoutlanguage::Value> value = getLayoutValue(attribute);
  if (!value)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "Layout `" << layoutlanguage::toText(*value) << "`";
  Result<Picture> picture = layoutlanguage::drawValue(*value, options);
  if (!picture)
    return text;
  os << ":\n\n```\n";
  if (isSmall(*picture))
    layoutlanguage::printText(*picture, /*inColor=*/false, os);
  else
    os << getCommand(*value, options) << "\n";
  os << "```";
  return text;
}

std::string lspserver::showLayout(Attribute attribute) {
  return show(attribute, {});
}

std::string lspserver::showLayout(Type type) {
  Attribute storage;
  if (auto tile = dyn_cast_or_null<TileType>(type))
    storage = tile.getStorage();
  else if (auto buffer = dyn_cast_or_null<MemRefType>(type))
    storage = buffer.getMemorySpace();
  PictureOptions options;
  if (isa_and_nonnull<SharedAttr>(storage))
    options.elementBytes = getElementBytes(getElementTypeOrSelf(type));
  return show(storage, options);
}
