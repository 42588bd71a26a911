// Launch.cpp - makes the arguments of a launch from a seed, and checks its
// results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Launch.h"

#include "Generate.h"
#include "Random.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

/// The value of bytes that must not be written or are not initialized.
static constexpr uint8_t kPoison = 0xff;
/// Guard bytes before and after an array; a multiple of every alignment.
static constexpr size_t kGuardBytes = 256;

int64_t ArrayMemory::getSpan() const {
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    if (size == 0)
      return 0;
    span += (size - 1) * std::abs(stride);
  }
  return span;
}

int64_t ArrayMemory::getLow() const {
  int64_t low = 0;
  for (auto [size, stride] : llvm::zip(sizes, strides))
    low += std::max<int64_t>(size - 1, 0) * std::max<int64_t>(-stride, 0);
  return low;
}

static bool isOnlyRead(Value argument) {
  return llvm::all_of(argument.getUsers(), [](Operation *user) {
    return isa<LoadOp, GatherOp, AtomicLoadOp, memref::DimOp>(user);
  });
}

/// Whether the kernel only stores to the array, so that elements it does not
/// write are irrelevant.
static bool isOnlyStoredTo(Value argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(),
                      [](Operation *user) { return isa<StoreOp>(user); });
}

/// Maximum size of an array, since the evaluator keeps an Element for each one.
static constexpr int64_t kMaxElements = 1 << 14;

/// Returns the declared sizes, and random sizes for dimensions that are known
/// only at run time.
static std::vector<int64_t> pickSizes(MemRefType type, Random &random) {
  std::vector<int64_t> sizes = type.getShape().vec();
  int64_t count = 1;
  SmallVector<int64_t *> free;
  for (int64_t &size : sizes) {
    if (ShapedType::isDynamic(size)) {
      size = random.pick<int64_t>({1, 3, 8, 16, 17, 32, 40, 61, 64});
      free.push_back(&size);
    }
    count *= size;
  }
  while (count > kMaxElements && !free.empty()) {
    int64_t *longest = *llvm::max_element(
        free, [](int64_t *a, int64_t *b) { return *a < *b; });
    if (*longest == 1)
      break;
    count = count / *longest * (*longest / 2);
    *longest /= 2;
  }
  return sizes;
}

/// Returns the constant grid that the kernel specifies; else some blocks along
/// x.
static std::array<int64_t, 3> pickGrid(KernelOp kernel, Random &random) {
  std::array<int64_t, 3> grid = {random.between(1, kMaxBlocks), 1, 1};
  std::optional<GridAttr> named = kernel.getGrid();
  if (named && named->getSources().empty())
    for (auto [blocks, factors] : llvm::zip(grid, named->getExtents())) {
      blocks = 1;
      for (AffineExpr factor : factors)
        blocks *= cast<AffineConstantExpr>(factor).getValue();
    }
  return grid;
}

Launch::Launch(KernelOp kernel, uint64_t seed, bool sharesMemory)
    : sharesMemory(sharesMemory) {
  Random random(mixSeed(seed, 1));
  grid = pickGrid(kernel, random);
  isAligned = random.chance(40);
  for (BlockArgument argument : kernel.getBody().front().getArguments()) {
    uint64_t own = mixSeed(seed, 100 + argument.getArgNumber());
    if (isa<MemRefType>(argument.getType()))
      addArray(argument, own);
    else
      addScalar(argument.getType(), own);
  }
}

