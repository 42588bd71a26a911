// SharedLayout.cpp - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/SharedLayout.h"

#include "tile/IR/ConvertLayout.h"

using namespace mlir;
using namespace tile;

/// The unit that swizzles move: 2^4 bytes, the widest access.
static constexpr unsigned kUnitBits = 4;
static constexpr int64_t kUnitBytes = 1 << kUnitBits;
/// One pass over all banks: 32 of 4 bytes.
static constexpr unsigned kBankRowBits = 7;
static constexpr int64_t kBankRowBytes = 1 << kBankRowBits;

/// Rows of whole units, or of passes over all banks where a swizzle counts
/// them.
static SharedAttr getRows(MLIRContext *context, ArrayRef<int64_t> box,
                          int64_t contiguous, int64_t extra,
                          SwizzleAttr swizzle, int64_t unit = kUnitBytes) {
  return getRowsInShared(context, box, contiguous, extra, swizzle,
                         swizzle       ? kBankRowBytes
                         : box.empty() ? kUnitBytes
                                       : unit);
}

/// The layouts to try, simplest first.
static SmallVector<SharedAttr>
getCandidates(MLIRContext *context, ArrayRef<int64_t> box, int64_t contiguous,
              int64_t elementBytes, int64_t unit) {
  SmallVector<SharedAttr> candidates = {
      getRows(context, box, contiguous, 0, SwizzleAttr(), unit)};
  if (box.size() < 2)
    return candidates;
  if (unit < kUnitBytes) {
    candidates.push_back(getRows(context, box, contiguous, unit / elementBytes,
                                 SwizzleAttr(), unit));
    return candidates;
  }
  int64_t rowBytes = box[contiguous] * elementBytes;
  if (rowBytes % kUnitBytes != 0)
    return candidates;
  // A swizzle stays in aligned units of its changed bits: rows must be whole
  // ones, or the buffer's end would be passed. The bits that it reads count
  // passes over the banks. Units of more than 16 bytes are for readers whose
  // lanes take turns along a row.
  for (unsigned base = kUnitBits; base < kBankRowBits; ++base)
    for (unsigned bits = 1; base + bits <= kBankRowBits; ++bits)
      for (unsigned from = kBankRowBits; from < kBankRowBits + 5; ++from)
        if (rowBytes % (int64_t(1) << (base + bits)) == 0 &&
            from - base >= bits)
          candidates.push_back(
              getRows(context, box, contiguous, 0,
                      SwizzleAttr::get(context, bits, base, from - base)));
  candidates.push_back(getRows(context, box, contiguous,
                               kUnitBytes / elementBytes, SwizzleAttr()));
  return candidates;
}

SharedAttr tile::chooseSharedLayout(MLIRContext *context, ArrayRef<int64_t> box,
                                    int64_t contiguous, int64_t elementBytes,
                                    ArrayRef<AccessPlan> plans, int64_t unit) {
  SharedAttr best;
  int64_t least = 0;
  for (SharedAttr candidate :
       getCandidates(context, box, contiguous, elementBytes, unit)) {
    Wavefronts sum;
    for (const AccessPlan &plan : plans) {
      Wavefronts wavefronts =
          countPlanWavefronts(plan, candidate, elementBytes);
      sum.actual += wavefronts.actual;
      sum.minimal += wavefronts.minimal;
    }
    if (best && sum.actual >= least)
      continue;
    best = candidate;
    least = sum.actual;
    if (sum.conflicts() == 0)
      break;
  }
  return best;
}
