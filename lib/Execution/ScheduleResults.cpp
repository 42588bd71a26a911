// ScheduleResults.cpp - a kernel's results, and where two of them differ
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScheduleResults.h"

#include "tile/Execution/ElementSemantics.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <cstring>

using namespace llvm;
using namespace tile;
using runtime::ElementType;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// Of each of so many arrays: workspaces have none.
static std::vector<const fltSemantics *>
getAllSemantics(const runtime::KernelMetadata &kernel, size_t numArrays) {
  std::vector<const fltSemantics *> all;
  for (const runtime::Argument &argument : kernel.arguments)
    if (argument.kind == runtime::Argument::Kind::Array)
      all.push_back(getSemantics(argument.type));
  all.resize(numArrays);
  return all;
}

static double readNumber(const char *at, const fltSemantics &semantics) {
  uint64_t bits = 0;
  unsigned width = APFloat::getSizeInBits(semantics);
  std::memcpy(&bits, at, width / 8);
  APFloat number(semantics, APInt(width, bits));
  bool losesInfo;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

/// Of numbers that are not finite those are near that are the same.
static bool isNear(double a, double b, double tolerance) {
  double size = std::max({std::abs(a), std::abs(b), 1.0});
  return std::isfinite(size) && std::abs(a - b) <= tolerance * size;
}

/// Sets those of so many bytes of numbers that are near what was there before
/// to that.
static void forgive(char *now, const char *before, size_t size,
                    const fltSemantics &semantics, double tolerance) {
  size_t bytes = APFloat::getSizeInBits(semantics) / 8;
  for (size_t at = 0; at < size; at += bytes)
    if (isNear(readNumber(now + at, semantics),
               readNumber(before + at, semantics), tolerance))
      std::memcpy(now + at, before + at, bytes);
}

/// The same of an array's elements, from dimension `dim` on.
static void forgive(const EmulatorArray &array, char *now, const char *before,
                    const fltSemantics &semantics, double tolerance,
                    size_t dim = 0) {
  if (array.extents.empty())
    return forgive(now, before, array.size, semantics, tolerance);
  if (dim == array.extents.size())
    return forgive(now, before, array.elementBytes, semantics, tolerance);
  for (int64_t i = 0; i < array.extents[dim]; ++i)
    forgive(array, now + i * array.strides[dim],
            before + i * array.strides[dim], semantics, tolerance, dim + 1);
}

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

std::optional<std::pair<size_t, size_t>>
ScheduleResults::findDifference(const runtime::KernelMetadata &kernel,
                                double tolerance) const {
  for (auto [index, array, semantics, before] :
       enumerate(arrays, getAllSemantics(kernel, arrays.size()), contents)) {
    const char *first = static_cast<const char *>(array.first);
    std::vector<char> now(first, first + array.size);
    if (semantics && tolerance != 0 && now != before)
      forgive(array, now.data(), before.data(), *semantics, tolerance);
    auto [left, right] =
        std::mismatch(before.begin(), before.end(), now.begin());
    if (left != before.end())
      return std::pair(size_t(index), size_t(left - before.begin()));
  }
  return std::nullopt;
}
