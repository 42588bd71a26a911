// Layouts.cpp - the compiler as a C library: evaluates and draws layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Errors.h"

#include "tile-c/Compiler.h"
#include "tile/Layout/Print.h"
#include "tile/LayoutLanguage/Expression.h"
#include "tile/LayoutLanguage/Picture.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>

using namespace tile;
using namespace tile::capi;
using namespace tile::layoutlanguage;
using runtime::concat;

static tile_status refuse(std::string message) {
  return fail(TILE_STATUS_INVALID_ARGUMENT, std::move(message));
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static tile_status checkBuffer(const char *expression, const char *buffer,
                               size_t capacity) {
  if (tile_status status = expectPointer(expression, "expression"))
    return status;
  return capacity == 0 ? TILE_STATUS_OK : expectPointer(buffer, "buffer");
}

/// Writes as much of `text`, with a NUL character, as fits in `buffer`. Sets
/// `*size` to the length of `text`.
static tile_status write(const std::string &text, char *buffer, size_t capacity,
                         size_t *size) {
  if (size)
    *size = text.size();
  if (capacity == 0)
    return TILE_STATUS_OK;
  size_t written = std::min(text.size(), capacity - 1);
  std::memcpy(buffer, text.data(), written);
  buffer[written] = 0;
  return TILE_STATUS_OK;
}

static tile_status evaluate(const char *expression,
                            std::optional<Value> &value) {
  ExpressionError error;
  value = evaluateExpression(expression, error);
  if (value)
    return TILE_STATUS_OK;
  return refuse(concat("column ", error.position + 1, ": ", error.message));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

TILE_C_EXPORT tile_status tile_layout_evaluate(const char *expression,
                                               const char *coordinate,
                                               char *buffer, size_t capacity,
                                               size_t *size) {
  if (tile_status status = checkBuffer(expression, buffer, capacity))
    return status;
  std::optional<Value> value;
  if (tile_status status = evaluate(expression, value))
    return status;
  if (!coordinate)
    return write(toText(*value), buffer, capacity, size);
  tile::Result<IntTuple> at = parseIntTuple(coordinate);
  if (!at)
    return refuse("coordinate: " + at.error());
  tile::Result<std::string> text = evaluateAt(*value, *at);
  if (!text)
    return refuse("coordinate: " + text.error());
  return write(*text, buffer, capacity, size);
}

//===----------------------------------------------------------------------===//
// Pictures
//===----------------------------------------------------------------------===//

/// Reads an option that is a number of bytes; 0 means that it is not given.
static tile_status readBytes(const char *name, int32_t given,
                             std::optional<unsigned> &bytes) {
  if (given == 0)
    return TILE_STATUS_OK;
  bool isPower = given > 0 && given <= 16 && (given & (given - 1)) == 0;
  if (!isPower)
    return fail(
        TILE_STATUS_OUT_OF_RANGE,
        concat("expected '", name, "' of 0, 1, 2, 4, 8 or 16, found ", given));
  bytes = given;
  return TILE_STATUS_OK;
}

static tile_status readPicture(const tile_drawing_options &given,
                               PictureOptions &options) {
  if (tile_status status = expectRange("format", given.format,
                                       TILE_DRAWING_TEXT, TILE_DRAWING_SVG))
    return status;
  if (tile_status status =
          readBytes("element_bytes", given.element_bytes, options.elementBytes))
    return status;
  if (tile_status status =
          readBytes("access_bytes", given.access_bytes, options.accessBytes))
    return status;
  if (options.accessBytes && !options.elementBytes)
    return refuse("expected 'element_bytes' with 'access_bytes', found none");
  if (!given.tile)
    return TILE_STATUS_OK;
  tile::Result<IntTuple> tile = parseIntTuple(given.tile);
  if (!tile)
    return refuse("tile: " + tile.error());
  options.tile = *tile;
  return TILE_STATUS_OK;
}

static std::string print(const Picture &picture, tile_drawing format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (format == TILE_DRAWING_SVG)
    printSvg(picture, os);
  else
    printText(picture, format == TILE_DRAWING_COLORS, os);
  return text;
}

TILE_C_EXPORT tile_status tile_layout_draw(const char *expression,
                                           const tile_drawing_options *options,
                                           char *buffer, size_t capacity,
                                           size_t *size) {
  if (tile_status status = checkBuffer(expression, buffer, capacity))
    return status;
  tile_drawing_options given;
  if (tile_status status = readStruct("tile_drawing_options", options, given))
    return status;
  PictureOptions pictureOptions;
  if (tile_status status = readPicture(given, pictureOptions))
    return status;
  std::optional<Value> value;
  if (tile_status status = evaluate(expression, value))
    return status;
  tile::Result<Picture> picture = drawValue(*value, pictureOptions);
  if (!picture)
    return refuse(picture.error());
  return write(print(*picture, given.format), buffer, capacity, size);
}
