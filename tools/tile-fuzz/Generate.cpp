// Generate.cpp - random tile programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool holds the tiles that the program has computed so far. Each step picks
// an operation, operands of the pool that fit it (or makes them), and adds its
// result. What would be undefined is avoided where it is made: divisors and
// shifts are constants in range, views stay inside their tile.

#include "Generate.h"

#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

using namespace tile::fuzz;

namespace {
/// The type of a tile.
struct Type {
  std::vector<int64_t> shape;
  std::string element;

  bool operator==(const Type &o) const {
    return shape == o.shape && element == o.element;
  }
  int64_t size() const {
    return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                           std::multiplies<int64_t>());
  }
  bool isFloat() const { return element[0] == 'f' || element[0] == 'b'; }
  bool isComplex() const { return element[0] == 'c'; }
  bool isIndex() const { return element == "index"; }
  bool isBool() const { return element == "i1"; }
  /// Numbers of f8 are moved, cast and multiplied as matrices, no more.
  bool isFloat8() const { return element[0] == 'f' && element[1] == '8'; }
  /// Whether there are atomic accesses to an array of it.
  bool isAtomic() const { return !isBool() && !isComplex() && !isFloat8(); }
  std::string str(const std::string &storage = "") const {
    std::string text = "!tile.tile<";
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + storage + ">";
  }
};

/// A value of the program.
struct Tile {
  std::string name;
  Type type;
};

struct Array {
  std::string name, type, element;
  int64_t rank;
  /// Zero where it is known at run time.
  std::vector<int64_t> sizes;

  /// Whether a box of the shape has a place in the array, for certain.
  bool holds(const std::vector<int64_t> &shape) const {
    return static_cast<int64_t>(shape.size()) <= rank &&
           llvm::all_of(sizes, [](int64_t size) { return size > 0; }) &&
           std::equal(shape.begin(), shape.end(), sizes.end() - shape.size(),
                      std::less_equal<int64_t>());
  }
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random(seed) {}

  std::string run() {
    // The body first: it says what arguments there are.
    pickBlock();
    pickGrid();
    makeScalars();
    int64_t numLoads = random.between(1, 3);
    for (int64_t n = 0; n < numLoads; ++n)
      addLoad();
    steps(random.between(3, 10));
    int64_t numStores = random.between(2, 4);
    for (int64_t n = 0; n < numStores; ++n)
      addStore(pickUnused(), /*isSeen=*/n == 0);
    std::string words =
        attributes.empty()
            ? ""
            : " attributes {" + llvm::join(attributes, ", ") + "}";
    return functions + "tile.kernel @f(" + llvm::join(parameters, ", ") + ")" +
           words + " {\n" + head + body + "  tile.return\n}\n";
  }

private:
  // Text.
  std::string fresh() { return "%v" + std::to_string(nextName++); }
  void line(const std::string &text);
  std::string index(int64_t value);

  // Types.
  std::string pickElement();
  std::string pickStored();
  std::string pickFloat8();
  std::vector<int64_t> pickShape();
  Type withElement(const Type &type, const std::string &element) {
    return {type.shape, element};
  }

  // Values.
  const Tile &pickTile() { return pool[random.below(pool.size())]; }
  Tile pickUnused();
  Tile pickOf(const Type &type, const std::string &butNot = "");
  Tile make(const Type &type);
  Tile add(const Type &type, const std::string &operation);
  std::string makeLiteral(const Type &type);
  std::string makeScalar(const Type &type);

  // Structure.
  void pickBlock();
  void pickGrid();
  void makeScalars();
  std::vector<int64_t> pickSizes(int64_t rank);
  std::vector<int64_t> pickSizesAround(const std::vector<int64_t> &shape);
  Array makeArray(const std::string &element, std::vector<int64_t> sizes,
                  bool isOutput);
  std::string pickOffset(int64_t extent);
  std::string pickInside(int64_t slack);
  std::string pickAtomic(const std::string &order);
  /// By value: a mask may bring more arrays.
  Tile loadFrom(Array array, const Type &type, const std::string &along);
  void addLoad();
  void addStore(const Tile &tile, bool isSeen = false);

  // Steps.
  void steps(int64_t count);
  void step();
  void addFloatOp(const Tile &x);
  void addIntegerOp(const Tile &x);
  void addBoolOp(const Tile &x);
  void addCompare(const Tile &x);
  void addSelect(const Tile &x);
  void addBitcast(const Tile &x);
  void addConvertLayout(const Tile &x);
  void addCast(const Tile &x);
  std::vector<std::string> pickPart(std::vector<int64_t> &shape);
  void addView(const Tile &x);
  void addSteppedView(const Tile &x);
  std::string pickMask(const Type &type);
  Tile makeReversed(const Type &type, int64_t axis);
  void addTake(const Tile &x);
  void addPut(const Tile &x);
  void addHistogram(const Tile &x);
  void addStack(const Tile &x);
  void addExtract(const Tile &x);
  void addInsert(const Tile &x);
  void addJoin(const Tile &x);
  void addTranspose(const Tile &x);
  void addBroadcast(const Tile &x);
  void addReshape(const Tile &x);
  void shareIndices(std::vector<int64_t> &shape, int64_t axis);
  Tile makeIndices(const Type &type, int64_t axis);
  void addGather();
  void addRandom();
  void addAssert(const Tile &x);
  void addScatter(const Tile &tile, const Array &array,
                  const std::vector<std::string> &at, bool isInside);
  void addUpdate(const Tile &tile, const Array &array,
                 const std::vector<std::string> &at, bool isOrdered,
                 bool isInside);
  void addCombination(const Tile &x);
  std::string pickKind(const Type &type);
  std::string pickAxis(std::vector<int64_t> &shape);
  std::string makeComposition(const Type &type);
  void addPair(const Type &type, const std::string &operation);
  void addReduce(const Tile &x);
  void addScan(const Tile &x);
  void addArgReduce(const Tile &x);
  void addSort(const Tile &x);
  void addTopK(const Tile &x);
  void addMap(const Tile &x);
  struct Product;
  Product pickProduct();
  std::string pickTiling(const Product &product, std::vector<int64_t> &batch,
                         int64_t &m, int64_t &n);
  Tile pickOperand(std::vector<int64_t> batch, int64_t rows, int64_t columns,
                   const std::string &element, bool isForGroup);
  void addMatmul();
  void addLoop();
  void addBranch();
  void addCall();

  Random random;
  std::string functions, head, body;
  std::vector<std::string> parameters;
  std::vector<Tile> pool;
  /// Names that are an operand of something.
  std::set<std::string> used;
  std::vector<Array> inputs;
  /// Scalars of type index with small values of any sign.
  std::vector<std::string> offsets;
  /// The block's number in the grid.
  std::string block;
  /// Attributes of the kernel.
  std::vector<std::string> attributes;
  /// Zero where the program does not say.
  int64_t numWarps = 0, numBlocks = 0;
  size_t indent = 2;
  int nextName = 0, depth = 0;
  int numFunctions = 0;
  bool isInFunction = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Types and values
//===----------------------------------------------------------------------===//

/// Tiles stay small: the compiler is tried, not the machine.
static constexpr int64_t kMaxElements = 2048;
static constexpr int64_t kMaxArrayElements = 1 << 14;

std::string Generator::pickElement() {
  return random.pick<std::string>({"f32", "f32", "f32", "f16", "f16", "bf16",
                                   "f64", "i32", "i32", "i8", "i16", "i64",
                                   "index"});
}

/// The types of arrays: also those of which little is computed.
std::string Generator::pickStored() {
  if (random.chance(10))
    return random.pick<std::string>({"complex<f32>", "complex<f64>", "i1"});
  return random.chance(6) ? pickFloat8() : pickElement();
}

std::string Generator::pickFloat8() {
  return random.pick<std::string>({"f8E4M3FN", "f8E5M2"});
}

std::vector<int64_t> Generator::pickShape() {
  int64_t rank = random.pick<int64_t>({0, 1, 1, 2, 2, 2, 2, 3, 3, 4});
  std::vector<int64_t> shape;
  int64_t size = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = random.pick<int64_t>(
        {1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 16, 17, 31, 32, 32, 33, 64});
    while (size * extent > kMaxElements)
      extent = (extent + 1) / 2 == extent ? 1 : (extent + 1) / 2;
    shape.push_back(extent);
    size *= extent;
  }
  return shape;
}

