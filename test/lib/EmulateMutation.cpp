// EmulateMutation.cpp - a kernel after phase 8, run on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments follow from the number of the launch alone: random normal
// arrays, sizes that no tile divides or that promises hold for, scalars that
// make loops run from once to more than twice around a ring of seven.

#include "EmulateMutation.h"

#include "tile/Target/EmulatorJit.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>
#include <random>

using namespace mlir;
using namespace tile;
using namespace tile::runtime;

namespace {
/// How one launch is made.
struct Shape {
  /// Every run-time size of an array.
  int64_t size;
  /// Every integer scalar.
  int64_t scalar;
  /// Elements between an address that is a multiple of 256 and the array.
  int64_t shift;
  uint64_t seed;
};
} // namespace

/// The promises of a body hold for sizes that are multiples of 16; the others
/// are odd.
static const Shape kShapes[] = {
    {400, 67, 0, 0}, {397, 67, 1, 0},  {400, 2, 0, 1},
    {397, 1, 1, 1},  {400, 461, 0, 2}, {397, 461, 1, 2},
};

namespace {
/// The arguments of one launch in memory.
class Arguments {
public:
  Arguments(const KernelMetadata &kernel, const Shape &shape);

  EmulatorRun getRun(StringRef entry);
  std::vector<char> getResult() const;

  std::vector<ArgumentFacts> facts;

private:
  void addArray(const Argument &argument, const Shape &shape);
  void addMemory(size_t bytes, size_t shift);

  std::mt19937_64 random;
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<EmulatorArray> arrays;
  std::vector<uint64_t> cells;
  std::vector<void *> parameters;
};
} // namespace

static const llvm::fltSemantics *getSemantics(ElementType type) {
  switch (type) {
  case ElementType::F64:
  case ElementType::ComplexF64:
    return &APFloat::IEEEdouble();
  case ElementType::F32:
  case ElementType::ComplexF32:
    return &APFloat::IEEEsingle();
  case ElementType::F16:
    return &APFloat::IEEEhalf();
  case ElementType::BF16:
    return &APFloat::BFloat();
  case ElementType::F8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case ElementType::F8E5M2:
    return &APFloat::Float8E5M2();
  default:
    return nullptr;
  }
}

/// Fills `bytes` with normal numbers, or small integers.
static void fill(char *data, size_t bytes, ElementType type,
                 std::mt19937_64 &random) {
  std::normal_distribution<double> normal;
  const llvm::fltSemantics *semantics = getSemantics(type);
  size_t step =
      semantics ? APFloat::getSizeInBits(*semantics) / 8 : getByteSize(type);
  for (size_t at = 0; at < bytes; at += step) {
    uint64_t bits = random() % (type == ElementType::I1 ? 2 : 41);
    if (semantics) {
      APFloat number(normal(random));
      bool isInexact;
      number.convert(*semantics, APFloat::rmNearestTiesToEven, &isInexact);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    std::memcpy(data + at, &bits, step);
  }
}

/// The strides of the arrays: as declared, else rows without gaps, the
/// dimension of stride one innermost.
static std::vector<int64_t> getStrides(const Argument &argument,
                                       ArrayRef<int64_t> sizes) {
  SmallVector<size_t> order;
  for (size_t dim = sizes.size(); dim-- > 0;)
    order.push_back(dim);
  llvm::stable_sort(order, [&](size_t a, size_t b) {
    return (argument.strides[a] == 1) > (argument.strides[b] == 1);
  });
  std::vector<int64_t> strides(sizes.size());
  int64_t next = 1;
  for (size_t dim : order) {
    strides[dim] = argument.strides[dim].value_or(next);
    next = strides[dim] * sizes[dim];
  }
  return strides;
}

void Arguments::addMemory(size_t bytes, size_t shift) {
  memory.push_back(std::make_unique<char[]>(bytes + shift + 256));
  EmulatorArray array;
  array.first = reinterpret_cast<void *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory.back().get()), 256) +
      shift);
  array.size = bytes;
  arrays.push_back(std::move(array));
  cells.push_back(reinterpret_cast<uint64_t>(arrays.back().first));
}

void Arguments::addArray(const Argument &argument, const Shape &shape) {
  ArgumentFacts &fact = facts.back();
  // Batches are few.
  bool isBatched = argument.shape.size() > 2;
  for (auto [dim, size] : llvm::enumerate(argument.shape))
    fact.sizes.push_back(size.value_or(isBatched && dim == 0 ? 2 : shape.size));
  fact.strides = getStrides(argument, fact.sizes);
  int64_t span = 1;
  for (auto [size, stride] : llvm::zip(fact.sizes, fact.strides))
    span = size == 0 ? 0 : span + (size - 1) * stride;
  int64_t bytes = getByteSize(argument.type);
  addMemory(span * bytes, shape.shift * bytes);
  EmulatorArray &array = arrays.back();
  fact.address = cells.back();
  array.elementBytes = bytes;
  array.extents = fact.sizes;
  for (int64_t stride : fact.strides)
    array.strides.push_back(stride * bytes);
  fill(static_cast<char *>(array.first), array.size, argument.type, random);
  for (auto [declared, size] : llvm::zip(argument.shape, fact.sizes))
    if (!declared)
      cells.push_back(size);
  for (auto [declared, stride] : llvm::zip(argument.strides, fact.strides))
    if (!declared)
      cells.push_back(stride);
}

