// CombiningToLoops.cpp - tile.reduce, tile.scan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both combine the elements one after another, from the first one on. A kind is
// computed in the compute type of its elements: f16, bf16 and f8 are summed in
// f32, and each result is rounded once.

#include "Element.h"
#include "Patterns.h"

#include "tile/Conversion/CombineByKind.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Kinds and regions
//===----------------------------------------------------------------------===//

namespace {
/// How an operation combines elements: by a kind or by a region.
class Combination {
public:
  explicit Combination(CombiningOpInterface op) : op(op) {
    for (Type type : op.getSources().getTypes())
      elements.push_back(cast<TileType>(type).getElementType());
  }

  /// Returns the type of the combined elements of a source: the compute type
  /// for a kind, the storage type for a region.
  Type getType(int64_t source) {
    return op.getCombiner() ? cpu::getStorageType(elements[source])
                            : cpu::getComputeType(elements[source]);
  }

  Value buildIdentity(OpBuilder &b, Location loc, int64_t source) {
    if (!op.getCombiner())
      return createIdentity(b, loc, op.getKindAttr().getValue(),
                            getType(source));
    Attribute identity = op.getIdentitiesAttr()[source];
    if (auto parts = dyn_cast<ArrayAttr>(identity))
      return complex::ConstantOp::create(b, loc, elements[source], parts);
    return arith::ConstantOp::create(
        b, loc, cpu::convertScalar(cast<TypedAttr>(identity)));
  }

  /// Combines the values `soFar` with the elements `next`, which are in storage
  /// types. In a reverse scan `next` are the first operands of the combination,
  /// otherwise the second ones.
  SmallVector<Value> combine(OpBuilder &b, Location loc, ValueRange soFar,
                             ValueRange next, bool isReverse = false) {
    if (!op.getCombiner())
      return {
          combineByKind(b, loc, op.getKindAttr().getValue(), soFar.front(),
                        cpu::widen(b, loc, next.front(), elements.front()))};
    SmallVector<Value> arguments(isReverse ? next : soFar);
    llvm::append_range(arguments, isReverse ? soFar : next);
    return cpu::inlineElementRegion(b, loc, *op.getCombiner(), arguments);
  }

  /// Returns the combined value in its storage type.
  Value finish(OpBuilder &b, Location loc, Value value, int64_t source) {
    return op.getCombiner() ? value
                            : cpu::narrow(b, loc, value, elements[source]);
  }

  int64_t getNumSources() { return elements.size(); }
  Type getElement(int64_t source) { return elements[source]; }

private:
  CombiningOpInterface op;
  SmallVector<Type> elements;
};
} // namespace

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Combination combination(op);
    int64_t count = combination.getNumSources();
    int64_t rank = cast<TileType>(op.getSources().front().getType()).getRank();

    SmallVector<utils::IteratorType> iterators;
    SmallVector<AffineExpr> kept;
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool isReduced =
          !op.getAxis() || static_cast<int64_t>(*op.getAxis()) == dim;
      iterators.push_back(isReduced ? utils::IteratorType::reduction
                                    : utils::IteratorType::parallel);
      if (!isReduced)
        kept.push_back(rewriter.getAffineDimExpr(dim));
      else if (op.getKeep())
        kept.push_back(rewriter.getAffineConstantExpr(0));
    }
    SmallVector<AffineMap> maps(count, rewriter.getMultiDimIdentityMap(rank));
    maps.append(count, AffineMap::get(rank, 0, kept, getContext()));
    SmallVector<Type> types;
    SmallVector<Value> starts;
    for (auto [index, result] : llvm::enumerate(op.getResultTypes())) {
      auto type = RankedTensorType::get(cast<TileType>(result).getShape(),
                                        combination.getType(index));
      types.push_back(type);
      starts.push_back(
          cpu::buildFill(rewriter, loc, type,
                         combination.buildIdentity(rewriter, loc, index)));
    }
    auto generic = linalg::GenericOp::create(
        rewriter, loc, types, adaptor.getSources(), starts, maps, iterators,
        [&](OpBuilder &b, Location nestedLoc, ValueRange elements) {
          linalg::YieldOp::create(
              b, nestedLoc,
              combination.combine(b, nestedLoc, elements.take_back(count),
                                  elements.take_front(count)));
        });
    SmallVector<Value> results;
    for (auto [index, value] : llvm::enumerate(generic.getResults()))
      results.push_back(
          !op.getKind() ? value
                        : cpu::convertElements(rewriter, loc, value,
                                               combination.getType(index),
                                               combination.getElement(index)));
    rewriter.replaceOp(op, results);
    return success();
  }
};