/// Appends a line. What stands behind its "=" is used.
void Generator::line(const std::string &text) {
  body += std::string(indent, ' ') + text + "\n";
  size_t at = text.find(" = ");
  for (at = text.find('%', at == std::string::npos ? 0 : at);
       at != std::string::npos; at = text.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && llvm::isAlnum(text[end]))
      ++end;
    used.insert(text.substr(at, end - at));
  }
}

/// Rather a tile that nothing uses yet: what is computed should be seen.
Tile Generator::pickUnused() {
  std::vector<Tile> unused;
  for (const Tile &tile : pool)
    if (!used.count(tile.name))
      unused.push_back(tile);
  return unused.empty() || random.chance(25) ? pickTile() : random.pick(unused);
}

std::string Generator::index(int64_t value) {
  std::string name = fresh();
  line(name + " = arith.constant " + std::to_string(value) + " : index");
  return name;
}

/// A splat constant of the type.
std::string Generator::makeLiteral(const Type &type) {
  if (type.isBool())
    return random.chance(50) ? "true" : "false";
  if (!type.isFloat())
    return std::to_string(random.between(-9, 9));
  return random.pick<std::string>(
      {"0.0", "1.0", "-1.0", "0.5", "2.5", "-0.375", "3.0"});
}

/// A scalar constant of the element type.
std::string Generator::makeScalar(const Type &type) {
  std::string name = fresh();
  if (type.isComplex()) {
    Type part{{}, type.element == "complex<f32>" ? "f32" : "f64"};
    std::string real = makeLiteral(part), imaginary = makeLiteral(part);
    line(name + " = complex.constant [" + real + " : " + part.element + ", " +
         imaginary + " : " + part.element + "] : " + type.element);
  } else {
    line(name + " = arith.constant " + makeLiteral(type) +
         (type.isBool() ? "" : " : " + type.element));
  }
  return name;
}

Tile Generator::add(const Type &type, const std::string &operation) {
  Tile tile{fresh(), type};
  line(tile.name + " = " + operation);
  pool.push_back(tile);
  return tile;
}

/// A tile of the type: one there is, or a new one; seldom the one called
/// `butNot`, the other operand.
Tile Generator::pickOf(const Type &type, const std::string &butNot) {
  std::vector<Tile> there, unused;
  bool takesAny = random.chance(5);
  for (const Tile &tile : pool)
    if (tile.type == type && (takesAny || tile.name != butNot)) {
      there.push_back(tile);
      if (!used.count(tile.name))
        unused.push_back(tile);
    }
  if (!unused.empty() && random.chance(60))
    return random.pick(unused);
  if (!there.empty() && !random.chance(20))
    return random.pick(there);
  return make(type);
}

Tile Generator::make(const Type &type) {
  bool hasIota = !type.shape.empty() && !type.isBool() && !type.isFloat8() &&
                 !type.isComplex();
  if (!isInFunction && random.chance(type.isBool() ? 25 : 75)) {
    int64_t rank = static_cast<int64_t>(type.shape.size());
    for (const Array &array : inputs)
      if (array.element == type.element && array.rank >= rank)
        return loadFrom(array, type, "");
    if (inputs.size() < 5) {
      inputs.push_back(
          makeArray(type.element, pickSizes(rank), /*isOutput=*/false));
      return loadFrom(inputs.back(), type, "");
    }
  }
  if (hasIota && random.chance(40))
    return add(type, "tile.iota axis " +
                         std::to_string(random.below(type.shape.size())) +
                         " : " + type.str());
  // Constants of tiles are not complex (upstream).
  if (type.isComplex() || random.chance(30)) {
    std::string scalar = makeScalar(type);
    return add(type, "tile.fill " + scalar + " : " + type.str());
  }
  return add(type,
             "arith.constant dense<" + makeLiteral(type) + "> : " + type.str());
}

//===----------------------------------------------------------------------===//
// Arguments, loads, stores
//===----------------------------------------------------------------------===//

void Generator::pickBlock() {
  if (!random.chance(40))
    return;
  numWarps = random.pick<int64_t>({1, 2, 3, 4, 4, 8, 8});
  attributes.push_back("block = " + std::to_string(32 * numWarps) + " : i64");
}

/// Blocks along x, how many the launch says; or along all axes, with their
/// numbers.
void Generator::pickGrid() {
  block = fresh();
  if (!random.chance(30)) {
    head += "  " + block + " = tile.program_id x\n";
    return;
  }
  int64_t x = random.between(1, 3), y = random.between(1, 2),
          z = random.between(1, 6 / (x * y));
  numBlocks = x * y * z;
  attributes.push_back("grid = #tile.grid<affine_map<() -> (" +
                       std::to_string(x) + ", " + std::to_string(y) + ", " +
                       std::to_string(z) + ")> of []>");
  // x + numX * (y + numY * z)
  for (const char *operation :
       {"%x = tile.program_id x", "%y = tile.program_id y",
        "%z = tile.program_id z", "%numX = tile.num_programs x",
        "%numY = tile.num_programs y", "%layer = arith.muli %numY, %z : index",
        "%row = arith.addi %y, %layer : index",
        "%rows = arith.muli %numX, %row : index"})
    head += std::string("  ") + operation + "\n";
  head += "  " + block + " = arith.addi %x, %rows : index\n";
}

void Generator::makeScalars() {
  if (!random.chance(50))
    return;
  std::string name = "%s" + std::to_string(parameters.size());
  parameters.push_back(name + ": index");
  offsets.push_back(name);
}

/// Static and run-time sizes.
std::vector<int64_t> Generator::pickSizes(int64_t rank) {
  std::vector<int64_t> sizes;
  bool isStatic = random.chance(25);
  int64_t count = 1;
  for (int64_t dim = 0; dim < std::max<int64_t>(rank, 1); ++dim) {
    int64_t size = random.pick<int64_t>({1, 5, 16, 24, 33, 40});
    bool isKnown = isStatic || random.chance(15);
    while (isKnown && count * size > kMaxArrayElements)
      size = (size + 1) / 2;
    count *= isKnown ? size : 1;
    sizes.push_back(isKnown ? size : 0);
  }
  return sizes;
}

/// Static sizes of an array that holds a box of the shape.
std::vector<int64_t>
Generator::pickSizesAround(const std::vector<int64_t> &shape) {
  std::vector<int64_t> sizes;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t extent : shape) {
    int64_t size = extent + random.pick<int64_t>({0, 0, 1, 3, 8});
    if (count / extent * size > kMaxArrayElements)
      size = extent;
    count = count / extent * size;
    sizes.push_back(size);
  }
  return sizes;
}

/// Rows that are tight, padded, strided, columns.
Array Generator::makeArray(const std::string &element,
                           std::vector<int64_t> sizes, bool isOutput) {
  Array array;
  array.name = (isOutput ? "%out" : "%in") + std::to_string(parameters.size());
  array.element = element;
  array.rank = static_cast<int64_t>(sizes.size());
  array.sizes = std::move(sizes);
  std::string shape;
  for (int64_t size : array.sizes)
    shape += (size > 0 ? std::to_string(size) : "?") + "x";
  std::string layout;
  int64_t kind = random.below(5);
  if (kind == 1 || kind == 2) { // rows
    std::vector<std::string> strides(array.rank, "?");
    strides.back() = kind == 1 ? "1" : "?";
    layout = ", strided<[" + llvm::join(strides, ", ") + "]>";
  } else if (kind == 3 && array.rank > 1) { // columns
    std::vector<std::string> strides(array.rank, "?");
    strides.front() = "1";
    layout = ", strided<[" + llvm::join(strides, ", ") + "]>";
  }
  array.type = "memref<" + shape + element + layout + ">";
  parameters.push_back(array.name + ": " + array.type);
  return array;
}

