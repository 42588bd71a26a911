// ScheduleResults.cpp - a kernel's results, and where two of them differ
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleResults.h"

#include "tile/Execution/ElementSemantics.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

using namespace llvm;
using namespace tile;
using runtime::ElementType;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Returns the floating-point semantics of the elements of each of `numArrays`
/// arrays; null for other elements, and for workspaces, which follow the
/// arguments.
static std::vector<const fltSemantics *>
getAllSemantics(const runtime::KernelMetadata &kernel, size_t numArrays) {
  std::vector<const fltSemantics *> all;
  for (const runtime::Argument &argument : kernel.arguments)
    if (argument.kind == runtime::Argument::Kind::Array)
      all.push_back(getSemantics(argument.type));
  all.resize(numArrays);
  return all;
}

static double readValue(const char *at, const fltSemantics &semantics) {
  uint64_t bits = 0;
  unsigned width = APFloat::getSizeInBits(semantics);
  std::memcpy(&bits, at, width / 8);
  APFloat value(semantics, APInt(width, bits));
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Returns the least tolerance at which two different values match. If one is
/// not finite, they match at no tolerance: returns infinity.
static double getNeededTolerance(double a, double b) {
  double size = std::max({std::abs(a), std::abs(b), 1.0});
  return std::isfinite(size) ? std::abs(a - b) / size
                             : std::numeric_limits<double>::infinity();
}

using VisitValue = function_ref<void(size_t byte)>;

/// Visits each value of `valueBytes` bytes in the `size` bytes from `byte` on.
static void visitValues(size_t byte, size_t size, size_t valueBytes,
                        VisitValue visit) {
  for (size_t at = 0; at < size; at += valueBytes)
    visit(byte + at);
}

/// Visits the values of an array's elements, from dimension `dim` on.
static void visitValues(const EmulatorArray &array, size_t byte,
                        size_t valueBytes, VisitValue visit, size_t dim = 0) {
  if (array.extents.empty())
    return visitValues(byte, array.size, valueBytes, visit);
  if (dim == array.extents.size())
    return visitValues(byte, array.elementBytes, valueBytes, visit);
  for (int64_t i = 0; i < array.extents[dim]; ++i)
    visitValues(array, byte + i * array.strides[dim], valueBytes, visit,
                dim + 1);
}

namespace {
/// The contents of an array after two schedules, `before` and `now`. Values of
/// `now` that match those of `before` are replaced by the latter.
struct Comparison {
  const EmulatorArray &array;
  const fltSemantics &semantics;
  ArrayRef<char> before;
  std::vector<char> now;

  std::pair<double, double> read(size_t byte) const {
    return {readValue(before.data() + byte, semantics),
            readValue(now.data() + byte, semantics)};
  }
  size_t getBytes() const { return APFloat::getSizeInBits(semantics) / 8; }

  /// Returns the least tolerance at which all values match.
  double getNeeded() const {
    double needed = 0;
    visitValues(array, 0, getBytes(), [&](size_t byte) {
      if (std::memcmp(before.data() + byte, now.data() + byte, getBytes()))
        needed = std::max(needed, std::apply(getNeededTolerance, read(byte)));
    });
    return needed;
  }

  void forgive(double tolerance) {
    visitValues(array, 0, getBytes(), [&](size_t byte) {
      if (std::apply(getNeededTolerance, read(byte)) <= tolerance)
        std::memcpy(now.data() + byte, before.data() + byte, getBytes());
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// ScheduleResults
//===----------------------------------------------------------------------===//

ScheduleResults::ScheduleResults(const std::vector<EmulatorArray> &arrays)
    : arrays(arrays) {
  for (const EmulatorArray &array : arrays) {
    const char *bytes = static_cast<const char *>(array.first);
    contents.emplace_back(bytes, bytes + array.size);
  }
}

void ScheduleResults::restore() const {
  for (auto [array, bytes] : zip_equal(arrays, contents))
    if (!bytes.empty())
      std::memcpy(array.first, bytes.data(), bytes.size());
}

/// Returns the coordinates of the element to which a byte belongs. They are
/// computed in the order of decreasing strides.
static std::vector<int64_t> findElement(const EmulatorArray &array,
                                        size_t byte) {
  std::vector<int64_t> element(array.extents.size());
  auto dims = llvm::to_vector(llvm::seq(array.extents.size()));
  llvm::sort(dims, [&](size_t a, size_t b) {
    return array.strides[a] > array.strides[b];
  });
  int64_t rest = static_cast<int64_t>(byte);
  for (size_t dim : dims) {
    if (array.strides[dim] == 0)
      continue;
    element[dim] = std::min(rest / array.strides[dim], array.extents[dim] - 1);
    rest -= element[dim] * array.strides[dim];
  }
  return element;
}

std::optional<ScheduleDifference>
ScheduleResults::findDifference(const runtime::KernelMetadata &kernel,
                                double tolerance) const {
  std::optional<ScheduleDifference> found;
  double needed = 0;
  for (auto [index, array, semantics, before] :
       enumerate(arrays, getAllSemantics(kernel, arrays.size()), contents)) {
    const char *first = static_cast<const char *>(array.first);
    std::vector<char> now(first, first + array.size);
    if (now == before)
      continue;
    std::optional<Comparison> comparison;
    if (semantics) {
      comparison.emplace(Comparison{array, *semantics, before, now});
      needed = std::max(needed, comparison->getNeeded());
      if (tolerance != 0)
        comparison->forgive(tolerance);
      now = comparison->now;
    } else {
      needed = std::numeric_limits<double>::infinity();
    }
    auto [left, right] =
        std::mismatch(before.begin(), before.end(), now.begin());
    if (left == before.end() || found)
      continue;
    size_t byte = left - before.begin();
    found = {index, byte, findElement(array, byte), std::nullopt, std::nullopt};
    if (comparison)
      found->values = comparison->read(byte / comparison->getBytes() *
                                       comparison->getBytes());
  }
  // A larger difference is not caused by another order of summation.
  constexpr double kMost = 0.01;
  if (found && needed <= kMost)
    found->tolerance = needed;
  return found;
}

std::string ScheduleDifference::describe(const std::string &name) const {
  std::string text;
  raw_string_ostream stream(text);
  if (element.empty()) {
    stream << "byte " << byte;
  } else {
    stream << "[";
    interleaveComma(element, stream);
    stream << "]";
  }
  stream << " of " << name;
  if (values)
    stream << format(", %.9g and %.9g", values->first, values->second);
  return text;
}
