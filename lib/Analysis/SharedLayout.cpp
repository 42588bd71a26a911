// SharedLayout.cpp - layouts of tiles in shared memory without bank conflicts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/SharedLayout.h"

#include "tile/IR/ConvertLayout.h"

using namespace mlir;
using namespace tile;

/// Unit that swizzles move: 2^4 bytes, the widest access.
static constexpr unsigned kUnitBits = 4;
static constexpr int64_t kUnitBytes = 1 << kUnitBits;
/// Width of all banks in bytes: 32 banks of 4 bytes.
static constexpr unsigned kBankRowBits = 7;
static constexpr int64_t kBankRowBytes = 1 << kBankRowBits;

/// Returns a layout of rows. The buffer is aligned to `unit` bytes or, for a
/// swizzle, to the width of all banks: a swizzle reads bits of the offset above
/// that width.
static SharedAttr getRows(MLIRContext *context, ArrayRef<int64_t> box,
                          int64_t contiguous, int64_t extra,
                          SwizzleAttr swizzle, int64_t unit = kUnitBytes) {
  return getRowsInShared(context, box, contiguous, extra, swizzle,
                         swizzle       ? kBankRowBytes
                         : box.empty() ? kUnitBytes
                                       : unit);
}

/// Whether all extents and steps of a plan's modes are powers of two. Each
/// digit of a thread or value index is then a range of the bits of a
/// coordinate: a gap or a swizzle changes only the constant that is added to an
/// address.
static bool isOfBits(const AccessPlan &plan) {
  auto isOfBits = [](const RegisterMode &mode) {
    return mode.dim < 0 ||
           (llvm::isPowerOf2_64(mode.extent) && llvm::isPowerOf2_64(mode.step));
  };
  return llvm::all_of(plan.layout.getModes(RegisterLayout::kLane), isOfBits) &&
         llvm::all_of(plan.layout.getModes(RegisterLayout::kWarp), isOfBits) &&
         llvm::all_of(plan.layout.getModes(RegisterLayout::kValue), isOfBits);
}

/// Whether swizzles are better than padded rows, which need more memory: if the
/// address of each swizzled element is the sum of a base and a constant, or if
/// ldmatrix, which takes one address for a row, makes some of the accesses.
/// Otherwise the address of each element would take a register.
static bool suitSwizzles(ArrayRef<AccessPlan> plans) {
  return llvm::all_of(plans, isOfBits) ||
         llvm::any_of(plans, [](const AccessPlan &plan) {
           return plan.kind == AccessKind::kLdmatrix ||
                  plan.kind == AccessKind::kLdmatrixTransposed;
         });
}

/// Returns the layouts to try, simplest first: swizzles, which need no more
/// memory, before padded rows if they suit the accesses.
static SmallVector<SharedAttr>
getCandidates(MLIRContext *context, ArrayRef<int64_t> box, int64_t contiguous,
              int64_t elementBytes, int64_t unit, bool suitsSwizzles) {
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
  if (rowBytes % kUnitBytes != 0) {
    // Rows do not start at whole units, so no swizzle is possible. One more
    // element between rows moves each row to other banks.
    candidates.push_back(
        getRowsInShared(context, box, contiguous, /*extra=*/1, SwizzleAttr()));
    return candidates;
  }
  SharedAttr padded = getRows(context, box, contiguous,
                              kUnitBytes / elementBytes, SwizzleAttr());
  if (!suitsSwizzles)
    candidates.push_back(padded);
  // A swizzle permutes bytes within aligned units of 2^(base + bits) bytes.
  // Rows must consist of whole such units, or accesses could exceed the buffer.
  // The bits that a swizzle reads are above those that determine the bank. It
  // moves 2^base bytes as one; more than 16 are for readers whose lanes take
  // turns along a row.
  for (unsigned base = kUnitBits; base < kBankRowBits; ++base)
    for (unsigned bits = 1; base + bits <= kBankRowBits; ++bits)
      for (unsigned from = kBankRowBits; from < kBankRowBits + 5; ++from)
        if (rowBytes % (int64_t(1) << (base + bits)) == 0 &&
            from - base >= bits)
          candidates.push_back(
              getRows(context, box, contiguous, 0,
                      SwizzleAttr::get(context, bits, base, from - base)));
  if (suitsSwizzles)
    candidates.push_back(padded);
  return candidates;
}

/// Returns the number of elements from the start of the buffer to the box of a
/// plan.
static int64_t getStart(const AccessPlan &plan, SharedAttr shared) {
  if (plan.start.empty())
    return 0;
  std::vector<IntTuple> coordinates(plan.start.begin(), plan.start.end());
  return shared.getLayout().getValue()(IntTuple(std::move(coordinates)));
}

/// Returns the plan of a load with vectors no wider than the alignment of rows
/// and of the box's first element permits. The plan of a store is returned
/// unchanged: stores are planned again later, with adjacent lanes on adjacent
/// elements.
static AccessPlan narrow(const AccessPlan &plan, SharedAttr shared,
                         int64_t elementBytes, int64_t start) {
  AccessPlan narrowed = plan;
  if (plan.kind == AccessKind::kLoad)
    while (narrowed.vector > getMaxVector(shared, elementBytes) ||
           start % narrowed.vector != 0)
      narrowed.vector /= 2;
  return narrowed;
}

static Wavefronts countWavefronts(ArrayRef<AccessPlan> plans, SharedAttr shared,
                                  int64_t elementBytes) {
  Wavefronts sum;
  for (const AccessPlan &plan : plans) {
    int64_t start = getStart(plan, shared);
    sum += countPlanWavefronts(narrow(plan, shared, elementBytes, start),
                               shared, elementBytes, start);
  }
  return sum;
}