/// Where a box begins: at a constant or run-time place, of any sign.
std::string Generator::pickOffset(int64_t extent) {
  if (!offsets.empty() && random.chance(30))
    return random.pick(offsets);
  if (random.chance(60))
    return index(0);
  return index(random.between(-extent / 2 - 1, extent + 3));
}

/// From 0 to `slack`, at run time perhaps: the block's number, kept inside.
std::string Generator::pickInside(int64_t slack) {
  if (slack == 0 || !random.chance(30))
    return index(random.between(0, slack));
  std::string bound = index(slack + 1), offset = fresh();
  line(offset + " = arith.remui " + block + ", " + bound + " : index");
  return offset;
}

/// What an atomic access says of its order, if anything, and its scope.
std::string Generator::pickAtomic(const std::string &order) {
  return (random.chance(50) ? " order " + order : "") +
         random.pick<std::string>({"", " scope block", " scope system"});
}

Tile Generator::loadFrom(Array array, const Type &type,
                         const std::string &along) {
  std::vector<std::string> at;
  int64_t leading = array.rank - static_cast<int64_t>(type.shape.size());
  bool isInside = along.empty() && array.holds(type.shape) && random.chance(60);
  for (int64_t dim = 0; dim < array.rank; ++dim) {
    int64_t extent = dim < leading ? 1 : type.shape[dim - leading];
    at.push_back(isInside        ? pickInside(array.sizes[dim] - extent)
                 : dim < leading ? pickOffset(2)
                                 : pickOffset(extent));
  }
  if (!along.empty())
    at[random.below(array.rank)] = along;
  if (type.isAtomic() && random.chance(8))
    return add(type, "tile.atomic_load " + array.name + "[" +
                         llvm::join(at, ", ") + "]" + pickAtomic("acquire") +
                         (isInside ? " in_bounds" : "") + " : " + array.type +
                         " -> " + type.str());
  std::string pad;
  if (random.chance(20))
    pad = " pad " + makeScalar(type);
  std::string mask = random.chance(8) ? pickMask(type) : "";
  return add(type, "tile.load " + array.name + "[" + llvm::join(at, ", ") +
                       "]" + mask + pad + (isInside ? " in_bounds" : "") +
                       " : " + array.type + " -> " + type.str());
}

void Generator::addLoad() {
  Type type{pickShape(), pickStored()};
  int64_t rank = static_cast<int64_t>(type.shape.size());
  int64_t extra = rank < 4 && random.chance(25) ? 1 : 0;
  std::vector<int64_t> sizes = pickSizes(rank + extra);
  if (random.chance(20)) {
    std::vector<int64_t> box = type.shape;
    box.insert(box.begin(), sizes.size() - box.size(), 1);
    sizes = pickSizesAround(box);
  }
  inputs.push_back(
      makeArray(type.element, std::move(sizes), /*isOutput=*/false));
  loadFrom(inputs.back(), type, "");
}

/// The shape of indices along a dimension: the same for all rows, or each its
/// own.
void Generator::shareIndices(std::vector<int64_t> &shape, int64_t axis) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != axis && random.chance(70))
      extent = 1;
}

/// Indices for a tile along one of its dimensions.
Tile Generator::makeIndices(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i32", "i64", "index"})};
  shareIndices(to.shape, axis);
  if (random.chance(40))
    return pickOf(to);
  std::string start = makeScalar(to), step = makeScalar(to);
  return add(to, "tile.iota axis " + std::to_string(axis) + " from " + start +
                     " step " + step + " : " + to.str());
}

/// A box of an array that the program reads already.
void Generator::addGather() {
  if (inputs.empty())
    return;
  Array array = random.pick(inputs); // more may come
  Type type{pickShape(), array.element};
  int64_t rank = static_cast<int64_t>(type.shape.size());
  if (rank == 0 || rank > array.rank)
    return;
  int64_t axis = random.below(rank);
  Tile indices = makeIndices(type, axis);
  std::string words;
  if (random.chance(30))
    words += pickMask(type);
  if (random.chance(20))
    words += " pad " + makeScalar(type);
  std::vector<std::string> at;
  for (int64_t dim = 0; dim < array.rank; ++dim)
    at.push_back(pickOffset(
        dim < array.rank - rank ? 2 : type.shape[dim - (array.rank - rank)]));
  add(type, "tile.gather " + array.name + "[" + llvm::join(at, ", ") + "] at " +
                indices.name + " axis " + std::to_string(axis) + words + " : " +
                array.type + ", " + indices.type.str() + " -> " + type.str());
}

void Generator::addRandom() {
  Type type{pickShape(), random.pick<std::string>(
                             {"i8", "i32", "i64", "f16", "f32", "f64"})};
  Type i64{{}, "i64"};
  std::string seed = makeScalar(i64), counter = makeScalar(i64);
  add(type, std::string("tile.random ") +
                (type.isFloat() ? "uniform " : "bits ") + seed + ", " +
                counter + " : " + type.str());
}

/// What holds of every integer.
void Generator::addAssert(const Tile &x) {
  std::string type = " : " + x.type.str();
  Tile one = add(x.type, "arith.constant dense<1>" + type);
  Tile zero = add(x.type, "arith.constant dense<0>" + type);
  Tile odd = add(x.type, "arith.ori " + x.name + ", " + one.name + type);
  Tile holds = add(withElement(x.type, "i1"),
                   "arith.cmpi ne, " + odd.name + ", " + zero.name + type);
  line("tile.assert " + holds.name +
       ", \"expected an odd number\" : " + holds.type.str());
}

/// Blocks write next to each other along one dimension of the box, but where
/// they update one box one after the other. What `isSeen` begins inside of the
/// array and has no mask: every program writes something.
void Generator::addStore(const Tile &tile, bool isSeen) {
  std::vector<int64_t> box = tile.type.shape;
  if (box.empty())
    box.push_back(1);
  int64_t along = random.below(box.size());
  bool isInside = numBlocks > 0 && random.chance(40);
  std::vector<int64_t> sizes;
  if (isInside) {
    std::vector<int64_t> all = box;
    all[along] *= numBlocks;
    sizes = pickSizesAround(all);
  } else {
    sizes = pickSizes(box.size());
  }
  std::vector<std::string> at;
  for (auto [dim, extent] : llvm::enumerate(box))
    at.push_back(!isInside ? (isSeen ? index(0) : pickOffset(extent))
                 : static_cast<int64_t>(dim) == along
                     ? index(random.between(0, sizes[dim] - extent * numBlocks))
                     : pickInside(sizes[dim] - extent));
  Array array =
      makeArray(tile.type.element, std::move(sizes), /*isOutput=*/true);
  bool isUpdate = tile.type.isAtomic() && random.chance(12);
  bool isOrdered = isUpdate && random.chance(40);
  if (isOrdered)
    return addUpdate(tile, array, at, isOrdered, isInside);
  std::string extent = index(box[along]);
  std::string start = fresh(), sum = fresh();
  line(start + " = arith.muli " + block + ", " + extent + " : index");
  line(sum + " = arith.addi " + start + ", " + at[along] + " : index");
  at[along] = sum;
  if (isUpdate)
    return addUpdate(tile, array, at, isOrdered, isInside);
  if (!tile.type.shape.empty() && random.chance(20))
    return addScatter(tile, array, at, isInside);
  bool isAtomic = tile.type.isAtomic() && random.chance(8);
  bool isMasked = !isAtomic && !isSeen && random.chance(15);
  std::string mask = isMasked ? pickMask(tile.type) : "";
  line((isAtomic ? "tile.atomic_store " : "tile.store ") + tile.name + ", " +
       array.name + "[" + llvm::join(at, ", ") + "]" +
       (isAtomic ? pickAtomic("release") : mask) +
       (isInside ? " in_bounds" : "") + " : " + tile.type.str() + ", " +
       array.type);
}

