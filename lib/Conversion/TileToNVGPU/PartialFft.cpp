// PartialFft.cpp - a pass of a Fourier transform, in each thread's registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The radix is the first mode of a thread's values, so that each run of `radix`
// values is a column, which is transformed by itself. Twiddle factors are read
// from a table with a row for each element of a column except the first. A row
// contains the factors of `places` columns, so that adjacent lanes read
// adjacent factors.

#include "Butterfly.h"
#include "ConstantTable.h"
#include "Memory/BoxAccess.h"
#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/Algorithms/RootsOfUnity.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <map>

using namespace mlir;
using namespace tile;

namespace {
class ThreadPass {
public:
  ThreadPass(PartialFftOp op, OpBuilder &builder)
      : op(op), type(op.getType()), builder(builder),
        index(builder, op.getLoc()), butterflies(builder, op.getLoc()),
        coordinates(index, type.getRegister().getRegisterLayout()),
        radix(type.getDimSize(1)) {}

  SmallVector<Value> run(ArrayRef<Value> elements) {
    SmallVector<Value> results;
    auto count = static_cast<int64_t>(elements.size());
    for (int64_t first = 0; first < count; first += radix)
      llvm::append_range(results,
                         transform(elements.slice(first, radix), first));
    return results;
  }

private:
  SmallVector<Value> transform(ArrayRef<Value> elements, int64_t first) {
    SmallVector<ComplexParts> x = llvm::map_to_vector(
        elements, [&](Value element) { return getParts(element); });
    ArrayRef<ComplexParts> factors = getTwiddles(first);
    for (auto [value, factor] :
         llvm::zip_equal(MutableArrayRef(x).take_back(factors.size()), factors))
      value = butterflies.multiply(value, factor);
    for (ComplexParts &value : x)
      value = exchange(value);
    return llvm::map_to_vector(butterflies.transform(x), [&](ComplexParts y) {
      if (std::optional<ArrayRef<double>> scale = op.getScale())
        y = butterflies.scale(y, {(*scale)[0], (*scale)[1]});
      return makeElement(exchange(y));
    });
  }

  /// Exchanges the real and the imaginary part for an inverse transform, which
  /// is a forward transform with the parts of all inputs and results exchanged.
  ComplexParts exchange(ComplexParts x) {
    return op.getInverse() ? ComplexParts{x.im, x.re} : x;
  }
  ComplexParts getParts(Value element) {
    return {complex::ReOp::create(builder, op.getLoc(), element),
            complex::ImOp::create(builder, op.getLoc(), element)};
  }
  Value makeElement(ComplexParts x) {
    return complex::CreateOp::create(builder, op.getLoc(),
                                     type.getElementType(), x.re, x.im);
  }

  /// Returns the twiddle factors of the column that starts with the value
  /// `first`, for its elements except the first; empty if all are one.
  ArrayRef<ComplexParts> getTwiddles(int64_t first) {
    if (op.getPlaces() == 1)
      return {};
    // Columns whose distance is a multiple of `places` share the factors.
    int64_t column = coordinates.getLayout().valueOffset(first)[kColumns];
    int64_t numColumns = op.getPlaces();
    auto [found, isNew] =
        twiddles.try_emplace(column % numColumns == 0 ? 0 : column);
    if (isNew)
      found->second = loadTwiddles(first);
    return found->second;
  }

  SmallVector<ComplexParts> loadTwiddles(int64_t first) {
    if (!table)
      table = createConstantTable(builder, op, listTwiddles());
    Value column = index.rem(coordinates.get(first, kColumns), op.getPlaces());
    int64_t step = getLoadedStep();
    SmallVector<ComplexParts> factors;
    for (int64_t power = 1; power < radix; ++power) {
      int64_t rest = power % step;
      bool isMatmul = power > step && rest != 0;
      factors.push_back(isMatmul
                            ? butterflies.multiply(factors[power - rest - 1],
                                                   factors[rest - 1])
                            : loadTwiddle(power, column));
    }
    return factors;
  }

  /// Returns a step s. The twiddle factors of a column are powers of one root.
  /// Those with an exponent below s, or a multiple of s, are read from the
  /// table; each other one is computed from two of these. Reads of the table
  /// take as much of the cache's bandwidth as exchanges do. A computed power is
  /// rounded once more, which is accepted only for f32.
  int64_t getLoadedStep() {
    bool isPowerOfTwo = llvm::isPowerOf2_64(static_cast<uint64_t>(radix));
    return radix > 4 && isPowerOfTwo && !getPart().isF64() ? 4 : radix;
  }

  ComplexParts loadTwiddle(int64_t power, Value column) {
    Value pair = loadChunk(
        index, table, {index.constant(power - 1), column, index.constant(0)},
        /*count=*/2);
    return {extractElement(builder, op.getLoc(), pair, 0),
            extractElement(builder, op.getLoc(), pair, 1)};
  }

  FloatType getPart() {
    return cast<FloatType>(
        cast<ComplexType>(type.getElementType()).getElementType());
  }

  /// Returns the factors e^(-2 pi i k a / (r s)), or their conjugates, with a
  /// row for each k except zero that contains all a below s = `places`. Each
  /// direction has its own table: if both shared one, LLVM would keep loaded
  /// factors in registers from one transform to the other.
  DenseElementsAttr listTwiddles() {
    int64_t numColumns = op.getPlaces();
    FloatType part = getPart();
    SmallVector<double> values;
    for (int64_t row = 1; row < radix; ++row)
      for (int64_t column = 0; column < numColumns; ++column) {
        std::complex<long double> root =
            getRootOfUnity(row * column, radix * numColumns);
        if (op.getInverse())
          root = std::conj(root);
        values.push_back(static_cast<double>(root.real()));
        values.push_back(static_cast<double>(root.imag()));
      }
    auto tensor = RankedTensorType::get({radix - 1, numColumns, 2}, part);
    if (part.isF64())
      return DenseElementsAttr::get(tensor, ArrayRef(values));
    return DenseElementsAttr::get(
        tensor, ArrayRef<float>(llvm::to_vector_of<float>(values)));
  }

  static constexpr int64_t kColumns = 2; // a dimension of the tile
  PartialFftOp op;
  TileType type;
  OpBuilder &builder;
  IndexBuilder index;
  ButterflyBuilder butterflies;
  ThreadCoordinates coordinates;
  int64_t radix;
  Value table;
  std::map<int64_t, SmallVector<ComplexParts>> twiddles; // by static column
};

struct ConvertPartialFft : OpConversionPattern<PartialFftOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PartialFftOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getType();
    ThreadPass pass(op, rewriter);
    replaceWithPacks(rewriter, op,
                     {pack(rewriter, op.getLoc(), type,
                           pass.run(unpack(rewriter, op.getLoc(), type,
                                           adaptor.getSource())))});
    return success();
  }
};
} // namespace

void tile::populatePartialFftPatterns(TypeConverter &types,
                                      RewritePatternSet &patterns) {
  patterns.add<ConvertPartialFft>(types, patterns.getContext());
}