Launch::Launch(KernelOp kernel, const std::vector<ArgumentValue> &values,
               const std::array<int64_t, 3> &grid)
    : grid(grid) {
  for (auto [type, value] :
       llvm::zip_equal(kernel.getArgumentTypes(), values)) {
    if (!value.array) {
      positions.push_back(-1);
      scalars.push_back(value.scalar);
      scalarTypes.push_back(type);
      continue;
    }
    ArrayMemory array;
    array.type = cast<MemRefType>(type);
    array.sizes = value.array->sizes;
    array.strides = value.array->strides;
    size_t bytes = getElementBytes(value.array->element);
    array.bytes.assign(2 * kGuardBytes + array.getSpan() * bytes, kPoison);
    array.begin = kGuardBytes;
    for (auto [n, element] : llvm::enumerate(value.array->elements))
      writeElement(array.bytes.data() + array.begin + n * bytes, element,
                   value.array->element);
    positions.push_back(static_cast<int>(arrays.size()));
    owners.push_back(arrays.size());
    arrays.push_back(std::move(array));
  }
}

/// Picks the strides that are known only at run time, for dense rows or rows
/// with gaps. The dimension with stride one is innermost; the other dimensions
/// follow from the last to the first.
static std::vector<int64_t> pickStrides(MemRefType type,
                                        ArrayRef<int64_t> sizes, bool isAligned,
                                        Random &random) {
  SmallVector<int64_t> fixed = type.getStridesAndOffset().first;
  SmallVector<size_t> order;
  for (size_t dim = sizes.size(); dim-- > 0;)
    order.push_back(dim);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return (fixed[a] == 1) > (fixed[b] == 1);
  });
  std::vector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (size_t dim : order) {
    if (!ShapedType::isDynamic(fixed[dim]))
      strides[dim] = fixed[dim];
    else
      strides[dim] = next + random.pick<int64_t>({0, 0, 1, 8}) +
                     (random.chance(50) ? llvm::alignTo(next, 16) - next : 0);
    if (ShapedType::isDynamic(fixed[dim]) && isAligned && next > 1)
      strides[dim] = llvm::alignTo(next, 16);
    next = strides[dim] * std::max<int64_t>(sizes[dim], 1);
  }
  return strides;
}

/// Rarely makes run-time strides negative, or zero if that is allowed.
static void turnStrides(MemRefType type, bool mayBeZero,
                        std::vector<int64_t> &strides, Random &random) {
  if (!random.chance(12))
    return;
  for (auto [fixed, stride] :
       llvm::zip(type.getStridesAndOffset().first, strides))
    if (ShapedType::isDynamic(fixed))
      stride *= random.pick<int64_t>({1, -1, mayBeZero ? 0 : -1});
}

static Element pickElement(Type type, Random &random) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Element real = pickElement(complex.getElementType(), random);
    return Element::ofComplex(real,
                              pickElement(complex.getElementType(), random));
  }
  if (!isInteger(type))
    return Element::ofFloat(roundTo(random.normal(), type));
  int64_t value = random.chance(70) ? random.between(-20, 20)
                                    : static_cast<int64_t>(random.bits());
  return Element::ofInteger(wrapInteger(value, type));
}

/// Rounds a floating-point value to a multiple of 1 / `steps`, unless that is
/// zero.
static Element quantize(const Element &element, Type type, double steps) {
  if (isInteger(type) || steps == 0)
    return element;
  auto round = [&](double value) { return std::round(value * steps) / steps; };
  return Element::ofDual(
      ComplexDual(WideComplex(round(element.value), round(element.imaginary))));
}

/// Sometimes passes the memory of an earlier argument again, if both have the
/// same type and are only read. Returns whether it does.
bool Launch::addTwin(BlockArgument argument, Random &random) {
  if (!isOnlyRead(argument) || !random.chance(30))
    return false;
  for (BlockArgument other : argument.getOwner()->getArguments().take_front(
           argument.getArgNumber())) {
    if (other.getType() != argument.getType() || !isOnlyRead(other))
      continue;
    int position = positions[other.getArgNumber()];
    positions.push_back(static_cast<int>(arrays.size()));
    owners.push_back(owners[position]);
    arrays.push_back(ArrayMemory(arrays[position]));
    return true;
  }
  return false;
}