/// " mask %m : type" for a tile of the type.
std::string Generator::pickMask(const Type &type) {
  Tile mask = pickOf(withElement(type, "i1"));
  return " mask " + mask.name + " : " + mask.type.str();
}

/// Indices of the elements along an axis in reverse order: each place once.
Tile Generator::makeReversed(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i64", "index"})};
  shareIndices(to.shape, axis);
  std::string last = fresh(), step = fresh();
  line(last + " = arith.constant " + std::to_string(to.shape[axis] - 1) +
       " : " + to.element);
  line(step + " = arith.constant -1 : " + to.element);
  return add(to, "tile.iota axis " + std::to_string(axis) + " from " + last +
                     " step " + step + " : " + to.str());
}

void Generator::addScatter(const Tile &tile, const Array &array,
                           const std::vector<std::string> &at, bool isInside) {
  int64_t axis = random.below(tile.type.shape.size());
  Tile indices = makeReversed(tile.type, axis);
  line("tile.scatter " + tile.name + ", " + array.name + "[" +
       llvm::join(at, ", ") + "] at " + indices.name + " axis " +
       std::to_string(axis) + (isInside ? " in_bounds" : "") + " : " +
       tile.type.str() + ", " + array.type + ", " + indices.type.str());
}

void Generator::addUpdate(const Tile &tile, const Array &array,
                          const std::vector<std::string> &at, bool isOrdered,
                          bool isInside) {
  std::vector<std::string> kinds = {"add", "min", "max", "exchange",
                                    "compare_exchange"};
  if (!tile.type.isFloat())
    kinds.insert(kinds.end(), {"umin", "umax", "and", "or", "xor"});
  std::string kind = random.pick(kinds), expected;
  if (kind == "compare_exchange")
    expected = " expected " + pickOf(tile.type).name;
  std::string order =
      random.pick<std::string>({"acquire", "release", "acq_rel", "relaxed"});
  Tile old =
      add(tile.type,
          "tile.atomic_rmw " + kind + " " + tile.name + ", " + array.name +
              "[" + llvm::join(at, ", ") + "]" + expected + pickAtomic(order) +
              (isOrdered ? " ordered" : "") + (isInside ? " in_bounds" : "") +
              " : " + tile.type.str() + ", " + array.type);
  if (random.chance(60))
    addStore(old);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

void Generator::addFloatOp(const Tile &x) {
  std::string type = " : " + x.type.str();
  switch (random.below(15)) {
  case 0:
    add(x.type, "arith.negf " + x.name + type);
    return;
  case 1:
    add(x.type, "math.absf " + x.name + type);
    return;
  case 2: {
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, "math.sqrt " + size.name + type);
    return;
  }
  case 12:
  case 13:
    add(x.type, random.pick<std::string>(
                    {"math.cbrt ", "math.expm1 ", "math.erfc ", "math.tan ",
                     "math.asin ", "math.acos ", "math.atan ", "math.sinh ",
                     "math.cosh ", "math.asinh ", "math.atanh "}) +
                    x.name + type);
    return;
  case 14: {
    Tile y = pickOf(x.type, x.name);
    if (random.chance(50)) {
      add(x.type, "math.atan2 " + x.name + ", " + y.name + type);
      return;
    }
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, "math.powf " + size.name + ", " + y.name + type);
    return;
  }
  case 3:
    add(x.type,
        random.pick<std::string>({"math.exp ", "math.tanh ", "math.exp2 ",
                                  "math.sin ", "math.cos ", "math.erf "}) +
            x.name + type);
    return;
  case 6: {
    Tile size = add(x.type, "math.absf " + x.name + type);
    add(x.type, random.pick<std::string>({"math.log ", "math.log2 ",
                                          "math.rsqrt ", "math.log10 ",
                                          "math.log1p ", "math.acosh "}) +
                    size.name + type);
    return;
  }
  case 4: {
    Tile y = pickOf(x.type, x.name), z = pickOf(x.type, y.name);
    add(x.type, "math.fma " + x.name + ", " + y.name + ", " + z.name + type);
    return;
  }
  case 5:
    add(x.type,
        random.pick<std::string>({"math.floor ", "math.ceil ", "math.trunc ",
                                  "math.round ", "math.roundeven "}) +
            x.name + type);
    return;
  default: {
    Tile y = pickOf(x.type, x.name);
    add(x.type, random.pick<std::string>(
                    {"arith.addf ", "arith.addf ", "arith.subf ", "arith.mulf ",
                     "arith.mulf ", "arith.divf ", "arith.maximumf ",
                     "arith.minimumf ", "arith.maxnumf ", "arith.minnumf ",
                     "arith.remf ", "math.copysign "}) +
                    x.name + ", " + y.name + type);
  }
  }
}

void Generator::addIntegerOp(const Tile &x) {
  std::string type = " : " + x.type.str();
  auto splat = [&](int64_t value) {
    return add(x.type,
               "arith.constant dense<" + std::to_string(value) + ">" + type);
  };
  switch (random.below(7)) {
  case 2:
    add(x.type, random.pick<std::string>(
                    {"math.absi ", "math.ctpop ", "math.ctlz ", "math.cttz "}) +
                    x.name + type);
    return;
  case 0: {
    // INT_MIN / -1 overflows.
    Tile y = splat(random.pick<int64_t>({2, 3, 5, 7, 16, -3, -4}));
    add(x.type,
        random.pick<std::string>(
            {"arith.divsi ", "arith.remsi ", "arith.divui ", "arith.remui ",
             "arith.floordivsi ", "arith.ceildivsi ", "arith.ceildivui "}) +
            x.name + ", " + y.name + type);
    return;
  }
  case 1: {
    Tile y = splat(random.between(0, 7));
    add(x.type, random.pick<std::string>(
                    {"arith.shli ", "arith.shrsi ", "arith.shrui "}) +
                    x.name + ", " + y.name + type);
    return;
  }
  default: {
    Tile y = pickOf(x.type, x.name);
    add(x.type, random.pick<std::string>(
                    {"arith.addi ", "arith.subi ", "arith.muli ", "arith.andi ",
                     "arith.ori ", "arith.xori ", "arith.maxsi ",
                     "arith.minsi ", "arith.maxui ", "arith.minui "}) +
                    x.name + ", " + y.name + type);
  }
  }
}

void Generator::addBoolOp(const Tile &x) {
  Tile y = pickOf(x.type, x.name);
  add(x.type,
      random.pick<std::string>({"arith.andi ", "arith.ori ", "arith.xori "}) +
          x.name + ", " + y.name + " : " + x.type.str());
}

void Generator::addCompare(const Tile &x) {
  if (x.type.isFloat() && random.chance(15)) {
    add(withElement(x.type, "i1"),
        random.pick<std::string>(
            {"math.isnan ", "math.isinf ", "math.isfinite "}) +
            x.name + " : " + x.type.str());
    return;
  }
  Tile y = pickOf(x.type, x.name);
  std::string operation =
      x.type.isFloat()
          ? "arith.cmpf " + random.pick<std::string>(
                                {"olt", "oge", "oeq", "une", "ogt", "ule"})
          : "arith.cmpi " + random.pick<std::string>(
                                {"slt", "sge", "eq", "ne", "ult", "uge"});
  add(withElement(x.type, "i1"),
      operation + ", " + x.name + ", " + y.name + " : " + x.type.str());
}

void Generator::addSelect(const Tile &x) {
  if (random.chance(20)) { // one condition for all, the block's number
    std::string number = index(random.below(2)), condition = fresh();
    line(condition + " = arith.cmpi eq, " + block + ", " + number + " : index");
    Tile y = pickOf(x.type, x.name);
    add(x.type, "tile.select " + condition + ", " + x.name + ", " + y.name +
                    " : i1, " + x.type.str());
    return;
  }
  Tile condition = pickOf(withElement(x.type, "i1"));
  Tile y = pickOf(x.type, x.name);
  add(x.type, "tile.select " + condition.name + ", " + x.name + ", " + y.name +
                  " : " + condition.type.str() + ", " + x.type.str());
}