Arguments::Arguments(const KernelMetadata &kernel, const Shape &shape)
    : random(shape.seed + 1) {
  for (const Argument &argument : kernel.arguments) {
    facts.emplace_back();
    if (argument.kind == Argument::Kind::Array) {
      addArray(argument, shape);
      continue;
    }
    uint64_t cell = shape.scalar;
    if (argument.type == ElementType::I1)
      cell = shape.scalar % 2;
    else if (!isIntegerType(argument.type))
      fill(reinterpret_cast<char *>(&cell),
           std::min<size_t>(8, getByteSize(argument.type)), argument.type,
           random);
    facts.back().integer = static_cast<int64_t>(cell);
    cells.push_back(cell);
  }
  for (const HiddenArgument &hidden : kernel.hiddenArguments) {
    runtime::Result<int64_t> bytes = evaluate(hidden.bytes, facts);
    addMemory(bytes ? *bytes : 0, 0);
  }
  for (uint64_t &cell : cells)
    parameters.push_back(&cell);
}

EmulatorRun Arguments::getRun(StringRef entry) {
  EmulatorRun run;
  run.entry = entry.str();
  run.parameters = parameters.data();
  run.arrays = arrays;
  run.threads = 1;
  return run;
}

std::vector<char> Arguments::getResult() const {
  std::vector<char> bytes;
  for (const EmulatorArray &array : arrays) {
    const char *first = static_cast<const char *>(array.first);
    bytes.insert(bytes.end(), first, first + array.size);
  }
  return bytes;
}

/// The kernel alone, as one that is no body of another's.
static llvm::Expected<std::unique_ptr<EmulatorProgram>>
compileAlone(ModuleOp module, StringRef name) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (KernelOp kernel : llvm::make_early_inc_range(copy->getOps<KernelOp>())) {
    if (kernel.getSymName() != name)
      kernel.erase();
    else
      kernel->removeAttr(kGeneralOfAttr);
  }
  return EmulatorProgram::compile(*copy, "");
}

/// One launch, of one block, as shared memory is a block's own: the finding, or
/// the arrays afterwards. Nothing where the entry point does not take it.
static std::optional<std::vector<char>>
runOne(EmulatorProgram &program, const Shape &shape, std::string &finding) {
  const KernelMetadata &kernel = program.getMetadata().kernels.front();
  const EntryPoint &entry = kernel.entries.front();
  Arguments arguments(kernel, shape);
  bool hasScalars =
      llvm::any_of(kernel.arguments, [](const Argument &argument) {
        return argument.kind == Argument::Kind::Scalar;
      });
  // Without a scalar, launches differ by size and seed alone: two seeds do.
  if (!hasScalars && shape.seed > 1)
    return std::nullopt;
  if (!llvm::all_of(entry.predicates, [&](const Predicate &p) {
        return holds(p, arguments.facts);
      }))
    return std::nullopt;
  EmulatorRun run = arguments.getRun(entry.symbol);
  llvm::Expected<emulator::Outcome> outcome = program.runOnce(run, shape.seed);
  if (!outcome)
    finding = llvm::toString(outcome.takeError());
  else if (!outcome->findings.empty())
    finding = std::string(getName(outcome->findings.front().kind)) + ": " +
              outcome->findings.front().message;
  else if (!outcome->isClean())
    finding = "not run to its end " + outcome->refusal;
  return arguments.getResult();
}

tile::test::Results tile::test::emulateRight(ModuleOp module, StringRef name,
                                             std::string &problem) {
  auto program = compileAlone(module, name);
  if (!program) {
    problem = "does not compile " + llvm::toString(program.takeError());
    return {};
  }
  Results results;
  bool isRun = false;
  for (const Shape &shape : kShapes) {
    std::string finding;
    results.push_back(runOne(**program, shape, finding));
    if (!finding.empty()) {
      problem = finding;
      results.back().reset();
    }
    isRun |= results.back().has_value();
  }
  if (isRun)
    problem.clear();
  else if (problem.empty())
    problem = "no launch fits";
  return results;
}

std::string tile::test::emulateWrong(ModuleOp module, StringRef name,
                                     const Results &right) {
  auto program = compileAlone(module, name);
  if (!program)
    return "does not compile " + llvm::toString(program.takeError());
  for (auto [shape, expected] : llvm::zip(kShapes, right)) {
    if (!expected)
      continue;
    std::string finding;
    auto result = runOne(**program, shape, finding);
    if (finding.empty() && result != expected)
      finding = "wrong values";
    if (!finding.empty())
      return finding;
  }
  return "";
}