SharedAttr tile::chooseSharedLayout(MLIRContext *context, ArrayRef<int64_t> box,
                                    int64_t contiguous, int64_t elementBytes,
                                    ArrayRef<AccessPlan> plans, int64_t unit) {
  SharedAttr best;
  int64_t least = 0;
  for (SharedAttr candidate : getCandidates(
           context, box, contiguous, elementBytes, unit, suitSwizzles(plans))) {
    Wavefronts sum = countWavefronts(plans, candidate, elementBytes);
    if (best && sum.actual + sum.accesses >= least)
      continue;
    best = candidate;
    least = sum.actual + sum.accesses;
    if (sum.conflicts() == 0)
      break;
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Gaps
//===----------------------------------------------------------------------===//

namespace {
/// `size` unused elements after every `every` elements.
struct Gap {
  int64_t every, size;
};
} // namespace

/// Returns a row-major layout with `gaps`, which are in ascending order of
/// `every`; null if a gap would split a dimension of the box unevenly.
static SharedAttr getRowsWithGaps(MLIRContext *context, ArrayRef<int64_t> box,
                                  int64_t contiguous, ArrayRef<Gap> gaps) {
  std::vector<IntTuple> shape(box.size(), IntTuple(1)),
      stride(box.size(), IntTuple(0));
  int64_t count = 1, next = 1; // elements so far, without and with gaps
  auto place = [&](int64_t dim) {
    std::vector<IntTuple> extents, strides;
    int64_t left = box[dim];
    auto addDigit = [&](int64_t extent) {
      extents.push_back(IntTuple(extent));
      strides.push_back(IntTuple(next));
      count *= extent;
      next *= extent;
      left /= extent;
    };
    while (!gaps.empty() && gaps.front().every <= count * left) {
      Gap gap = gaps.front();
      if (gap.every % count != 0 || left % (gap.every / count) != 0)
        return false;
      if (gap.every > count)
        addDigit(gap.every / count);
      next += gap.size;
      gaps = gaps.drop_front();
    }
    if (left > 1 || extents.empty())
      addDigit(left);
    bool isOne = extents.size() == 1;
    shape[dim] = isOne ? extents.front() : IntTuple(extents);
    stride[dim] = isOne ? strides.front() : IntTuple(strides);
    return true;
  };
  if (!place(contiguous))
    return {};
  for (int64_t dim = box.size(); dim-- > 0;)
    if (dim != contiguous && !place(dim))
      return {};
  return SharedAttr::get(
      context,
      LayoutAttr::get(context, *Layout::get(IntTuple(shape), IntTuple(stride))),
      SwizzleAttr(), kUnitBytes);
}

/// Returns the distances, in elements, at which gaps are tried. A gap there
/// adds no instruction to the computation of an address. If all modes of the
/// plans have powers of two as extents and steps, the distances are one, two,
/// four, ... times the width of the banks, 128 bytes; otherwise the elements of
/// a row, of a plane, and so on.
static SmallVector<int64_t> listGapDistances(ArrayRef<int64_t> box,
                                             int64_t contiguous,
                                             int64_t elementBytes,
                                             ArrayRef<AccessPlan> plans) {
  SmallVector<int64_t> distances;
  int64_t total = llvm::product_of(box);
  if (llvm::all_of(plans, isOfBits)) {
    for (int64_t every = kBankRowBytes / elementBytes; every < total;
         every *= 2)
      distances.push_back(every);
    return distances;
  }
  int64_t count = box[contiguous];
  for (int64_t dim = box.size(); dim-- > 0;) {
    if (dim == contiguous)
      continue;
    if (count > 1 && count < total && !llvm::is_contained(distances, count))
      distances.push_back(count);
    count *= box[dim];
  }
  return distances;
}

/// Chooses for each distance of listGapDistances in turn the size of the gaps
/// that saves most wavefronts: a gap moves the elements after it to other
/// banks.
SharedAttr tile::chooseExchangeLayout(MLIRContext *context,
                                      ArrayRef<int64_t> box, int64_t contiguous,
                                      int64_t elementBytes,
                                      ArrayRef<AccessPlan> plans) {
  SharedAttr best =
      chooseSharedLayout(context, box, contiguous, elementBytes, plans);
  Wavefronts fewest = countWavefronts(plans, best, elementBytes);
  if (fewest.conflicts() == 0 || box.empty())
    return best;
  int64_t unit = 0;
  for (const AccessPlan &plan : plans)
    unit = std::max(unit, plan.vector * elementBytes);
  SmallVector<Gap> gaps;
  SharedAttr dense = getRowsWithGaps(context, box, contiguous, gaps);
  Wavefronts least = countWavefronts(plans, dense, elementBytes);
  for (int64_t every : listGapDistances(box, contiguous, elementBytes, plans)) {
    SmallVector<Gap> extended;
    for (int64_t size = unit; size < kBankRowBytes; size *= 2) {
      SmallVector<Gap> tried(gaps);
      tried.push_back({every, size / elementBytes});
      SharedAttr candidate = getRowsWithGaps(context, box, contiguous, tried);
      if (!candidate)
        break;
      Wavefronts sum = countWavefronts(plans, candidate, elementBytes);
      if (sum.actual >= least.actual)
        continue;
      least = sum;
      extended = tried;
      if (sum.actual < fewest.actual) {
        fewest = sum;
        best = candidate;
      }
    }
    if (!extended.empty())
      gaps = extended;
    if (least.conflicts() == 0)
      break;
  }
  return best;
}