/// Types of the same width whose bits may be taken for each other's.
static std::vector<std::string> getTwins(const std::string &element) {
  static const std::vector<std::string> families[] = {
      {"f64", "i64"},
      {"f32", "i32"},
      {"f16", "bf16", "i16"},
      {"f8E4M3FN", "f8E5M2", "i8"}};
  for (const std::vector<std::string> &family : families)
    if (llvm::is_contained(family, element))
      return family;
  return {element};
}

void Generator::addBitcast(const Tile &x) {
  Type to = withElement(x.type, random.pick(getTwins(x.type.element)));
  add(to,
      "tile.cast " + x.name + " bitcast : " + x.type.str() + " to " + to.str());
}

/// To a declared storage and back.
void Generator::addConvertLayout(const Tile &x) {
  std::string stored = x.type.str(
      random.pick<std::string>({", #tile.shared", ", #tile.register"}));
  std::string name = fresh();
  line(name + " = tile.convert_layout " + x.name + " : " + x.type.str() +
       " to " + stored);
  add(x.type,
      "tile.convert_layout " + name + " : " + stored + " to " + x.type.str());
}

void Generator::addCast(const Tile &x) {
  if (!x.type.isIndex() && random.chance(15))
    return addBitcast(x);
  Type to =
      withElement(x.type, random.chance(12) ? pickFloat8() : pickElement());
  std::string flags;
  if (x.type.isFloat() && !to.isFloat())
    flags = " saturate";
  else if (!x.type.isFloat() && !x.type.isBool() && random.chance(30))
    flags = " unsigned";
  add(to,
      "tile.cast " + x.name + flags + " : " + x.type.str() + " to " + to.str());
}

//===----------------------------------------------------------------------===//
// Shape operations, reductions, products
//===----------------------------------------------------------------------===//

/// A box of a tile: makes the tile's extents the box's, and returns its place.
std::vector<std::string> Generator::pickPart(std::vector<int64_t> &shape) {
  std::vector<std::string> at;
  for (int64_t &extent : shape) {
    int64_t part = random.between(1, extent);
    at.push_back(pickInside(extent - part));
    extent = part;
  }
  return at;
}

/// Dimensions reversed, or of every second or third element; the first ones
/// perhaps left out.
void Generator::addSteppedView(const Tile &x) {
  int64_t rank = static_cast<int64_t>(x.type.shape.size());
  int64_t leading = rank > 0 && random.chance(40) ? random.below(rank + 1) : 0;
  Type to{{}, x.type.element};
  std::vector<std::string> at, steps;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = x.type.shape[dim], step = 1, part = 1;
    if (dim >= leading) {
      step = random.pick<int64_t>({1, 1, -1, -1, 2, -2, 3});
      part = random.between(1, (extent - 1) / std::abs(step) + 1);
      to.shape.push_back(part);
    }
    int64_t reach = (part - 1) * std::abs(step);
    std::string offset = pickInside(extent - 1 - reach);
    if (step < 0 && reach > 0) {
      std::string far = index(reach), sum = fresh();
      line(sum + " = arith.addi " + offset + ", " + far + " : index");
      offset = sum;
    }
    at.push_back(offset);
    steps.push_back(std::to_string(step));
  }
  add(to, "tile.view " + x.name + "[" + llvm::join(at, ", ") + "] steps [" +
              llvm::join(steps, ", ") + "] : " + x.type.str() + " to " +
              to.str());
}

/// By any numbers, brought inside.
void Generator::addTake(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  to.shape[axis] = random.between(1, 2 * to.shape[axis]);
  Type of{to.shape, random.pick<std::string>({"i32", "i32", "i64", "index"})};
  shareIndices(of.shape, axis);
  Tile numbers = pickOf(of);
  Tile extent =
      add(of, "arith.constant dense<" + std::to_string(x.type.shape[axis]) +
                  "> : " + of.str());
  Tile indices = add(of, "arith.remui " + numbers.name + ", " + extent.name +
                             " : " + of.str());
  add(to, "tile.take " + x.name + " at " + indices.name + " axis " +
              std::to_string(axis) + " : " + x.type.str() + ", " +
              indices.type.str() + " to " + to.str());
}

/// A part in reverse order, each place once; or integers added up at any.
void Generator::addPut(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  bool adds = !x.type.isFloat() && !x.type.isComplex() && !x.type.isBool() &&
              !x.type.isFloat8() && random.chance(60);
  Type part = x.type;
  part.shape[axis] =
      random.between(1, adds ? 2 * part.shape[axis] : part.shape[axis]);
  Tile values = pickOf(part);
  Tile indices = adds ? makeIndices(part, axis) : makeReversed(part, axis);
  std::string mask = random.chance(30) ? pickMask(part) : "";
  add(x.type, std::string("tile.put ") + (adds ? "add " : "") + values.name +
                  " into " + x.name + " at " + indices.name + " axis " +
                  std::to_string(axis) + mask + " : " + part.str() + ", " +
                  indices.type.str() + " into " + x.type.str());
}

void Generator::addHistogram(const Tile &x) {
  if (x.type.shape.empty())
    return;
  Type of = withElement(
      x.type, random.pick<std::string>({"i8", "i16", "i32", "i64", "index"}));
  Tile numbers = pickOf(of);
  Type to{{random.between(1, 70)}, random.pick<std::string>({"i32", "i64"})};
  std::string mask = random.chance(30) ? pickMask(of) : "";
  add(to, "tile.histogram " + numbers.name + mask + " : " + of.str() + " to " +
              to.str());
}

/// Elements pushed on a stack, and some of them popped.
void Generator::addStack(const Tile &x) {
  if (x.type.shape.empty())
    return;
  Type type{{random.between(1, 300)}, x.type.element};
  Tile stack = pickOf(type);
  std::string pushes = pickOf(withElement(x.type, "i1")).name;
  std::string begin = fresh();
  line(begin + " = arith.constant " +
       std::to_string(random.between(0, type.shape[0])) + " : i32");
  Type places = withElement(x.type, "i32"), i32{{}, "i32"};
  std::string pushed = fresh(), count = fresh(), at = fresh();
  line(pushed + ", " + count + ", " + at + " = tile.push " + x.name + " mask " +
       pushes + " onto " + stack.name + ", " + begin + " : " + x.type.str() +
       " onto " + type.str());
  pool.push_back({pushed, type});
  pool.push_back({at, places});
  std::string pops = pickOf(withElement(x.type, "i1")).name;
  std::string values = fresh(), rest = fresh(), from = fresh();
  line(values + ", " + rest + ", " + from + " = tile.pop " + pushed + ", " +
       count + " mask " + pops + " : " + type.str() + " to " + x.type.str());
  pool.push_back({values, x.type});
  pool.push_back({from, places});
  add(i32, "tile.fill " + rest + " : " + i32.str());
}

void Generator::addView(const Tile &x) {
  if (random.chance(30))
    return addSteppedView(x);
  Type to = x.type;
  std::vector<std::string> at = pickPart(to.shape);
  add(to, "tile.view " + x.name + "[" + llvm::join(at, ", ") +
              "] : " + x.type.str() + " to " + to.str());
}

void Generator::addExtract(const Tile &x) {
  std::vector<std::string> at;
  for (int64_t extent : x.type.shape)
    at.push_back(pickInside(extent - 1));
  std::string scalar = fresh();
  line(scalar + " = tile.extract " + x.name + "[" + llvm::join(at, ", ") +
       "] : " + x.type.str());
  Type to{pickShape(), x.type.element};
  add(to, "tile.fill " + scalar + " : " + to.str());
}

