// GlobalMemory.cpp - arrays of a launch, and knowledge handed over
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GlobalMemory.h"

#include <algorithm>
#include <functional>

using namespace tile::emulator;

//===----------------------------------------------------------------------===//
// One array
//===----------------------------------------------------------------------===//

GlobalArray::GlobalArray(const Array &array)
    : array(array), begin(reinterpret_cast<uint64_t>(array.base)),
      alignedBegin(begin / kGranuleBytes * kGranuleBytes),
      rowBytes(array.bytes),
      shadow(hasShadow() ? begin + array.bytes - alignedBegin : 0) {
  findRows();
}

/// Determines `steps` and `rowBytes` if the dimensions nest, that is, if each
/// stride is at least the span of the inner dimensions. Otherwise (overlapping
/// dimensions, or negative strides) all bytes from the first to the last one
/// count as elements.
void GlobalArray::findRows() {
  std::vector<Step> dims;
  for (size_t i = 0; i < array.extents.size(); ++i) {
    if (array.extents[i] == 1)
      continue;
    if (array.extents[i] <= 0 || array.strides[i] <= 0)
      return;
    dims.push_back({uint64_t(array.strides[i]), uint64_t(array.extents[i])});
  }
  std::sort(dims.begin(), dims.end(),
            [](const Step &a, const Step &b) { return a.stride < b.stride; });
  uint64_t span = array.elementBytes, row = array.elementBytes;
  std::vector<Step> gaps;
  for (const Step &dim : dims) {
    if (dim.stride < span)
      return;
    if (gaps.empty() && dim.stride == row)
      row *= dim.extent;
    else
      gaps.push_back(dim);
    span += dim.stride * (dim.extent - 1);
  }
  if (span > array.bytes || gaps.empty())
    return;
  std::reverse(gaps.begin(), gaps.end());
  steps = std::move(gaps);
  rowBytes = row;
}

bool GlobalArray::contains(uint64_t address, uint64_t bytes) const {
  uint64_t offset = address - begin;
  if (offset >= array.bytes || bytes > array.bytes - offset)
    return false;
  for (const Step &step : steps)
    offset -= std::min(offset / step.stride, step.extent - 1) * step.stride;
  return offset < rowBytes && bytes <= rowBytes - offset;
}

//===----------------------------------------------------------------------===//
// All arrays
//===----------------------------------------------------------------------===//

GlobalMemory::GlobalMemory(const std::vector<Array> &given) {
  std::vector<const Array *> sorted;
  for (const Array &array : given)
    sorted.push_back(&array);
  std::sort(sorted.begin(), sorted.end(), [](const Array *a, const Array *b) {
    return std::less<void *>()(a->base, b->base);
  });
  arrays.reserve(sorted.size());
  for (const Array *array : sorted)
    arrays.emplace_back(*array);
}

GlobalArray *GlobalMemory::find(uint64_t address, uint64_t bytes) {
  // Arrays are so few that a linear search is the fastest. Rows of one array
  // may lie in the gaps of another.
  for (GlobalArray &array : arrays) {
    if (address < array.getBegin())
      break;
    if (array.contains(address, bytes))
      return &array;
  }
  return nullptr;
}

uint32_t GlobalMemory::countBefore(uint64_t address, uint64_t bytes) {
  for (uint32_t before = 0; before < bytes; ++before)
    if (find(address + before, bytes - before))
      return before;
  return 0;
}

const GlobalArray *GlobalMemory::findNearest(uint64_t address) const {
  const GlobalArray *nearest = nullptr;
  uint64_t least = 0;
  for (const GlobalArray &array : arrays) {
    if (array.contains(address, 1))
      return &array;
    uint64_t distance = address < array.getBegin()
                            ? array.getBegin() - address
                            : address - std::min(address, array.getEnd());
    if (!nearest || distance < least) {
      nearest = &array;
      least = distance;
    }
  }
  return nearest;
}

//===----------------------------------------------------------------------===//
// Handovers
//===----------------------------------------------------------------------===//

SnapshotPtr Handovers::take(uint64_t address, uint32_t block) {
  if (!isUsed.load(std::memory_order_acquire))
    return nullptr;
  std::lock_guard<std::mutex> guard(mutex);
  auto slot = slots.find(address);
  if (slot == slots.end())
    return nullptr;
  auto own = slot->second.forBlock.find(block);
  return own == slot->second.forBlock.end()
             ? slot->second.forAll
             : join(slot->second.forAll, own->second);
}

void Handovers::give(uint64_t address, uint32_t block, bool isBlockScope,
                     const SnapshotPtr &snapshot, bool keepsOld) {
  if (!snapshot && (keepsOld || !isUsed.load(std::memory_order_acquire)))
    return;
  isUsed.store(true, std::memory_order_release);
  std::lock_guard<std::mutex> guard(mutex);
  Slot &slot = slots[address];
  if (!keepsOld)
    slot = {};
  SnapshotPtr &target = isBlockScope ? slot.forBlock[block] : slot.forAll;
  target = join(target, snapshot);
}

void Handovers::clear() {
  if (!isUsed.load(std::memory_order_acquire))
    return;
  std::lock_guard<std::mutex> guard(mutex);
  slots.clear();
  isUsed.store(false, std::memory_order_release);
}
