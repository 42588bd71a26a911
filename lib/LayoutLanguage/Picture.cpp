// Picture.cpp - a layout as tables of coloured cells
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/LayoutLanguage/Picture.h"

#include "tile/Layout/BankConflicts.h"
#include "tile/Layout/Compose.h"
#include "tile/Layout/Print.h"

#include <cmath>
#include <functional>

using namespace tile;
using namespace tile::layoutlanguage;

//===----------------------------------------------------------------------===//
// Colours
//===----------------------------------------------------------------------===//

/// Returns a colour that is light enough for black text. `hue` is from 0 to 1,
/// around the circle.
static Color colorOf(double hue, double lightness) {
  // From hue, saturation 0.7 and lightness to red, green, blue.
  double amplitude = 0.7 * std::min(lightness, 1 - lightness);
  auto channel = [&](double offset) {
    double k = std::fmod(offset + hue * 12, 12);
    double share = std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return uint8_t(std::lround(255 * (lightness - amplitude * share)));
  };
  return {channel(0), channel(8), channel(4)};
}

static Color colorOfBank(int64_t bank) {
  return colorOf(double(bank) / kNumBanks, 0.8);
}

/// Returns the colour of a cell: adjacent threads differ in hue, the values of
/// a thread in lightness.
static Color colorOfHolder(int64_t thread, int64_t value, int64_t numValues) {
  constexpr double kGoldenSection = 0.6180339887498949;
  return colorOf(std::fmod(double(thread) * kGoldenSection, 1),
                 0.9 - 0.25 * double(value) / double(numValues));
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Returns the number of rows or columns between the lines that separate them
/// in a table: the first extent of a nested mode, or 0 for no lines.
static int64_t groupOf(const IntTuple &mode) {
  int64_t first = mode[0].product();
  return mode.size() > 1 && first > 1 && first < mode.product() ? first : 0;
}

/// Format of a table's caption. The table's coordinate in the other modes comes
/// after its two modes, "(_,_,1)", or before its two dimensions, "(1,_,_)".
enum class Caption { kModesAfter, kDimensionsBefore };

static std::string makeCaption(Caption caption, const IntTuple &coordinate) {
  std::string digits;
  for (int64_t digit : coordinate.leaves())
    digits += std::to_string(digit) + ",";
  if (caption == Caption::kDimensionsBefore)
    return "(" + digits + "_,_)";
  digits.pop_back();
  return "(_,_," + digits + ")";
}

static Result<Picture> failTooManyCells(int64_t numCells) {
  return Result<Picture>::failure(
      "expected at most " + std::to_string(kMaxCells) + " cells to draw, got " +
      std::to_string(numCells));
}

/// Draws the tables of a shape. `makeCell` returns the cell of the coordinate
/// with a given index.
static Result<Picture>
drawTables(const IntTuple &shape,
           const std::function<Result<Cell>(int64_t)> &makeCell,
           Caption caption = Caption::kModesAfter) {
  int64_t numCells = shape.product();
  if (numCells > kMaxCells)
    return failTooManyCells(numCells);
  Picture picture;
  bool isRow = shape.size() == 1;
  const IntTuple &columns = shape[isRow ? 0 : 1];
  picture.numColumns = columns.product();
  picture.columnGroup = groupOf(columns);
  if (!isRow) {
    picture.numRows = shape[0].product();
    picture.rowGroup = groupOf(shape[0]);
  }
  std::vector<IntTuple> others;
  for (size_t i = 2; i < shape.size(); ++i)
    others.push_back(shape[i].product());
  IntTuple otherShape{std::move(others)};
  int64_t cellsPerTable = picture.numRows * picture.numColumns;
  for (int64_t index = 0; index * cellsPerTable < numCells; ++index) {
    Table table;
    if (otherShape.size() != 0)
      table.caption = makeCaption(caption, idx2crd(index, otherShape));
    for (int64_t row = 0; row < picture.numRows; ++row)
      for (int64_t column = 0; column < picture.numColumns; ++column) {
        Result<Cell> cell =
            makeCell(index * cellsPerTable + column * picture.numRows + row);
        if (!cell)
          return Result<Picture>::failure(cell.error());
        table.cells.push_back(*std::move(cell));
      }
    picture.tables.push_back(std::move(table));
  }
  return picture;
}

//===----------------------------------------------------------------------===//
// Offsets
//===----------------------------------------------------------------------===//

static Result<Picture> drawOffsets(const IntTuple &shape,
                                   const std::function<int64_t(int64_t)> &at) {
  return drawTables(shape, [&](int64_t index) -> Result<Cell> {
    return Cell{std::to_string(at(index)), std::nullopt};
  });
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// Returns the byte address of the coordinate with index `index`.
using Addresses = std::function<Result<uint32_t>(int64_t index)>;

/// Example: "1 byte", "2 bytes".
static std::string count(int64_t number, const char *thing) {
  return std::to_string(number) + " " + thing + (number == 1 ? "" : "s");
}

static Result<uint32_t> toAddress(int64_t offset, int64_t bytes) {
  int64_t address;
  if (__builtin_mul_overflow(offset, bytes, &address) || address < 0 ||
      address > UINT32_MAX)
    return Result<uint32_t>::failure(
        "expected offsets of shared memory, below 2^32 bytes and not negative, "
        "got " +
        std::to_string(offset));
  return uint32_t(address);
}

/// Describes, as a sentence, the cost for a warp of reading along one mode.
/// @pre each coordinate has an address.
static std::string describeAccess(const IntTuple &shape, size_t mode,
                                  const Addresses &at, unsigned elementBytes,
                                  unsigned accessBytes) {
  int64_t stride = 1;
  for (size_t i = 0; i < mode; ++i)
    stride *= shape[i].product();
  int64_t extent = shape[mode].product();
  // A lane takes several elements if they are contiguous.
  int64_t step = 1;
  if (extent > 1 && *at(stride) == *at(0) + elementBytes)
    step = std::max(1u, accessBytes / elementBytes);
  LaneAddresses lanes;
  for (int64_t i = 0; i < extent && lanes.size() < kWarpSize; i += step)
    lanes.push_back(*at(i * stride));
  int wavefronts = countWavefronts(lanes, accessBytes, AccessDirection::kRead);
  int least = minimalWavefronts(lanes, accessBytes, AccessDirection::kRead);
  return count(lanes.size(), "lane") + " along mode " + std::to_string(mode) +
         ", " + count(accessBytes, "byte") +
         " each: " + count(wavefronts, "wavefront") + ", " +
         std::to_string(least) + " without conflicts";
}

static Result<Picture> drawBanks(const IntTuple &shape, const Addresses &at,
                                 const PictureOptions &options) {
  unsigned elementBytes = *options.elementBytes;
  Result<Picture> picture =
      drawTables(shape, [&](int64_t index) -> Result<Cell> {
        Result<uint32_t> address = at(index);
        if (!address)
          return Result<Cell>::failure(address.error());
        unsigned bank = *address / kBankBytes % kNumBanks;
        return Cell{std::to_string(*address / elementBytes) + "/" +
                        std::to_string(bank),
                    colorOfBank(bank)};
      });
  if (!picture)
    return picture;
  picture->notes.push_back("offset/bank, elements of " +
                           count(elementBytes, "byte"));
  for (size_t mode = 0; mode < shape.size() && mode < 2; ++mode)
    picture->notes.push_back(
        describeAccess(shape, mode, at, elementBytes,
                       options.accessBytes.value_or(elementBytes)));
  return picture;
}

//===----------------------------------------------------------------------===//
// Threads and values
//===----------------------------------------------------------------------===//

namespace {
/// The threads that hold an element: the first one, its value, and how many
/// pairs of a thread and a value hold the element.
struct Holders {
  int64_t thread = 0, value = 0, numHolders = 0;

  void add(int64_t otherThread, int64_t otherValue) {
    if (numHolders++ == 0) {
      thread = otherThread;
      value = otherValue;
    }
  }
};
} // namespace

/// Draws the tables of a tile; `elements` has the holders of each coordinate.
static Result<Picture> drawHolders(const IntTuple &shape,
                                   const std::vector<Holders> &elements,
                                   int64_t numValues, Caption caption) {
  bool isShared = false, hasEmpty = false;
  auto makeCell = [&](int64_t index) -> Result<Cell> {
    auto [thread, value, numHolders] = elements[index];
    isShared |= numHolders > 1;
    hasEmpty |= numHolders == 0;
    if (numHolders == 0)
      return Cell{".", std::nullopt};
    std::string text =
        "T" + std::to_string(thread) + "V" + std::to_string(value);
    if (numHolders > 1)
      text += "*" + std::to_string(numHolders);
    return Cell{text, colorOfHolder(thread, value, numValues)};
  };
  Result<Picture> picture = drawTables(shape, makeCell, caption);
  if (!picture)
    return picture;
  picture->notes.push_back("T thread, V value");
  if (isShared)
    picture->notes.push_back("*N held N times, the first named");
  if (hasEmpty)
    picture->notes.push_back(". held by none");
  return picture;
}

static Result<Picture> drawThreadValueLayout(const Layout &layout,
                                             const IntTuple &tile) {
  using Failure = Result<Picture>;
  if (layout.rank() != 2)
    return Failure::failure("expected a layout of two modes, (thread, value), "
                            "got " +
                            toString(layout));
  std::optional<int64_t> numElements = tile.tryProduct();
  if (!layoutLeft(tile) || *numElements > kMaxCells)
    return Failure::failure("expected a tile of at most " +
                            std::to_string(kMaxCells) + " elements, got " +
                            toString(tile));
  if (layout.size() > kMaxEnumeration)
    return Failure::failure(
        "expected at most " + std::to_string(kMaxEnumeration) +
        " threads and values, got " + std::to_string(layout.size()));
  std::vector<Holders> elements(*numElements);
  int64_t numThreads = layout.mode(0).size();
  for (int64_t index = 0; index < layout.size(); ++index) {
    int64_t element = layout(index);
    if (element < 0 || element >= *numElements)
      return Failure::failure("expected elements of the tile " +
                              toString(tile) + ", 0 to " +
                              std::to_string(*numElements - 1) + ", got " +
                              std::to_string(element) + " of thread " +
                              std::to_string(index % numThreads) + ", value " +
                              std::to_string(index / numThreads));
    elements[element].add(index % numThreads, index / numThreads);
  }
  return drawHolders(tile, elements, layout.mode(1).size(),
                     Caption::kModesAfter);
}

/// Draws the box of a register layout as tables. The last two dimensions are a
/// table's rows and columns; each coordinate in the other dimensions has a
/// table.
static Result<Picture> drawRegisterLayout(const RegisterLayout &layout) {
  const std::vector<int64_t> &box = layout.getBox();
  // Dimension k of the box is mode order[k] of the tables.
  std::vector<int64_t> shape, order(box.size());
  size_t numBefore = box.size() > 2 ? box.size() - 2 : 0;
  for (size_t dim = numBefore; dim < box.size(); ++dim) {
    order[dim] = shape.size();
    shape.push_back(box[dim]);
  }
  for (size_t dim = 0; dim < numBefore; ++dim) {
    order[dim] = shape.size();
    shape.push_back(box[dim]);
  }
  if (shape.empty())
    shape.push_back(1);
  IntTuple tableShape = IntTuple::flat(shape);
  if (tableShape.product() > kMaxCells)
    return failTooManyCells(tableShape.product());
  std::vector<Holders> elements(tableShape.product());
  for (int64_t value = 0; value < layout.getNumValues(); ++value)
    for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
      for (int64_t lane = 0; lane < kWarpSize; ++lane) {
        std::vector<int64_t> coordinate = layout.coordinate(lane, warp, value);
        std::vector<int64_t> cell(shape.size(), 0);
        for (size_t dim = 0; dim < box.size(); ++dim)
          cell[order[dim]] = coordinate[dim];
        elements[crd2idx(IntTuple::flat(cell), tableShape)].add(
            warp * kWarpSize + lane, value);
      }
  return drawHolders(tableShape, elements, layout.getNumValues(),
                     Caption::kDimensionsBefore);
}

//===----------------------------------------------------------------------===//
// Any value
//===----------------------------------------------------------------------===//

/// Draws the element offsets to which `layout` maps coordinates or, with
/// `elementBytes`, the banks of these elements.
template <class Offsets>
static Result<Picture> drawElements(const Offsets &layout,
                                    const PictureOptions &options) {
  if (!options.elementBytes)
    return drawOffsets(layout.shape(),
                       [&](int64_t index) { return layout(index); });
  return drawBanks(
      layout.shape(),
      [&](int64_t index) {
        return toAddress(layout(index), *options.elementBytes);
      },
      options);
}

static Result<Picture> drawShared(const SharedLayout &shared,
                                  const PictureOptions &options) {
  if (!options.elementBytes) {
    if (shared.swizzle.isIdentity())
      return drawElements(shared.layout, options);
    return Result<Picture>::failure(
        "expected --element-bytes, as the swizzle is of bytes");
  }
  // To get the layout in bytes, a mode whose stride is the size of an element
  // is applied after the layout.
  Result<Layout> inBytes =
      compose(*Layout::get(1, int64_t(*options.elementBytes)), shared.layout);
  if (!inBytes)
    return Result<Picture>::failure(inBytes.error());
  Result<ComposedLayout> bytes =
      ComposedLayout::get(shared.swizzle, 0, *inBytes);
  if (!bytes)
    return Result<Picture>::failure(bytes.error());
  return drawBanks(
      shared.layout.shape(),
      [&](int64_t index) { return toAddress((*bytes)(index), 1); }, options);
}

static Result<Picture> drawPlain(const Value &value,
                                 const PictureOptions &options) {
  if (const auto *layout = std::get_if<Layout>(&value))
    return options.tile ? drawThreadValueLayout(*layout, *options.tile)
                        : drawElements(*layout, options);
  if (options.tile)
    return Result<Picture>::failure("expected a layout with --tile, got " +
                                    describe(value));
  if (const auto *composed = std::get_if<ComposedLayout>(&value))
    return drawElements(*composed, options);
  if (const auto *shared = std::get_if<SharedLayout>(&value))
    return drawShared(*shared, options);
  if (options.elementBytes)
    return Result<Picture>::failure(
        "expected a layout of shared memory with --element-bytes, got " +
        describe(value));
  if (const auto *registers = std::get_if<RegisterLayout>(&value))
    return drawRegisterLayout(*registers);
  return Result<Picture>::failure("expected a layout to draw, got " +
                                  describe(value));
}

Result<Picture> layoutlanguage::drawValue(const Value &value,
                                          const PictureOptions &options) {
  Result<Picture> picture = drawPlain(value, options);
  if (picture)
    picture->title = toText(value);
  return picture;
}