void Launch::addArray(BlockArgument argument, uint64_t seed) {
  // Rare choices use their own generator, so that they do not change other
  // choices.
  Random random(seed), seldom(mixSeed(seed, 1));
  auto type = cast<MemRefType>(argument.getType());
  if (sharesMemory && addTwin(argument, seldom))
    return;
  ArrayMemory array;
  array.type = type;
  array.sizes = pickSizes(type, random);
  array.strides = pickStrides(type, array.sizes, isAligned, random);
  turnStrides(type, sharesMemory && isOnlyRead(argument), array.strides,
              seldom);
  Type element = type.getElementType();
  size_t bytes = getElementBytes(element);
  array.bytes.assign(2 * kGuardBytes + 64 + array.getSpan() * bytes, kPoison);
  // The element with coordinates 0 is at a multiple of 64 bytes, or one element
  // after it.
  size_t first =
      reinterpret_cast<size_t>(array.bytes.data()) + array.getLow() * bytes;
  bool isShifted = !random.chance(50) && !isAligned;
  array.begin = kGuardBytes + (64 - first % 64) % 64 + (isShifted ? bytes : 0);
  double steps = !sharesMemory && seldom.chance(25) ? 2 : 0;
  if (!isOnlyStoredTo(argument))
    for (int64_t n = 0; n < array.getSpan(); ++n)
      writeElement(array.bytes.data() + array.begin + n * bytes,
                   quantize(pickElement(element, random), element, steps),
                   element);
  positions.push_back(static_cast<int>(arrays.size()));
  owners.push_back(arrays.size());
  arrays.push_back(std::move(array));
}

void Launch::addScalar(Type type, uint64_t seed) {
  Random random(seed);
  positions.push_back(-1);
  scalars.push_back(type.isIndex() ? Element::ofInteger(random.between(-9, 20))
                                   : pickElement(type, random));
  scalarTypes.push_back(type);
}

std::vector<ArgumentValue> Launch::getValues() const {
  std::vector<ArgumentValue> values;
  size_t nextScalar = 0;
  for (int position : positions) {
    ArgumentValue value;
    if (position < 0) {
      value.scalar = scalars[nextScalar++];
    } else {
      const ArrayMemory &memory = arrays[position];
      ArrayValue array;
      array.element = memory.type.getElementType();
      array.sizes = memory.sizes;
      array.strides = memory.strides;
      array.low = memory.getLow();
      size_t bytes = getElementBytes(array.element);
      array.elements.reserve(memory.getSpan());
      for (int64_t n = 0; n < memory.getSpan(); ++n)
        array.elements.push_back(readElement(
            memory.bytes.data() + memory.begin + n * bytes, array.element));
      array.isWritten.resize(array.elements.size());
      value.array = std::move(array);
    }
    values.push_back(std::move(value));
  }
  return values;
}

uint8_t *Launch::getFirst(std::vector<ArrayMemory> &memory,
                          size_t array) const {
  ArrayMemory &owner = memory[owners[array]];
  return owner.bytes.data() + owner.begin +
         owner.getLow() * getElementBytes(owner.type.getElementType());
}

std::vector<void *> Launch::getParameters(std::vector<ArrayMemory> &memory) {
  cells.clear();
  cells.reserve(positions.size() * 9);
  size_t nextScalar = 0;
  for (int position : positions) {
    if (position < 0) {
      uint64_t cell = 0;
      writeElement(&cell, scalars[nextScalar], scalarTypes[nextScalar]);
      ++nextScalar;
      cells.push_back(cell);
      continue;
    }
    ArrayMemory &array = memory[position];
    cells.push_back(reinterpret_cast<uint64_t>(getFirst(memory, position)));
    auto [strides, offset] = array.type.getStridesAndOffset();
    for (auto [size, declared] : llvm::zip(array.sizes, array.type.getShape()))
      if (ShapedType::isDynamic(declared))
        cells.push_back(size);
    for (auto [stride, declared] : llvm::zip(array.strides, strides))
      if (ShapedType::isDynamic(declared))
        cells.push_back(stride);
  }
  std::vector<void *> parameters;
  for (uint64_t &cell : cells)
    parameters.push_back(&cell);
  return parameters;
}

