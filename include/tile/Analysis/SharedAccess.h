// SharedAccess.h - how threads read and write a buffer in shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access plan says which elements each thread touches, vector by vector. It
// is a register layout of the buffer's box whose innermost values are one
// vector: the choice of swizzle, the report's bank conflicts and the emitted
// code all read the same plan, so they cannot disagree.

#ifndef TILE_ANALYSIS_SHAREDACCESS_H
#define TILE_ANALYSIS_SHAREDACCESS_H

#include "tile/Analysis/Tiling.h"
#include "tile/IR/Tile.h"

namespace tile {

/// 8x8 matrices of 16-byte rows (PTX ISA, "ldmatrix").
constexpr int64_t kMatrixRows = 8;

/// The fewest bytes that cp.async copies (PTX ISA, "cp.async": cp-size).
constexpr int64_t kMinAsyncBytes = 4;

/// Whether cp.async copies elements of a type: numbers of whole bytes.
bool hasBytes(mlir::Type element);

/// What one instruction of a plan does with its vector.
enum class AccessKind {
  kLoad,              ///< ld.shared of the vector
  kStore,             ///< st.shared of the vector
  kLdmatrix,          ///< a row of an 8x8 matrix a lane
  kLdmatrixTransposed ///< the same, .trans
};

struct AccessPlan {
  RegisterLayout layout;
  AccessKind kind;
  /// Elements of one vector along `dim`, the innermost values of the layout.
  int64_t vector;
  int64_t dim;
  /// 8x8 matrices of one ldmatrix; lanes beyond 8 * matrices are not read.
  int64_t matrices = 0;
  /// Values that no thread uses: a load of these alone is not made.
  std::vector<int64_t> unused = {};
  /// Of a part of a buffer, in the buffer's dimensions: where it begins; empty
  /// at the first element. For chooseSharedLayout, whose strides are not known
  /// yet.
  std::vector<int64_t> start = {};

  int64_t getNumAccesses() const { return layout.getNumValues() / vector; }
};

/// The dimension of the box whose neighbours are one element apart; the last
/// one that is, none for a layout without.
int64_t getContiguousDimension(SharedAttr shared);

/// The most elements, a power of two of at most 16 bytes, of an access along
/// the contiguous dimension that begins at a multiple of them: neighbours in
/// memory, whole under the swizzle, at aligned addresses.
int64_t getMaxVector(SharedAttr shared, int64_t elementBytes);

/// Bytes of one buffer, padding of its box and strides included, rounded up to
/// its alignment.
int64_t getBufferBytes(SharedAttr shared, int64_t elementBytes);

/// The extents of a product's operand (0 lhs, 1 rhs) that its instructions
/// read: padding included, behind the batch if the operand has one.
llvm::SmallVector<int64_t> getOperandBox(const Tiling &tiling, int operand,
                                         int64_t k);

/// How a product reads operand 0 or 1 from a buffer whose contiguous dimension
/// is `contiguous`. @pre the operand's box is getOperandBox, its contiguous
/// dimension is not the batch.
AccessPlan getOperandPlan(const Tiling &tiling, int operand,
                          llvm::ArrayRef<int64_t> box, int64_t contiguous,
                          int64_t elementBytes, int64_t numWarps);

/// How the block's threads write (or read) a whole box, at most `maxVector`
/// elements at a time along `contiguous`.
AccessPlan getCopyPlan(llvm::ArrayRef<int64_t> box, int64_t contiguous,
                       int64_t maxVector, int64_t numWarps);

/// How ldmatrix reads a tile of `element` into registers from a buffer whose
/// contiguous dimension is `contiguous`: access by access the matrices whose
/// registers are the next of the layout's. None where lanes hold other elements
/// than those that matrices hand out. The buffer's rows must begin at multiples
/// of 16 bytes and hold the whole of the layout's box.
std::optional<AccessPlan> getMatrixPlan(const RegisterLayout &layout,
                                        int64_t contiguous, mlir::Type element);

/// The same from a buffer of that box whose accesses are of at most
/// `maxVectorBytes`: none, too, where it does not hold all of the layout's box
/// or no rows for ldmatrix.
std::optional<AccessPlan> getMatrixPlan(const RegisterLayout &layout,
                                        int64_t contiguous, mlir::Type element,
                                        llvm::ArrayRef<int64_t> box,
                                        int64_t maxVectorBytes);

/// Wavefronts of all accesses of a plan by all warps, and the fewest possible.
struct Wavefronts {
  int64_t actual = 0;
  int64_t minimal = 0;
  /// Accesses of warps, each an instruction of theirs.
  int64_t accesses = 0;
  int64_t conflicts() const { return actual - minimal; }
};
/// Of a plan whose box begins `start` elements behind the buffer's first.
Wavefronts countPlanWavefronts(const AccessPlan &plan, SharedAttr shared,
                               int64_t elementBytes, int64_t start = 0);

/// Where cp.async reads the elements of a box.
struct CopySource {
  /// Bytes from the beginning of a line to the box's first element.
  int64_t first;
  /// Bytes from an element to the next one along each dimension.
  llvm::SmallVector<int64_t> strides;
  /// What is read of the box; the rest is zeros.
  llvm::SmallVector<int64_t> extents;
  /// Whether what is read is the bytes between the last multiple of 16 and each
  /// element: the ends of rows that are covered (RowCover.h).
  bool isEnds = false;
};

/// The same of cp.async, with the lines that it reads. @pre a plan of stores.
Wavefronts countCopyWavefronts(const AccessPlan &plan, SharedAttr shared,
                               int64_t elementBytes, const CopySource &source,
                               int64_t start = 0);

} // namespace tile

#endif // TILE_ANALYSIS_SHAREDACCESS_H
