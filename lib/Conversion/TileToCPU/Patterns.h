// Patterns.h - the patterns of -convert-tile-to-cpu, by chapter
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETOCPU_PATTERNS_H
#define TILE_LIB_CONVERSION_TILETOCPU_PATTERNS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tile::cpu {

/// Tiles as tensors, arrays without memory space and offset, f8 as i8. Other
/// types stay.
class TypeConverter : public mlir::TypeConverter {
public:
  TypeConverter();
  /// The tensor of `tile`.
  mlir::RankedTensorType getTensor(TileType tile) const;
};

/// The element type of a tile or vector, any other type itself.
mlir::Type getElement(mlir::Type type);

/// Makes the results of one point from the elements of the inputs.
using PointBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// New tensors of the types `results`, which have one shape; `body` makes an
/// element of each from the elements of `inputs` that `maps` (one an input,
/// from the results' dimensions) finds. No maps: the inputs have that shape.
llvm::SmallVector<mlir::Value>
buildParallel(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::ArrayRef<mlir::RankedTensorType> results,
              mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps,
              PointBody body);

/// The same, for one result.
mlir::Value
buildParallel(mlir::OpBuilder &builder, mlir::Location loc,
              mlir::RankedTensorType result, mlir::ValueRange inputs,
              llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                             mlir::ValueRange)>
                  body);

/// The same of operands of which those that are no tensors are the same for all
/// elements, and tensors of fewer elements are repeated.
llvm::SmallVector<mlir::Value>
buildPerElement(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::ArrayRef<mlir::RankedTensorType> results,
                mlir::ValueRange operands, PointBody body);

/// Where each element of a tensor of `rank` is in a tile of extents `from` that
/// is repeated to fill it, along `dims`, the last ones if not given.
mlir::AffineMap getRepetition(mlir::Builder &builder,
                              llvm::ArrayRef<int64_t> from, int64_t rank,
                              std::optional<llvm::ArrayRef<int64_t>> dims);

/// A number that is stored as its bits, or a vector of them; any other
/// attribute itself.
mlir::TypedAttr convertNumber(mlir::TypedAttr value);

/// The operations of a region on elements, on elements in storage types: clones
/// them at the builder's place, to be converted, and returns what they yield.
llvm::SmallVector<mlir::Value> inlineElementRegion(mlir::OpBuilder &builder,
                                                   mlir::Location loc,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments);

/// What an operation makes of one element of each operand, on elements in
/// storage types, to be converted.
llvm::SmallVector<mlir::Value> createElements(mlir::OpBuilder &builder,
                                              ElementOpInterface op,
                                              mlir::ValueRange operands);

/// Zero of a storage type.
mlir::Value buildZero(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type storage);

/// Memory for a tile's elements.
mlir::Value createBuffer(mlir::ImplicitLocOpBuilder &builder,
                         mlir::RankedTensorType type);

/// Memory with the elements of a tile.
mlir::Value copyToBuffer(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value tensor);

/// The tile of a buffer's elements; nobody writes the buffer any more.
mlir::Value readBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value buffer);

/// A loop nest over the places of a tile.
void forEachPlace(
    mlir::ImplicitLocOpBuilder &builder, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>
        body);

/// The number of a tile's place in row-major order, and the place of a number.
mlir::Value buildRowMajorIndex(mlir::ImplicitLocOpBuilder &builder,
                               llvm::ArrayRef<int64_t> shape,
                               mlir::ValueRange place);
llvm::SmallVector<mlir::Value> buildPlace(mlir::ImplicitLocOpBuilder &builder,
                                          llvm::ArrayRef<int64_t> shape,
                                          mlir::Value number);

/// The index, of a tensor of them that may have extents of one for those of a
/// tile, of the tile's element at a place.
mlir::Value extractIndex(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value indices, mlir::ValueRange place);

/// Updates an array's element at once, in its storage type; returns what was
/// there. @p expected for compare_exchange, and null else.
mlir::Value updateElement(mlir::ImplicitLocOpBuilder &builder, AtomicKind kind,
                          mlir::Type element, mlir::Value array,
                          mlir::ValueRange place, mlir::Value value,
                          mlir::Value expected);

/// The element of type `element` of an array at a place, in its storage type,
/// read at once; and written.
mlir::Value loadElement(mlir::ImplicitLocOpBuilder &builder, mlir::Type element,
                        mlir::Value array, mlir::ValueRange place);
void storeElement(mlir::ImplicitLocOpBuilder &builder, mlir::Type element,
                  mlir::Value array, mlir::ValueRange place, mlir::Value value);

/// A tensor of `type` whose every element is `value`.
mlir::Value buildFill(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::RankedTensorType type, mlir::Value value);

/// `tensor`, stored as `from`, with its elements in `to`'s storage.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value tensor, mlir::Type from, mlir::Type to);

/// Calls the function tile_cpu_`name` of lib/Execution/CpuCalls.cpp.
void callRuntime(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                 mlir::ValueRange arguments = {});

/// Replaces `kernel` by the function that runs one block, and the packed entry
/// behind it. `tile.program_id` and `tile.num_programs` become arguments; uses
/// of array arguments see the old type through a cast.
mlir::func::FuncOp convertKernel(KernelOp kernel,
                                 const TypeConverter &converter);

void populateConstructionPatterns(const TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
void populateRandomPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateIndexedPatterns(const TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateTakePutPatterns(const TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populatePerThreadPatterns(const TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
void populateShapePatterns(const TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateComputePatterns(const TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateComplexPatterns(const TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateUnpackPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateCombiningPatterns(const TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
void populateArgReducePatterns(const TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
void populateHistogramPatterns(const TypeConverter &converter,
                               mlir::RewritePatternSet &patterns);
void populateStackPatterns(const TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateFactorPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateJacobiPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateQrPatterns(const TypeConverter &converter,
                        mlir::RewritePatternSet &patterns);
void populateSolvePatterns(const TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateDiagonalPatterns(const TypeConverter &converter,
                              mlir::RewritePatternSet &patterns);
void populateFourierPatterns(const TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateSortPatterns(const TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);
void populateDebugPatterns(const TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateMatmulPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);
void populateElementwisePatterns(const TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
void populateVectorPatterns(const TypeConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// Whether an operation of arith or math is left as it is.
bool isLegalElementwise(mlir::Operation *op);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_PATTERNS_H
