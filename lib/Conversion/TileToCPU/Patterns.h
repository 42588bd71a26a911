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

/// Converts tiles to tensors, arrays to arrays without a memory space, and
/// element types to their storage types. Other types stay.
class TypeConverter : public mlir::TypeConverter {
public:
  TypeConverter();
  /// Returns the tensor type of `tile`.
  mlir::RankedTensorType getTensor(TileType tile) const;
};

/// Builds the descriptor, a struct of the LLVM dialect, to which upstream
/// lowers an array with the address `pointer` of its first element. `getExtent`
/// returns each size and then each stride, given the constant in the type or
/// ShapedType::kDynamic.
mlir::Value buildDescriptor(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::MemRefType array, mlir::Value pointer,
                            llvm::function_ref<mlir::Value(int64_t)> getExtent);

/// Returns the element type of a tile or vector, or any other type itself.
mlir::Type getElement(mlir::Type type);

/// Builds one element of each result from one element of each input.
using PointBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// Builds new tensors of the types `results`, which have one shape. `body`
/// creates one element of each from elements of `inputs`. `maps` contains, for
/// each input, the map from the dimensions of the results to those of the
/// input. Without maps, the inputs have the shape of the results.
llvm::SmallVector<mlir::Value>
buildParallel(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::ArrayRef<mlir::RankedTensorType> results,
              mlir::ValueRange inputs, llvm::ArrayRef<mlir::AffineMap> maps,
              PointBody body);

/// Builds one new tensor from inputs of its shape.
mlir::Value
buildParallel(mlir::OpBuilder &builder, mlir::Location loc,
              mlir::RankedTensorType result, mlir::ValueRange inputs,
              llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location,
                                             mlir::ValueRange)>
                  body);

/// Builds new tensors from operands element by element. An operand that is not
/// a tensor is used for all elements, and a smaller tensor is repeated.
llvm::SmallVector<mlir::Value>
buildPerElement(mlir::OpBuilder &builder, mlir::Location loc,
                llvm::ArrayRef<mlir::RankedTensorType> results,
                mlir::ValueRange operands, PointBody body);

/// Returns the map from the dimensions of a tensor of `rank` to those of a tile
/// of extents `from`, which is repeated to fill the tensor. The tile's
/// dimensions are the tensor's dimensions `dims` or, if these are not given,
/// the last ones.
mlir::AffineMap getRepetition(mlir::Builder &builder,
                              llvm::ArrayRef<int64_t> from, int64_t rank,
                              std::optional<llvm::ArrayRef<int64_t>> dims);

/// Converts a constant scalar whose type is stored as its bits, or a vector of
/// such scalars, to the storage type. Returns any other attribute unchanged.
mlir::TypedAttr convertScalar(mlir::TypedAttr value);

/// Clones the operations of a region at the builder's position. The clones
/// operate on elements in storage types and are still to be converted. Returns
/// the values that the region yields.
llvm::SmallVector<mlir::Value> inlineElementRegion(mlir::OpBuilder &builder,
                                                   mlir::Location loc,
                                                   mlir::Region &region,
                                                   mlir::ValueRange arguments);

/// Creates an operation on one element of each operand, in storage types, that
/// is still to be converted. Returns its results.
llvm::SmallVector<mlir::Value> createElements(mlir::OpBuilder &builder,
                                              ElementOpInterface op,
                                              mlir::ValueRange operands);

/// Returns zero of a storage type.
mlir::Value buildZero(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Type storage);

/// Allocates memory for a tile's elements.
mlir::Value createBuffer(mlir::ImplicitLocOpBuilder &builder,
                         mlir::RankedTensorType type);

/// Allocates memory and copies the elements of a tile to it.
mlir::Value copyToBuffer(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value tensor);

/// Returns the elements of a buffer as a tile. The buffer must not be written
/// afterwards.
mlir::Value readBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value buffer);

/// Builds a loop nest over the coordinates of a tile's elements.
void forEachCoordinate(
    mlir::ImplicitLocOpBuilder &builder, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::ImplicitLocOpBuilder &, mlir::ValueRange)>
        body);

/// Converts coordinates in a tile to an index in row-major order, and back.
mlir::Value buildRowMajorIndex(mlir::ImplicitLocOpBuilder &builder,
                               llvm::ArrayRef<int64_t> shape,
                               mlir::ValueRange coordinates);
llvm::SmallVector<mlir::Value>
buildCoordinates(mlir::ImplicitLocOpBuilder &builder,
                 llvm::ArrayRef<int64_t> shape, mlir::Value index);

/// Returns the index for the element of a tile at `coordinates`. `indices` is a
/// tensor that has the tile's extents, or extents of one.
mlir::Value extractIndex(mlir::ImplicitLocOpBuilder &builder,
                         mlir::Value indices, mlir::ValueRange coordinates);

/// Updates the array's element at `coordinates` atomically. Values are in the
/// storage type of `element`. `expected` is null except for compare_exchange.
/// Returns the previous value.
mlir::Value updateElement(mlir::ImplicitLocOpBuilder &builder, AtomicKind kind,
                          mlir::Type element, mlir::Value array,
                          mlir::ValueRange coordinates, mlir::Value value,
                          mlir::Value expected);

/// Loads or stores the array's element at `coordinates` atomically. The value
/// is in the storage type of `element`.
mlir::Value loadElement(mlir::ImplicitLocOpBuilder &builder, mlir::Type element,
                        mlir::Value array, mlir::ValueRange coordinates);
void storeElement(mlir::ImplicitLocOpBuilder &builder, mlir::Type element,
                  mlir::Value array, mlir::ValueRange coordinates,
                  mlir::Value value);

/// Returns a tensor of `type` whose elements are all `value`.
mlir::Value buildFill(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::RankedTensorType type, mlir::Value value);

/// Converts the elements of `tensor` from the storage type of `from` to that of
/// `to`.
mlir::Value convertElements(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value tensor, mlir::Type from, mlir::Type to);

/// Calls the function tile_cpu_`name` of lib/Execution/CpuCalls.cpp.
void callRuntime(mlir::ImplicitLocOpBuilder &builder, llvm::StringRef name,
                 mlir::ValueRange arguments = {});

/// Replaces `kernel` by the function that runs one block, followed by the entry
/// function, which loads its parameters from an array of pointers. The block
/// index and the grid become parameters. Casts convert array arguments to their
/// old types for their users.
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

/// Whether an operation of arith or math is legal, that is, not converted.
bool isLegalElementwise(mlir::Operation *op);

} // namespace tile::cpu

#endif // TILE_LIB_CONVERSION_TILETOCPU_PATTERNS_H