void Generator::addInsert(const Tile &x) {
  Type from = x.type;
  std::vector<std::string> at = pickPart(from.shape);
  Tile part = pickOf(from);
  add(x.type, "tile.insert " + part.name + " into " + x.name + "[" +
                  llvm::join(at, ", ") + "] : " + from.str() + " into " +
                  x.type.str());
}

void Generator::addJoin(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  std::vector<std::string> names = {x.name}, types = {x.type.str()};
  for (int64_t n = random.below(3); n > 0; --n) {
    Type part = x.type;
    part.shape[axis] = random.between(1, 9);
    to.shape[axis] += part.shape[axis];
    if (to.size() > kMaxElements)
      return;
    names.push_back(pickOf(part).name);
    types.push_back(part.str());
  }
  add(to, "tile.join " + llvm::join(names, ", ") + " axis " +
              std::to_string(axis) + " : " + llvm::join(types, ", ") + " to " +
              to.str());
}

void Generator::addTranspose(const Tile &x) {
  std::vector<int64_t> permutation(x.type.shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (size_t i = permutation.size(); i-- > 1;)
    std::swap(permutation[i], permutation[random.below(i + 1)]);
  Type to = x.type;
  std::vector<std::string> words;
  for (auto [dim, of] : llvm::enumerate(permutation)) {
    to.shape[dim] = x.type.shape[of];
    words.push_back(std::to_string(of));
  }
  add(to, "tile.transpose " + x.name + " [" + llvm::join(words, ", ") +
              "] : " + x.type.str() + " to " + to.str());
}

void Generator::addBroadcast(const Tile &x) {
  Type to = x.type;
  int64_t size = to.size();
  for (int64_t &extent : to.shape)
    if (extent == 1 && random.chance(70)) {
      int64_t repeated = random.pick<int64_t>({2, 3, 8, 17});
      if (size * repeated <= kMaxElements) {
        extent = repeated;
        size *= repeated;
      }
    }
  while (to.shape.size() < 4 && random.chance(40)) {
    int64_t repeated = random.pick<int64_t>({1, 2, 5, 8});
    if (size * repeated > kMaxElements)
      break;
    to.shape.insert(to.shape.begin(), repeated);
    size *= repeated;
  }
  add(to,
      "tile.broadcast " + x.name + " : " + x.type.str() + " to " + to.str());
}

void Generator::addReshape(const Tile &x) {
  // Prime factors, dealt out to new dimensions.
  Type to{std::vector<int64_t>(random.between(1, 4), 1), x.type.element};
  int64_t rest = x.type.size();
  for (int64_t factor = 2; rest > 1; ++factor)
    for (; rest % factor == 0; rest /= factor)
      to.shape[random.below(to.shape.size())] *= factor;
  add(to, "tile.reshape " + x.name + " : " + x.type.str() + " to " + to.str());
}

/// Elements combined, or computed one by one.
void Generator::addCombination(const Tile &x) {
  int64_t choice = random.below(8);
  if (choice >= 6 && !x.type.isComplex() && !x.type.shape.empty())
    return choice == 6 ? addSort(x) : addTopK(x);
  if (choice < 2 || (x.type.isComplex() && choice < 4))
    return addReduce(x);
  if (choice < 4 || x.type.isComplex())
    return addScan(x);
  return choice == 4 ? addArgReduce(x) : addMap(x);
}

std::string Generator::pickKind(const Type &type) {
  if (type.isComplex())
    return random.pick<std::string>({"add", "add", "mul"});
  if (type.isFloat())
    return random.pick<std::string>({"add", "add", "add", "mul", "min", "max"});
  return random.pick<std::string>(
      {"add", "add", "mul", "min", "max", "umin", "umax", "and", "or", "xor"});
}

/// An axis, or none for all, taken from the shape or kept as an extent of one.
std::string Generator::pickAxis(std::vector<int64_t> &shape) {
  bool keeps = random.chance(25);
  std::string words;
  if (!shape.empty() && !random.chance(25)) {
    int64_t dim = random.below(shape.size());
    words = " axis " + std::to_string(dim);
    if (keeps)
      shape[dim] = 1;
    else
      shape.erase(shape.begin() + dim);
  } else if (keeps) {
    shape.assign(shape.size(), 1);
  } else {
    shape.clear();
  }
  return words + (keeps ? " keep" : "");
}

/// Pairs (a, b) of integers for x -> a x + b, one function after the other:
/// associative, and not commutative.
std::string Generator::makeComposition(const Type &type) {
  std::vector<std::string> names;
  for (int n = 0; n < 7; ++n)
    names.push_back(fresh());
  const std::string &t = type.element;
  auto argument = [&](int n) { return names[n] + ": " + t; };
  auto binary = [&](const std::string &name, int result, int a, int b) {
    return "      " + names[result] + " = arith." + name + " " + names[a] +
           ", " + names[b] + " : " + t + "\n";
  };
  return " {\n    ^bb0(" + argument(0) + ", " + argument(1) + ", " +
         argument(2) + ", " + argument(3) + "):\n" + binary("muli", 4, 0, 2) +
         binary("muli", 5, 1, 2) + binary("addi", 6, 5, 3) +
         "      tile.yield " + names[4] + ", " + names[6] + " : " + t + ", " +
         t + "\n    }";
}

/// An operation with two results of one type.
void Generator::addPair(const Type &type, const std::string &operation) {
  std::string name = fresh();
  line(name + ":2 = " + operation);
  pool.push_back({name + "#0", type});
  pool.push_back({name + "#1", type});
}

static bool isComposed(const Type &type) {
  return !type.isFloat() && !type.isComplex() && !type.isBool();
}

void Generator::addReduce(const Tile &x) {
  Type to = x.type;
  std::string axis = pickAxis(to.shape);
  if (!isComposed(x.type) || random.chance(60)) {
    add(to, "tile.reduce " + pickKind(x.type) + " " + x.name + axis + " : " +
                x.type.str() + " to " + to.str());
    return;
  }
  std::string y = pickOf(x.type).name, t = x.type.str();
  addPair(to, "tile.reduce " + x.name + ", " + y + " identity [1 : " +
                  x.type.element + ", 0 : " + x.type.element + "]" + axis +
                  " : " + t + ", " + t + " to " + to.str() + ", " + to.str() +
                  makeComposition(x.type));
}

void Generator::addScan(const Tile &x) {
  std::string words;
  if (!x.type.shape.empty() && !random.chance(25))
    words = " axis " + std::to_string(random.below(x.type.shape.size()));
  if (random.chance(40))
    words += " exclusive";
  if (random.chance(40))
    words += " reverse";
  std::string t = x.type.str();
  if (!isComposed(x.type) || random.chance(60)) {
    add(x.type,
        "tile.scan " + pickKind(x.type) + " " + x.name + words + " : " + t);
    return;
  }
  std::string y = pickOf(x.type).name;
  addPair(x.type, "tile.scan " + x.name + ", " + y + " identity [1 : " +
                      x.type.element + ", 0 : " + x.type.element + "]" + words +
                      " : " + t + ", " + t + makeComposition(x.type));
}

void Generator::addArgReduce(const Tile &x) {
  std::string kind =
      x.type.isFloat()
          ? random.pick<std::string>({"min", "max"})
          : random.pick<std::string>({"min", "max", "umin", "umax"});
  Type to = x.type;
  std::string axis = pickAxis(to.shape);
  Type number =
      withElement(to, random.pick<std::string>({"i32", "i32", "i64", "index"}));
  std::string name = fresh();
  line(name + ":2 = tile.arg_reduce " + kind + " " + x.name + axis + " : " +
       x.type.str() + " to " + to.str() + ", " + number.str());
  pool.push_back({name + "#0", to});
  pool.push_back({name + "#1", number});
}

/// Keys and, perhaps, values.
void Generator::addSort(const Tile &x) {
  std::vector<Tile> tiles = {x};
  for (int64_t n = random.below(3); n > 0; --n)
    tiles.push_back(pickOf(withElement(x.type, pickStored())));
  std::vector<std::string> names, types;
  for (const Tile &tile : tiles) {
    names.push_back(tile.name);
    types.push_back(tile.type.str());
  }
  std::string words =
      " axis " + std::to_string(random.below(x.type.shape.size()));
  if (random.chance(50))
    words += " descending";
  if (!x.type.isFloat() && random.chance(30))
    words += " unsigned";
  std::string name = fresh();
  line(name + ":" + std::to_string(tiles.size()) + " = tile.sort " +
       llvm::join(names, ", ") + words + " : " + llvm::join(types, ", "));
  for (auto [number, tile] : llvm::enumerate(tiles))
    pool.push_back({name + "#" + std::to_string(number), tile.type});
}

void Generator::addTopK(const Tile &x) {
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  to.shape[axis] = random.between(1, to.shape[axis]);
  Type number =
      withElement(to, random.pick<std::string>({"i32", "i32", "i64", "index"}));
  std::string words = " axis " + std::to_string(axis);
  if (random.chance(50))
    words += " least";
  if (!x.type.isFloat() && random.chance(30))
    words += " unsigned";
  std::string name = fresh();
  line(name + ":2 = tile.top_k " + x.name + words + " : " + x.type.str() +
       " to " + to.str() + ", " + number.str());
  pool.push_back({name + "#0", to});
  pool.push_back({name + "#1", number});
}

/// A region with an operation, and a choice between its result and an element.
void Generator::addMap(const Tile &x) {
  Tile y = pickOf(x.type);
  const std::string &t = x.type.element;
  std::string a = fresh(), b = fresh(), c = fresh(), isLess = fresh(),
              result = fresh();
  std::string operation =
      x.type.isFloat()  ? random.pick<std::string>({"addf", "mulf", "maximumf"})
      : x.type.isBool() ? random.pick<std::string>({"andi", "xori"})
                        : random.pick<std::string>({"addi", "muli", "minsi"});
  std::string text = "tile.map " + x.name + ", " + y.name + " : " +
                     x.type.str() + ", " + x.type.str() + " to " +
                     x.type.str() + " {\n    ^bb0(" + a + ": " + t + ", " + b +
                     ": " + t + "):\n      " + c + " = arith." + operation +
                     " " + a + ", " + b + " : " + t + "\n";
  if (x.type.isFloat() || random.chance(50))
    result = c;
  else
    text += "      " + isLess + " = arith.cmpi ult, " + a + ", " + b + " : " +
            t + "\n      " + result + " = scf.if " + isLess + " -> (" + t +
            ") {\n        scf.yield " + a + " : " + t +
            "\n      } else {\n        scf.yield " + c + " : " + t +
            "\n      }\n";
  add(x.type, text + "      tile.yield " + result + " : " + t + "\n    }");
}

/// Of a product by tensor cores: what all architectures have in common.
struct Generator::Product {
  /// Of A and B, and of C.
  std::string element, accumulator;
  bool isTF32 = false;
  /// The matrix instruction; empty for none, or not the same everywhere.
  std::string atom = {};
  /// Rows and columns of a sub-tile of it.
  int64_t rows = 0, columns = 0;

  bool isFloat8() const { return llvm::StringRef(element).starts_with("f8"); }
  /// Whether four warps can multiply it, on sm_90a.
  bool isForGroups() const {
    return accumulator == "f32" &&
           (element == "f16" || element == "bf16" || isFloat8());
  }
};

Generator::Product Generator::pickProduct() {
  return random.pick<Product>({{"f16", "f32", false, "m16n8k16", 16, 8},
                               {"f16", "f32", false, "m16n8k16", 16, 8},
                               {"f16", "f16", false, "m16n8k16", 16, 8},
                               {"bf16", "f32", false, "m16n8k16", 16, 8},
                               {"f32", "f32", true, "m16n8k8", 16, 16},
                               {"i8", "i32", false, "m16n8k32", 16, 16},
                               {"f64", "f64", false, "m8n8k4", 16, 8},
                               {"f8E4M3FN", "f32"},
                               {"f8E5M2", "f32"},
                               {"f32", "f32"},
                               {"f32", "f32"},
                               {"i16", "i16"},
                               {"i32", "i32"},
                               {"i64", "i64"},
                               {"complex<f32>", "complex<f32>"},
                               {"complex<f64>", "complex<f64>"}});
}

/// How the product of m by n, or a batch of them, is spread, perhaps. Warps
/// with work are all warps or a part of them; so the extents follow from them.
std::string Generator::pickTiling(const Product &product,
                                  std::vector<int64_t> &batch, int64_t &m,
                                  int64_t &n) {
  if (random.chance(60))
    return "";
  std::vector<std::string> words;
  if (random.chance(50))
    words.push_back("stages = " + std::to_string(random.between(1, 4)));
  bool isMma = !product.atom.empty() && (product.isTF32 || random.chance(60));
  words.push_back("atom = \"" + (isMma ? product.atom : "fma") + "\"");
  auto addNumbers = [&](const std::string &name, std::vector<int64_t> numbers) {
    std::vector<std::string> parts;
    for (int64_t number : numbers)
      parts.push_back(std::to_string(number));
    words.push_back(name + " = [" + llvm::join(parts, ", ") + "]");
  };
  std::vector<int64_t> warps, sub, thread;
  for (size_t i = 0; i < 2 + batch.size(); ++i) {
    warps.push_back(random.pick<int64_t>({1, 1, 2, 3, 4}));
    sub.push_back(random.pick<int64_t>({1, 1, 2, 3}));
  }
  for (size_t i = 0; i < 2; ++i)
    thread.push_back(random.pick<int64_t>({1, 2, 4}));
  int64_t lanes[2];
  lanes[1] = random.pick<int64_t>({4, 8, 16});
  lanes[0] = 32 / lanes[1];
  size_t first = batch.size();
  int64_t rows =
      warps[first] * sub[first] * (isMma ? product.rows : lanes[0] * thread[0]);
  int64_t columns = warps[first + 1] * sub[first + 1] *
                    (isMma ? product.columns : lanes[1] * thread[1]);
  int64_t products = batch.empty() ? 1 : warps[0] * sub[0];
  if (numWarps != 0 && numWarps % llvm::product_of(warps) == 0 && rows <= 64 &&
      columns <= 64 && products * rows * columns <= kMaxElements) {
    addNumbers("warps", warps);
    if (random.chance(70))
      addNumbers("sub", sub);
    if (!isMma)
      addNumbers("thread", thread);
    if (!batch.empty())
      batch[0] = products;
    // An instruction may be padded.
    m = rows - (isMma ? random.below(product.rows) : 0);
    n = columns - (isMma ? random.below(product.columns) : 0);
  }
  return " tiling <" + llvm::join(words, ", ") + ">";
}

/// An operand of a product: of a batch, or, seldom, of all of it; perhaps
/// another order of dimensions in memory. For four warps that multiply together
/// it is a tile that has no other use yet, most often a load.
Tile Generator::pickOperand(std::vector<int64_t> batch, int64_t rows,
                            int64_t columns, const std::string &element,
                            bool isForGroup) {
  if (random.chance(20))
    batch.clear();
  auto pickTile = [&](const Type &type) {
    return isForGroup ? make(type) : pickOf(type);
  };
  Type to{std::move(batch), element};
  to.shape.insert(to.shape.end(), {rows, columns});
  if (!random.chance(isForGroup ? 50 : 30))
    return pickTile(to);
  std::vector<size_t> permutation(to.shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation.back(), permutation[random.below(to.shape.size() - 1)]);
  Type from = to;
  std::vector<std::string> words;
  for (auto [dim, of] : llvm::enumerate(permutation)) {
    from.shape[of] = to.shape[dim];
    words.push_back(std::to_string(of));
  }
  Tile tile = pickTile(from);
  return add(to, "tile.transpose " + tile.name + " [" +
                     llvm::join(words, ", ") + "] : " + from.str() + " to " +
                     to.str());
}

void Generator::addMatmul() {
  Product product = pickProduct();
  auto extent = [&] {
    return random.pick<int64_t>({1, 3, 7, 8, 16, 16, 17, 24, 32, 32, 33});
  };
  int64_t m = extent(), n = extent(), k = extent();
  std::vector<int64_t> batch;
  if (random.chance(30)) {
    batch.push_back(random.pick<int64_t>({1, 2, 3, 4, 7}));
    while (batch[0] * m * n > kMaxElements)
      m = (m + 1) / 2;
  }
  bool isForGroup = product.isForGroups() && batch.empty() &&
                    numWarps % 4 == 0 && random.chance(90);
  if (isForGroup) {
    m = random.pick<int64_t>({64, 64, 65, 100});
    n = random.pick<int64_t>({8, 16, 16, 19, 20});
  }
  std::string precision = product.isTF32 ? " precision tf32" : "";
  if (product.isFloat8() && random.chance(50))
    precision = " precision fast_accumulation";
  std::string tiling = isForGroup ? "" : pickTiling(product, batch, m, n);
  Tile lhs = pickOperand(batch, m, k, product.element, isForGroup);
  Tile rhs = pickOperand(batch, k, n, product.element, isForGroup);
  Type sum{batch, product.accumulator};
  sum.shape.insert(sum.shape.end(), {m, n});
  Tile acc = pickOf(sum);
  add(acc.type, "tile.matmul " + lhs.name + ", " + rhs.name + ", " + acc.name +
                    precision + tiling + " : " + lhs.type.str() + ", " +
                    rhs.type.str() + " -> " + acc.type.str());
}

//===----------------------------------------------------------------------===//
// Regions and calls
//===----------------------------------------------------------------------===//

/// A loop of a few iterations that carries one tile, over arrays it reads.
void Generator::addLoop() {
  Tile init = pickTile();
  std::string low = index(0), step = index(random.pick<int64_t>({1, 2, 8})),
              high = index(random.pick<int64_t>({0, 1, 3, 5, 9, 17}));
  std::string iv = fresh(), carried = fresh(), result = fresh();
  line(result + " = scf.for " + iv + " = " + low + " to " + high + " step " +
       step + " iter_args(" + carried + " = " + init.name + ") -> (" +
       init.type.str() + ") {");
  size_t outer = pool.size();
  indent += 2;
  ++depth;
  pool.push_back({carried, init.type});
  if (!inputs.empty() && random.chance(70)) {
    const Array &array = random.pick(inputs);
    Type type{pickShape(), array.element};
    if (static_cast<int64_t>(type.shape.size()) <= array.rank)
      loadFrom(array, type, iv);
  }
  steps(random.between(1, 3));
  bool isSum = random.chance(60) && !init.type.isBool() &&
               !init.type.isFloat8() && !init.type.isComplex();
  Tile yielded = isSum ? [&] {
    Tile y = pickOf(init.type);
    return add(init.type,
               (init.type.isFloat() ? "arith.addf " : "arith.addi ") + carried +
                   ", " + y.name + " : " + init.type.str());
  }()
                       : pickOf(init.type);
  line("scf.yield " + yielded.name + " : " + init.type.str());
  indent -= 2;
  --depth;
  line("}");
  pool.resize(outer);
  pool.push_back({result, init.type});
}

/// A branch on the block's number.
void Generator::addBranch() {
  Type type = pickTile().type;
  std::string zero = index(random.below(2)), condition = fresh(),
              result = fresh();
  line(condition + " = arith.cmpi eq, " + block + ", " + zero + " : index");
  line(result + " = scf.if " + condition + " -> (" + type.str() + ") {");
  size_t outer = pool.size();
  for (bool isElse : {false, true}) {
    if (isElse)
      line("} else {");
    indent += 2;
    ++depth;
    steps(random.between(1, 2));
    Tile yielded = pickOf(type);
    line("scf.yield " + yielded.name + " : " + type.str());
    indent -= 2;
    --depth;
    pool.resize(outer);
  }
  line("}");
  pool.push_back({result, type});
}

/// A function of one tile, and a call of it.
void Generator::addCall() {
  Tile argument = pickTile();
  std::string name = "@g" + std::to_string(numFunctions++);
  std::vector<Tile> callers = std::move(pool);
  std::string callersBody = std::move(body);
  std::string callersBlock = block;
  pool = {{"%x", argument.type}};
  body.clear();
  size_t callersIndent = std::exchange(indent, 2);
  std::vector<std::string> callersOffsets = std::exchange(offsets, {});
  std::vector<Array> callersInputs = std::exchange(inputs, {});
  bool wasInFunction = std::exchange(isInFunction, true);
  ++depth;
  block = fresh();
  line(block + " = tile." +
       random.pick<std::string>({"program_id x", "program_id x", "program_id y",
                                 "program_id z", "num_programs x",
                                 "num_programs z"}));
  steps(random.between(1, 3));
  --depth;
  Tile result = pool.back();
  functions += "func.func private " + name + "(%x: " + argument.type.str() +
               ") -> " + result.type.str() + " {\n" + body + "  return " +
               result.name + " : " + result.type.str() + "\n}\n";
  pool = std::move(callers);
  body = std::move(callersBody);
  block = callersBlock;
  indent = callersIndent;
  offsets = std::move(callersOffsets);
  inputs = std::move(callersInputs);
  isInFunction = wasInFunction;
  add(result.type, "func.call " + name + "(" + argument.name + ") : (" +
                       argument.type.str() + ") -> " + result.type.str());
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Generator::steps(int64_t count) {
  for (int64_t n = 0; n < count; ++n)
    step();
}

void Generator::step() {
  Tile x = pickUnused();
  int64_t choice = random.below(100);
  if (choice < 6 && depth < 2)
    return addLoop();
  if (choice < 10 && depth < 2)
    return addBranch();
  if (choice < 13 && depth < 2)
    return addCall();
  if (choice < 21)
    return addMatmul();
  if (choice < 24)
    switch (random.below(5)) {
    case 0:
      return addHistogram(x);
    case 1:
      return addStack(x);
    case 2:
      return addTake(x);
    default:
      return addPut(x);
    }
  if (choice < 28)
    switch (random.below(6)) {
    case 0:
      return addExtract(x);
    case 1:
      return addInsert(x);
    case 2:
      return addJoin(x);
    default:
      return addView(x);
    }
  if (choice < 32)
    return addTranspose(x);
  if (choice < 36)
    return addBroadcast(x);
  if (choice < 41)
    return addReshape(x);
  if (choice < 44)
    return addConvertLayout(x);
  if (choice < 46 && random.chance(50))
    return random.chance(20) ? addRandom() : addGather();
  if (random.chance(2))
    line("tile.fence" + random.pick<std::string>({"", " acquire", " release"}) +
         random.pick<std::string>({"", " scope block", " scope system"}));
  if (x.type.size() <= 64 && random.chance(2))
    line("tile.print \"x\", " + x.name + " : " + x.type.str());
  if (x.type.isFloat8())
    return choice < 60 ? addSelect(x) : addCast(x);
  if (x.type.isComplex())
    return choice < 60 ? addCombination(x) : addSelect(x);
  if (x.type.isBool())
    return choice < 60   ? addBoolOp(x)
           : choice < 65 ? addSelect(x)
           : choice < 70 ? addCombination(x)
                         : addCast(x);
  if (choice < 51)
    return addCombination(x);
  if (!x.type.isFloat() && random.chance(4))
    return addAssert(x);
  if (choice < 58)
    return addCast(x);
  if (choice < 63)
    return addCompare(x);
  if (choice < 70)
    return addSelect(x);
  return x.type.isFloat() ? addFloatOp(x) : addIntegerOp(x);
}

std::string tile::fuzz::generateProgram(uint64_t seed) {
  return Generator(seed).run();
}