/// Converts a scan to loops over the rows. The combined value is carried along
/// a row, and each result is written to a buffer.
struct ConvertScan : OpConversionPattern<ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScanOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto source =
        cast<RankedTensorType>(adaptor.getSources().front().getType());
    Combination combination(op);
    ImplicitLocOpBuilder b(loc, rewriter);
    SmallVector<Value> buffers;
    for (Value value : adaptor.getSources()) {
      auto type = cast<RankedTensorType>(value.getType());
      buffers.push_back(cpu::createBuffer(b, type));
    }
    // Without an axis, the tile is one row in row-major order.
    SmallVector<int64_t> along;
    for (int64_t dim = 0; dim < source.getRank(); ++dim)
      if (!op.getAxis() || static_cast<int64_t>(*op.getAxis()) == dim)
        along.push_back(dim);
    SmallVector<Value> coordinates(source.getRank());
    {
      OpBuilder::InsertionGuard guard(rewriter);
      for (int64_t dim = 0; dim < source.getRank(); ++dim)
        if (!llvm::is_contained(along, dim))
          coordinates[dim] = enterLoop(rewriter, loc, source.getDimSize(dim));
      SmallVector<Value> start;
      for (int64_t n = 0; n < combination.getNumSources(); ++n)
        start.push_back(combination.buildIdentity(rewriter, loc, n));
      scanRow(rewriter, op, adaptor, combination, buffers, source.getShape(),
              along, coordinates, start);
    }
    SmallVector<Value> results;
    for (auto [buffer, value] : llvm::zip_equal(buffers, adaptor.getSources()))
      results.push_back(cpu::readBuffer(rewriter, loc, buffer));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value enterLoop(OpBuilder &b, Location loc, int64_t extent) {
    auto loop =
        scf::ForOp::create(b, loc, arith::ConstantIndexOp::create(b, loc, 0),
                           arith::ConstantIndexOp::create(b, loc, extent),
                           arith::ConstantIndexOp::create(b, loc, 1));
    b.setInsertionPointToStart(loop.getBody());
    return loop.getInductionVar();
  }

  /// Scans the dimensions `along` of a row, starting with the values `before`.
  /// Returns the combination of these values with all elements.
  static SmallVector<Value>
  scanRow(OpBuilder &b, ScanOp op, OpAdaptor adaptor, Combination &combination,
          ArrayRef<Value> buffers, ArrayRef<int64_t> shape,
          ArrayRef<int64_t> along, SmallVectorImpl<Value> &coordinates,
          ValueRange before) {
    Location loc = op.getLoc();
    if (along.empty())
      return scanElement(b, op, adaptor, combination, buffers, coordinates,
                         before);
    OpBuilder::InsertionGuard guard(b);
    auto constant = [&](int64_t value) {
      return arith::ConstantIndexOp::create(b, loc, value);
    };
    int64_t dim = along.front(), extent = shape[dim];
    Value last = constant(extent - 1);
    auto loop = scf::ForOp::create(b, loc, constant(0), constant(extent),
                                   constant(1), before);
    b.setInsertionPointToStart(loop.getBody());
    coordinates[dim] = loop.getInductionVar();
    if (op.getReverse())
      coordinates[dim] = arith::SubIOp::create(b, loc, last, coordinates[dim]);
    SmallVector<Value> after =
        scanRow(b, op, adaptor, combination, buffers, shape, along.drop_front(),
                coordinates, loop.getRegionIterArgs());
    b.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(b, loc, after);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  static SmallVector<Value>
  scanElement(OpBuilder &b, ScanOp op, OpAdaptor adaptor,
              Combination &combination, ArrayRef<Value> buffers,
              ArrayRef<Value> coordinates, ValueRange before) {
    Location loc = op.getLoc();
    SmallVector<Value> elements;
    for (Value source : adaptor.getSources())
      elements.push_back(
          tensor::ExtractOp::create(b, loc, source, coordinates));
    SmallVector<Value> after =
        combination.combine(b, loc, before, elements, op.getReverse());
    for (auto [index, buffer] : llvm::enumerate(buffers)) {
      Value result = op.getExclusive() ? before[index] : after[index];
      memref::StoreOp::create(b, loc, combination.finish(b, loc, result, index),
                              buffer, coordinates);
    }
    return after;
  }
};
} // namespace

void cpu::populateCombiningPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertScan>(converter, patterns.getContext());
}