std::vector<runtime::ArgumentFacts>
Launch::getFacts(std::vector<ArrayMemory> &memory) const {
  std::vector<runtime::ArgumentFacts> facts;
  size_t nextScalar = 0;
  for (int position : positions) {
    runtime::ArgumentFacts fact;
    if (position < 0) {
      fact.integer = scalars[nextScalar++].integer;
    } else {
      ArrayMemory &array = memory[position];
      fact.address = reinterpret_cast<uint64_t>(getFirst(memory, position));
      fact.sizes = array.sizes;
      fact.strides = array.strides;
    }
    facts.push_back(std::move(fact));
  }
  return facts;
}

/// Whether a floating-point value is the expected one, up to `error`.
static bool isExpected(double value, double expected, double error) {
  if (std::isnan(expected) || std::isnan(value))
    return std::isnan(expected) == std::isnan(value);
  // Equal infinities have no difference.
  return value == expected ||
         (error != 0 && std::fabs(value - expected) <= error);
}

/// Whether a value in memory is the expected one.
static bool isExpected(const Element &element, const Element &expected,
                       Type type) {
  if (isInteger(type))
    return element.integer == expected.integer;
  return isExpected(element.value, expected.value, expected.error) &&
         isExpected(element.imaginary, expected.imaginary, expected.error);
}

static void print(llvm::raw_ostream &os, const Element &element, Type type) {
  if (isInteger(type)) {
    os << element.integer;
    return;
  }
  os << llvm::format("%.9g", element.value);
  if (isa<ComplexType>(type))
    os << llvm::format("%+.9gi", element.imaginary);
  if (!element.isExact())
    os << " +- " << llvm::format("%.3g", element.error);
}

std::string Launch::compare(const std::vector<ArrayMemory> &memory,
                            const std::vector<ArgumentValue> &expected,
                            Comparison &counts) const {
  std::string problem;
  llvm::raw_string_ostream os(problem);
  for (auto [argument, position] : llvm::enumerate(positions)) {
    if (position < 0)
      continue;
    const ArrayMemory &before = arrays[position], &after = memory[position];
    const ArrayValue &array = *expected[argument].array;
    size_t bytes = getElementBytes(array.element);
    std::vector<bool> isResult(before.bytes.size());
    int64_t numWrong = 0;
    for (int64_t n = 0; n < before.getSpan(); ++n) {
      if (!array.isWritten[n])
        continue;
      size_t at = before.begin + n * bytes;
      std::fill_n(isResult.begin() + at, bytes, true);
      const Element &wanted = array.elements[n];
      ++(wanted.isUnknown() ? counts.unknown
         : wanted.isExact() ? counts.exact
                            : counts.bounded);
      if (wanted.isUnknown())
        continue;
      Element found = readElement(after.bytes.data() + at, array.element);
      auto others = array.others.find(n);
      bool isOther = others != array.others.end() &&
                     llvm::any_of(others->second, [&](const Element &other) {
                       return isExpected(found, other, array.element);
                     });
      if (isOther || isExpected(found, wanted, array.element) || numWrong++ > 0)
        continue;
      os << "argument " << argument << ", element at distance " << n
         << ": expected ";
      print(os, wanted, array.element);
      os << ", got ";
      print(os, found, array.element);
    }
    if (numWrong > 0) {
      os << " (" << numWrong << " wrong)";
      return problem;
    }
    for (size_t at = 0; at < before.bytes.size(); ++at)
      if (!isResult[at] && before.bytes[at] != after.bytes[at]) {
        os << "argument " << argument << ": expected no write to byte "
           << static_cast<int64_t>(at) - static_cast<int64_t>(before.begin)
           << " of the array, got one";
        return problem;
      }
  }
  return problem;
}
