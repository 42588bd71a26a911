// SharedAccess.h - how threads read and write a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access plan specifies which elements each thread touches, vector by
// vector. It is a register layout of the buffer's box whose innermost values
// are one vector. The choice of swizzle, the report's bank conflicts and the
// emitted code all read the same plan, so they cannot disagree.

#ifndef TILE_ANALYSIS_SHAREDACCESS_H
#define TILE_ANALYSIS_SHAREDACCESS_H

#include "tile/Analysis/Tiling.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Number of rows of a matrix that ldmatrix reads: 8x8 matrices, rows of 16
/// bytes (PTX ISA, "ldmatrix").
constexpr int64_t kMatrixRows = 8;

/// Minimum number of bytes that cp.async copies (PTX ISA, "cp.async": cp-size).
constexpr int64_t kMinAsyncBytes = 4;

/// Whether cp.async copies elements of a type, which must be a numeric type of
/// whole bytes.
bool hasBytes(mlir::Type element);

/// Instruction by which a plan accesses a vector.
enum class AccessKind {
  kLoad,              ///< ld.shared of the vector
  kStore,             ///< st.shared of the vector
  kLdmatrix,          ///< ldmatrix: each lane addresses a row of a matrix
  kLdmatrixTransposed ///< ldmatrix.trans
};

struct AccessPlan {
  RegisterLayout layout;
  AccessKind kind;
  /// Number of elements of a vector along `dim`. They are the innermost values
  /// of the layout.
  int64_t vector;
  int64_t dim;
  /// Number of 8x8 matrices that one ldmatrix reads. Lanes from 8 * matrices on
  /// have no row.
  int64_t matrices = 0;
  /// Values that no thread uses. A load of only such values is omitted.
  std::vector<int64_t> unused = {};
  /// Start of the accessed part of a buffer, in the buffer's dimensions; empty
  /// if it is the first element. Only chooseSharedLayout uses it, which runs
  /// before the strides of the buffer are known.
  std::vector<int64_t> start = {};

  int64_t getNumAccesses() const { return layout.getNumValues() / vector; }
};

/// Returns the maximum number of elements of an access along the contiguous
/// dimension that starts at a multiple of as many elements. It is a power of
/// two, with at most 16 bytes. The elements are adjacent in memory, the swizzle
/// keeps them together, and their address is aligned.
int64_t getMaxVector(SharedAttr shared, int64_t elementBytes);

/// Returns the bytes of one buffer, padding of its box and strides included,
/// rounded up to its alignment.
int64_t getBufferBytes(SharedAttr shared, int64_t elementBytes);
int64_t getBufferBytes(mlir::MemRefType buffer);

/// Returns the extents of the box that a matmul's instructions read of operand
/// 0 (lhs) or 1 (rhs), with padding. If the operand has a batch, the extent of
/// the batch comes first.
llvm::SmallVector<int64_t> getOperandBox(const Tiling &tiling, int operand,
                                         int64_t k);

/// Returns how a matmul reads operand 0 or 1 from a buffer whose contiguous
/// dimension is `contiguous`. @pre the operand's box is getOperandBox, its
/// contiguous dimension is not the batch.
AccessPlan getOperandPlan(const Tiling &tiling, int operand,
                          llvm::ArrayRef<int64_t> box, int64_t contiguous,
                          int64_t elementBytes, int64_t numWarps);

/// Returns how the block's threads write (or read) a whole box, at most
/// `maxVector` elements at a time along `contiguous`.
AccessPlan getCopyPlan(llvm::ArrayRef<int64_t> box, int64_t contiguous,
                       int64_t maxVector, int64_t numWarps);

/// Returns a plan by which ldmatrix loads a tile with elements of type
/// `element` into registers from a buffer whose contiguous dimension is
/// `contiguous`. Each access loads the matrices whose registers come next in
/// the layout. Returns nothing if lanes do not hold elements as ldmatrix
/// distributes them. The buffer's rows must start at multiples of 16 bytes and
/// hold the whole of the layout's box.
std::optional<AccessPlan> getMatrixPlan(const RegisterLayout &layout,
                                        int64_t contiguous, mlir::Type element);

/// Overload for a buffer of shape `box` whose accesses have at most
/// `maxVectorBytes`. Returns nothing also if the buffer does not hold all of
/// the layout's box or has no rows for ldmatrix.
std::optional<AccessPlan> getMatrixPlan(const RegisterLayout &layout,
                                        int64_t contiguous, mlir::Type element,
                                        llvm::ArrayRef<int64_t> box,
                                        int64_t maxVectorBytes);

/// The wavefronts that all warps need for all accesses of a plan, and the
/// minimum for the same bytes.
struct Wavefronts {
  int64_t actual = 0;
  int64_t minimal = 0;
  /// Number of accesses: instructions of all warps.
  int64_t accesses = 0;
  int64_t conflicts() const { return actual - minimal; }
  Wavefronts &operator+=(const Wavefronts &other) {
    actual += other.actual;
    minimal += other.minimal;
    accesses += other.accesses;
    return *this;
  }
};
/// Counts the wavefronts of a plan whose box starts `start` elements after the
/// buffer's first one.
Wavefronts countPlanWavefronts(const AccessPlan &plan, SharedAttr shared,
                               int64_t elementBytes, int64_t start = 0);

/// Addresses of the elements of a box in global memory, from which they are
/// copied.
struct CopySource {
  /// Bytes from the start of a line to the box's first element.
  int64_t first;
  /// Bytes from an element to the next one along each dimension.
  llvm::SmallVector<int64_t> strides;
  /// Extents of the part of the box that is read; the rest is zeros.
  llvm::SmallVector<int64_t> extents;
  /// Whether the copy reads, for each element, the bytes from the last multiple
  /// of 16 to the element: the last chunks of rows (RowCover.h).
  bool isEnds = false;
};

/// Counts the wavefronts of cp.async, including those due to the lines that it
/// reads.
/// @pre the plan is a plan of stores.
Wavefronts countCopyWavefronts(const AccessPlan &plan, SharedAttr shared,
                               int64_t elementBytes, const CopySource &source,
                               int64_t start = 0);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDACCESS_H
