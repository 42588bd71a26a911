// Patterns.h - the parts of -convert-tile-to-nvgpu, one per file
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The comment of each populate function lists the operations whose patterns it
// adds.

#ifndef TILE_CONVERSION_TILETONVGPU_PATTERNS_H
#define TILE_CONVERSION_TILETONVGPU_PATTERNS_H

#include "tile/Analysis/Architecture.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tile {

/// Facts about a module that are collected before its conversion starts, while
/// values can still be followed to their definitions.
struct LoweringContext {
  explicit LoweringContext(mlir::ModuleOp module,
                           const Architecture &architecture);

  const Architecture &architecture;
  /// The offsets of each load, store and copy_async that are never negative.
  llvm::DenseMap<mlir::Operation *, llvm::SmallBitVector> nonNegative;
  /// The known divisors of the offsets of each align_rows.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> divisors;
};

/// A pattern that queries the facts about the module.
template <typename Op>
struct LoweringPattern : mlir::OpConversionPattern<Op> {
  LoweringPattern(mlir::TypeConverter &types, mlir::MLIRContext *context,
                  const LoweringContext &lowering)
      : mlir::OpConversionPattern<Op>(types, context), lowering(lowering) {}

protected:
  const LoweringContext &lowering;
};

/// Elementwise operations, fill, iota, and the operations that only rename
/// registers: transpose, broadcast, reshape.
void populateElementwisePatterns(mlir::TypeConverter &types,
                                 mlir::RewritePatternSet &patterns,
                                 const LoweringContext &context);

/// load and store of arrays.
void populateGlobalAccessPatterns(mlir::TypeConverter &types,
                                  mlir::RewritePatternSet &patterns,
                                  const LoweringContext &context);

/// gather and scatter.
void populateIndexedAccessPatterns(mlir::TypeConverter &types,
                                   mlir::RewritePatternSet &patterns);

/// atomic_rmw, atomic_load, atomic_store.
void populateAtomicAccessPatterns(mlir::TypeConverter &types,
                                  mlir::RewritePatternSet &patterns);

/// fence.
void populateFencePatterns(mlir::TypeConverter &types,
                           mlir::RewritePatternSet &patterns);

/// print.
void populatePrintPatterns(mlir::TypeConverter &types,
                           mlir::RewritePatternSet &patterns,
                           const LoweringContext &context);

/// assert.
void populateAssertPatterns(mlir::TypeConverter &types,
                            mlir::RewritePatternSet &patterns);

/// copy_async.
void populateCopyAsyncPatterns(mlir::TypeConverter &types,
                               mlir::RewritePatternSet &patterns,
                               const LoweringContext &context);

/// align_rows.
void populateAlignRowsPatterns(mlir::TypeConverter &types,
                               mlir::RewritePatternSet &patterns,
                               const LoweringContext &context);

/// store_shared, load_shared.
void populateSharedAccessPatterns(mlir::TypeConverter &types,
                                  mlir::RewritePatternSet &patterns);

/// arith.constant of a tile.
void populateConstantPatterns(mlir::TypeConverter &types,
                              mlir::RewritePatternSet &patterns);

/// reduce and partial_reduce.
void populateReducePatterns(mlir::TypeConverter &types,
                            mlir::RewritePatternSet &patterns);

/// convert_layout of elements that stay in their thread or warp.
void populateConvertLayoutPatterns(mlir::TypeConverter &types,
                                   mlir::RewritePatternSet &patterns);

/// scan and partial_scan.
void populateScanPatterns(mlir::TypeConverter &types,
                          mlir::RewritePatternSet &patterns);

/// partial_sort.
void populateSortPatterns(mlir::TypeConverter &types,
                          mlir::RewritePatternSet &patterns);

/// cholesky.
void populateCholeskyPatterns(mlir::TypeConverter &types,
                              mlir::RewritePatternSet &patterns);

void populateCholeskyDerivativePatterns(mlir::TypeConverter &types,
                                        mlir::RewritePatternSet &patterns);

/// ldlt.
void populateLdltPatterns(mlir::TypeConverter &types,
                          mlir::RewritePatternSet &patterns);

/// one_sided_jacobi.
void populateOneSidedJacobiPatterns(mlir::TypeConverter &types,
                                    mlir::RewritePatternSet &patterns);

/// householder and apply_householder.
void populateHouseholderPatterns(mlir::TypeConverter &types,
                                 mlir::RewritePatternSet &patterns);

/// lu.
void populateLuPatterns(mlir::TypeConverter &types,
                        mlir::RewritePatternSet &patterns);

/// solve, of general matrices.
void populateSolvePatterns(mlir::TypeConverter &types,
                           mlir::RewritePatternSet &patterns);

/// inverse.
void populateInversePatterns(mlir::TypeConverter &types,
                             mlir::RewritePatternSet &patterns);

/// partial_fft.
void populatePartialFftPatterns(mlir::TypeConverter &types,
                                mlir::RewritePatternSet &patterns);

/// triangular_solve.
void populateTriangularSolvePatterns(mlir::TypeConverter &types,
                                     mlir::RewritePatternSet &patterns);

/// Operations of other dialects, which each thread executes.
void populateThreadCodePatterns(mlir::TypeConverter &types,
                                mlir::RewritePatternSet &patterns);

/// view, join and insert, if each thread's elements of the part are also its
/// elements of the whole.
void populatePartPatterns(mlir::TypeConverter &types,
                          mlir::RewritePatternSet &patterns);

/// per_thread.
void populatePerThreadPatterns(mlir::TypeConverter &types,
                               mlir::RewritePatternSet &patterns);

/// take and put_shared.
void populateTakePutPatterns(mlir::TypeConverter &types,
                             mlir::RewritePatternSet &patterns);

/// matmul by mma.sync, and by FMA.
void populateMatmulPatterns(mlir::TypeConverter &types,
                            mlir::RewritePatternSet &patterns,
                            const LoweringContext &context);

/// mma_async, mma_wait, mma_none: matmul by wgmma.
void populateWarpgroupPatterns(mlir::TypeConverter &types,
                               mlir::RewritePatternSet &patterns,
                               const LoweringContext &context);

/// Verifies that the patterns support an operation: its element types, the
/// layouts of its tiles, and, for copies with covered rows, the rows.
mlir::LogicalResult verifySupported(mlir::Operation *op);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_PATTERNS_H
