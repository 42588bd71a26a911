// ExpandFourier.cpp - Fourier transforms as passes in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of radix r sees a row of n elements as r rows of n / r columns, and
// transforms each column. What it leaves of the s columns that belong together,
// s the product of the radices before, is put side by side: with columns as
// (c, s), element (q, c, a) becomes number (c r + q) s + a (Stockham's order).
// For n = 64 by radices 8 and 8:
//
//   %a = tile.reshape %x : ... to !tile.tile<Bx8x8x...>
//   %b = tile.partial_fft %a places 1 threads 8
//   %c = tile.reshape %b : ... to !tile.tile<Bx8x8x1x...>
//   %d = tile.transpose %c [0, 2, 1, 3]
//   %e = tile.reshape %d : ... to !tile.tile<Bx8x8x...>
//   %f = tile.partial_fft %e places 8 threads 8
//   %y = tile.reshape %f : ... to the rows
//
// Reshapes and transposes rename digits of layouts; what is between two passes
// becomes one change of layout. Columns that are padded to a number of lanes
// have no such digits: they go through shared memory by tile.order_fft, and
// come from and go to rows of arrays where they are.

#include "FftPlan.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/RootsOfUnity.h"
#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Constants of convolutions
//===----------------------------------------------------------------------===//

using Number = std::complex<long double>;

/// The transform of a power of two of numbers.
static std::vector<Number> transformConstants(const std::vector<Number> &x) {
  size_t half = x.size() / 2;
  if (half == 0)
    return x;
  std::vector<Number> even(half), odd(half), y(x.size());
  for (size_t i = 0; i < half; ++i) {
    even[i] = x[2 * i];
    odd[i] = x[2 * i + 1];
  }
  even = transformConstants(even);
  odd = transformConstants(odd);
  for (size_t i = 0; i < half; ++i) {
    Number turned = getRootOfUnity(static_cast<int64_t>(i),
                                   static_cast<int64_t>(x.size())) *
                    odd[i];
    y[i] = even[i] + turned;
    y[i + half] = even[i] - turned;
  }
  return y;
}

namespace {
/// Of the convolution by which rows of any length are transformed (Bluestein):
/// k q = (k^2 + q^2 - (q - k)^2) / 2, so
/// y_q = w_q sum_k (x_k w_k) conj(w_(q-k)), w_k = e^(-pi i k^2 / n).
struct Chirp {
  Chirp(int64_t length, int64_t convolutionLength, bool isInverse)
      : factors(length) {
    std::vector<Number> kernel(convolutionLength);
    for (int64_t k = 0; k < length; ++k) {
      Number root = getRootOfUnity(k * k % (2 * length), 2 * length);
      factors[k] = isInverse ? std::conj(root) : root;
      kernel[k] = std::conj(factors[k]);
      kernel[(convolutionLength - k) % convolutionLength] = kernel[k];
    }
    spectrum = transformConstants(kernel);
    for (Number &number : spectrum)
      number /= static_cast<long double>(convolutionLength);
  }

  std::vector<Number> factors;  ///< w_k
  std::vector<Number> spectrum; ///< of the kernel, by its length
};

//===----------------------------------------------------------------------===//
// Arithmetic on elements
//===----------------------------------------------------------------------===//

struct Complex {
  Value re, im;
};

struct ElementBuilder : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Value add(Value a, Value b) { return arith::AddFOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(*this, a, b); }
  Value mul(Value a, Value b) { return arith::MulFOp::create(*this, a, b); }
  Value real(Type type, double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value make(Complex x) {
    return complex::CreateOp::create(*this, ComplexType::get(x.re.getType()),
                                     x.re, x.im);
  }
  Complex parts(Value x) {
    return {complex::ReOp::create(*this, x), complex::ImOp::create(*this, x)};
  }
  Value fma(Value a, Value b, Value c) {
    return math::FmaOp::create(*this, a, b, c);
  }
  Complex mul(Complex x, Complex y) {
    Value negative = arith::NegFOp::create(*this, mul(x.im, y.im));
    return {fma(x.re, y.re, negative), fma(x.re, y.im, mul(x.im, y.re))};
  }
  Value scale(Value x, FactorParts factor) {
    Value high = real(x.getType(), factor.high);
    if (factor.rest == 0)
      return mul(x, high);
    return fma(x, high, mul(x, real(x.getType(), factor.rest)));
  }
  Complex scale(Complex x, FactorParts factor) {
    return {scale(x.re, factor), scale(x.im, factor)};
  }
};

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

class FourierExpansion {
public:
  FourierExpansion(Operation *op, const FourierTransform &form,
                   const FftPlan &plan)
      : op(op), builder(op), form(form), plan(plan) {
    auto type = cast<TileType>(op->getOperand(0).getType());
    part = type.getElementType();
    if (auto complex = dyn_cast<ComplexType>(part))
      part = complex.getElementType();
    rows = llvm::product_of(type.getShape().drop_back());
  }
  void run();

private:
  using Body = llvm::function_ref<Value(ElementBuilder &, ValueRange)>;

  Type getComplex() { return ComplexType::get(part); }
  TileType getType(ArrayRef<int64_t> shape, Type element) {
    return TileType::get(shape, element)
        .withStorage(getAnyRegisters(op->getContext()));
  }
  Value reshape(Value tile, ArrayRef<int64_t> shape);
  Value map(Type element, ValueRange tiles, Body body);
  Value createRow(ArrayRef<long double> numbers);
  SmallVector<Value> createRow(ArrayRef<Number> numbers);
  Value multiply(Value tile, ArrayRef<Number> row);
  Value iota(int64_t length);
  Value pad(Value tile, int64_t length);
  Value takeFirst(Value tile, int64_t length);
  Value take(Value shared, Value places);

  bool isPadded(ArrayRef<int64_t> shape);
  bool loadColumns(LoadOp load, ArrayRef<int64_t> shape);
  bool storeColumns(Value rows);
  Value toColumns(Value x, int64_t radix);
  Value reorder(Value x, int64_t places, int64_t nextRadix);

  Value transform(Value x, bool isInverse, long double scale);
  Value transformByPasses(Value x, bool isInverse, long double scale);
  Value transformByConvolution(Value x, bool isInverse, long double scale);
  Value transformReal(Value x);
  Value transformHalved(Value x);
  Value transformToReal(Value y);
  Value transformToHalved(Value y);

  Operation *op;
  OpBuilder builder;
  FourierTransform form;
  FftPlan plan;
  Type part;
  int64_t rows;
};
} // namespace

Value FourierExpansion::reshape(Value tile, ArrayRef<int64_t> shape) {
  auto type = cast<TileType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(builder, op->getLoc(),
                           getType(shape, type.getElementType()), tile);
}

/// The tiles have one shape, which is the result's.
Value FourierExpansion::map(Type element, ValueRange tiles, Body body) {
  ArrayRef<int64_t> shape = getTileShape(tiles.front().getType());
  auto map =
      MapOp::create(builder, op->getLoc(), getType(shape, element), tiles);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&map.getBody());
  for (Value tile : tiles)
    block->addArgument(cast<TileType>(tile.getType()).getElementType(),
                       op->getLoc());
  ElementBuilder elements(op->getLoc(), builder);
  YieldOp::create(elements, body(elements, block->getArguments()));
  return map.getResult(0);
}

/// These numbers in each row.
Value FourierExpansion::createRow(ArrayRef<long double> numbers) {
  int64_t length = numbers.size();
  auto type = getType({1, length}, part);
  DenseElementsAttr elements =
      part.isF64() ? DenseElementsAttr::get(
                         cast<ShapedType>(Type(type)),
                         ArrayRef<double>(llvm::to_vector_of<double>(numbers)))
                   : DenseElementsAttr::get(
                         cast<ShapedType>(Type(type)),
                         ArrayRef<float>(llvm::to_vector_of<float>(numbers)));
  Value row = arith::ConstantOp::create(builder, op->getLoc(), elements);
  return rows == 1 ? row
                   : BroadcastOp::create(builder, op->getLoc(),
                                         getType({rows, length}, part), row)
                         .getResult();
}

/// Real and imaginary parts.
SmallVector<Value> FourierExpansion::createRow(ArrayRef<Number> numbers) {
  SmallVector<long double> re, im;
  for (const Number &number : numbers) {
    re.push_back(number.real());
    im.push_back(number.imag());
  }
  return {createRow(re), createRow(im)};
}

Value FourierExpansion::multiply(Value tile, ArrayRef<Number> row) {
  SmallVector<Value> inputs = {tile};
  llvm::append_range(inputs, createRow(row));
  return map(getComplex(), inputs, [](ElementBuilder &b, ValueRange x) {
    return b.make(b.mul(b.parts(x[0]), Complex{x[1], x[2]}));
  });
}

/// The number of each place of a row, of one that stands for all.
Value FourierExpansion::iota(int64_t length) {
  SmallVector<int64_t> row = {1, length};
  return TileBuilder(builder, op->getLoc(), row,
                     getAnyRegisters(op->getContext()))
      .iota(builder.getI32Type(), 1);
}

/// Rows of `length` elements, zero behind those that there are.
Value FourierExpansion::pad(Value tile, int64_t length) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> rest = {rows, length - type.getDimSize(1)};
  Value zero = TileBuilder(builder, op->getLoc(), rest,
                           getAnyRegisters(op->getContext()))
                   .zero(type.getElementType());
  return JoinOp::create(builder, op->getLoc(),
                        getType({rows, length}, type.getElementType()),
                        ValueRange{tile, zero}, /*axis=*/1);
}

/// The first elements of each row.
Value FourierExpansion::takeFirst(Value tile, int64_t length) {
  auto type = cast<TileType>(tile.getType());
  if (type.getDimSize(1) == length)
    return tile;
  SharedAttr shared = getAnyShared(op->getContext());
  Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
  TileType taken = getType({rows, length}, type.getElementType());
  Value view = ViewOp::create(builder, op->getLoc(), taken.withStorage(shared),
                              convertTo(builder, op->getLoc(), tile, shared),
                              ValueRange{zero, zero});
  return convertTo(builder, op->getLoc(), view, taken.getStorage());
}

/// Elements of each row of a tile in shared memory.
Value FourierExpansion::take(Value shared, Value places) {
  int64_t length = getTileShape(places.getType()).back();
  return TakeOp::create(
      builder, op->getLoc(),
      getType({rows, length},
              cast<TileType>(shared.getType()).getElementType()),
      shared, places, /*axis=*/1);
}

//===----------------------------------------------------------------------===//
// Columns in arrays
//===----------------------------------------------------------------------===//

/// Has an access to a box of whole rows go to their columns instead, as many as
/// the last two extents say; says whether it can.
static bool splitRows(OpBuilder &builder, ArrayAccessOpInterface access,
                      MutableOperandRange array, MutableOperandRange offsets,
                      ArrayRef<int64_t> columns) {
  auto type = cast<MemRefType>(access.getArray().getType());
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  int64_t last = type.getRank() - 1;
  // The tile of columns has three dimensions.
  if (access.getMask() || type.getRank() < 2 || tile.getRank() > 2 ||
      getContiguousDimension(type) != last ||
      type.getDimSize(last) != columns[0] * columns[1] ||
      getConstantIntValue(access.getOffsets().back()) != 0 ||
      (tile.getRegister() && tile.getRegister().isResolved()))
    return false;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape(type.getShape().drop_back());
  for (int64_t dim = 0; dim < last; ++dim)
    groups.push_back({dim});
  groups.push_back({last, last + 1});
  llvm::append_range(shape, columns);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(access.getArray());
  SmallVector<Value> places(access.getOffsets());
  places.push_back(places.back());
  array.assign(memref::ExpandShapeOp::create(builder, access.getLoc(), shape,
                                             access.getArray(), groups)
                   .getResult());
  offsets.assign(places);
  return true;
}

/// Loads whole rows as columns; says whether it can.
bool FourierExpansion::loadColumns(LoadOp load, ArrayRef<int64_t> shape) {
  if (!load->hasOneUse() || load.getPad() ||
      !splitRows(builder, cast<ArrayAccessOpInterface>(*load),
                 load.getSourceMutable(), load.getOffsetsMutable(),
                 shape.take_back(2)))
    return false;
  load.getResult().setType(getType(shape, getComplex()));
  return true;
}

/// Stores what the last pass left as columns, where the rows that it becomes
/// are whole rows of an array; says whether.
bool FourierExpansion::storeColumns(Value tile) {
  auto reshaped = tile.getDefiningOp<ReshapeOp>();
  auto store = dyn_cast<StoreOp>(*op->getResult(0).user_begin());
  if (!reshaped || !store || !op->getResult(0).hasOneUse())
    return false;
  Value columns = reshaped.getSource();
  ArrayRef<int64_t> shape = getTileShape(columns.getType());
  if (!columns.getDefiningOp<PartialFftOp>() || !isPadded(shape) ||
      !splitRows(builder, cast<ArrayAccessOpInterface>(*store),
                 store.getDestMutable(), store.getOffsetsMutable(),
                 shape.take_back(2)))
    return false;
  store.getValueMutable().assign(columns);
  reshaped.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Rows of complex numbers
//===----------------------------------------------------------------------===//

Value FourierExpansion::transform(Value x, bool isInverse, long double scale) {
  int64_t length = getTileShape(x.getType()).back();
  return length == plan.length ? transformByPasses(x, isInverse, scale)
                               : transformByConvolution(x, isInverse, scale);
}

/// Whether the tile of a pass has an element of the tile in each of its places.
bool FourierExpansion::isPadded(ArrayRef<int64_t> shape) {
  auto kernel = op->getParentOfType<KernelOp>();
  return getPassLayout(shape, plan.threads, kernel.getNumWarps())
             .getBox()
             .back() != shape.back();
}

/// Columns of a radix, of rows.
Value FourierExpansion::toColumns(Value x, int64_t radix) {
  SmallVector<int64_t> shape = {rows, radix, plan.length / radix};
  auto load = x.getDefiningOp<LoadOp>();
  if (load && isPadded(shape) && loadColumns(load, shape))
    return x;
  return reshape(x, shape);
}

/// The columns of the next pass, of those of one.
Value FourierExpansion::reorder(Value x, int64_t places, int64_t nextRadix) {
  SmallVector<int64_t> shape(getTileShape(x.getType()));
  int64_t radix = shape[1], blocks = shape[2] / places;
  SmallVector<int64_t> next = {rows, nextRadix, plan.length / nextRadix};
  if (isPadded(shape)) {
    TileType columns = getType(next, getComplex());
    Value ordered = OrderFftOp::create(
        builder, op->getLoc(),
        columns.withStorage(getAnyShared(op->getContext())), x, places);
    return convertTo(builder, op->getLoc(), ordered, columns.getStorage());
  }
  x = reshape(x, {rows, radix, blocks, places});
  SmallVector<int64_t> swapped = {rows, blocks, radix, places};
  x = TransposeOp::create(builder, op->getLoc(), getType(swapped, getComplex()),
                          x, ArrayRef<int64_t>{0, 2, 1, 3});
  return reshape(x, next);
}

Value FourierExpansion::transformByPasses(Value x, bool isInverse,
                                          long double scale) {
  FactorParts factor = splitFactor(scale, part.isF64());
  if (plan.radices.empty())
    return scale == 1
               ? x
               : map(getComplex(), x, [&](ElementBuilder &b, ValueRange x) {
                   return b.make(b.scale(b.parts(x[0]), factor));
                 });
  int64_t places = 1; // the product of the radices so far
  x = toColumns(x, plan.radices.front());
  for (auto [pass, radix] : llvm::enumerate(plan.radices)) {
    bool isLast = pass + 1 == plan.radices.size();
    x = PartialFftOp::create(
        builder, op->getLoc(), x, places, plan.threads, isInverse,
        isLast && scale != 1
            ? builder.getDenseF64ArrayAttr({factor.high, factor.rest})
            : DenseF64ArrayAttr());
    if (!isLast)
      x = reorder(x, places, plan.radices[pass + 1]);
    places *= radix;
  }
  return reshape(x, {rows, plan.length});
}

Value FourierExpansion::transformByConvolution(Value x, bool isInverse,
                                               long double scale) {
  int64_t length = getTileShape(x.getType()).back();
  x = reshape(x, {rows, length});
  Chirp chirp(length, plan.length, isInverse);
  x = pad(multiply(x, chirp.factors), plan.length);
  x = transformByPasses(x, /*isInverse=*/false, /*scale=*/1);
  x = multiply(x, chirp.spectrum);
  x = transformByPasses(x, /*isInverse=*/true, /*scale=*/1);
  for (Number &factor : chirp.factors)
    factor *= scale;
  return multiply(takeFirst(x, length), chirp.factors);
}

//===----------------------------------------------------------------------===//
// Rows of real numbers
//===----------------------------------------------------------------------===//

Value FourierExpansion::transformReal(Value x) {
  Type part = this->part;
  x = reshape(x, {rows, form.length});
  Value y = map(getComplex(), x, [part](ElementBuilder &b, ValueRange x) {
    return b.make({x[0], b.real(part, 0)});
  });
  y = transform(y, /*isInverse=*/false, form.scale);
  return takeFirst(y, form.length / 2 + 1);
}

/// Pairs of elements are complex numbers z; of their transform Z, the elements
/// of even places have E_k = (Z_k + conj(Z_-k)) / 2, those of odd ones
/// O_k = (Z_k - conj(Z_-k)) / 2i, and all together E_k + w^k O_k.
Value FourierExpansion::transformHalved(Value x) {
  int64_t half = form.length / 2;
  Value pairs = reshape(x, {rows, half, 2});
  auto takePart = [&](int64_t number) -> Value {
    auto at = [&](int64_t place) -> Value {
      return arith::ConstantIndexOp::create(builder, op->getLoc(), place);
    };
    Value view =
        ViewOp::create(builder, op->getLoc(), getType({rows, half, 1}, part),
                       pairs, ValueRange{at(0), at(0), at(number)});
    return reshape(view, {rows, half});
  };
  Value z =
      map(getComplex(), {takePart(0), takePart(1)},
          [](ElementBuilder &b, ValueRange x) { return b.make({x[0], x[1]}); });
  z = convertTo(builder, op->getLoc(),
                transform(z, /*isInverse=*/false, /*scale=*/1),
                getAnyShared(op->getContext()));
  // Z_k and Z_-k for k = 0 to half, modulo half.
  SmallVector<int64_t> row = {1, half + 1};
  TileBuilder places(builder, op->getLoc(), row,
                     getAnyRegisters(op->getContext()));
  Type i32 = builder.getI32Type();
  Value k = iota(half + 1), none = places.constant(i32, 0),
        all = places.constant(i32, half);
  auto isEqual = [&](Value a, Value b) {
    return places.create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
  };
  Value at = places.create<SelectOp>(isEqual(k, all), none, k);
  Value opposite = places.create<SelectOp>(
      isEqual(k, none), none, places.create<arith::SubIOp>(all, k));
  std::vector<Number> twiddles;
  for (int64_t place = 0; place <= half; ++place)
    twiddles.push_back(getRootOfUnity(place, form.length));
  SmallVector<Value> inputs = {take(z, at), take(z, opposite)};
  llvm::append_range(inputs, createRow(twiddles));
  FactorParts factor = splitFactor(form.scale / 2, part.isF64());
  return map(getComplex(), inputs, [&](ElementBuilder &b, ValueRange x) {
    Complex here = b.parts(x[0]), there = b.parts(x[1]);
    Complex even = {b.add(here.re, there.re), b.sub(here.im, there.im)};
    Complex odd = {b.add(here.im, there.im), b.sub(there.re, here.re)};
    Complex turned = b.mul(odd, Complex{x[2], x[3]});
    Complex sum = {b.add(even.re, turned.re), b.add(even.im, turned.im)};
    return b.make(b.scale(sum, factor));
  });
}

/// The other half of the spectrum is the conjugate of this one.
Value FourierExpansion::transformToReal(Value y) {
  y = reshape(y, {rows, form.length / 2 + 1});
  SmallVector<int64_t> row = {1, form.length};
  TileBuilder places(builder, op->getLoc(), row,
                     getAnyRegisters(op->getContext()));
  Type i32 = builder.getI32Type();
  Value k = iota(form.length);
  Value isBehind = places.create<arith::CmpIOp>(
      arith::CmpIPredicate::sgt, k, places.constant(i32, form.length / 2));
  Value at = places.create<SelectOp>(
      isBehind,
      places.create<arith::SubIOp>(places.constant(i32, form.length), k), k);
  Value shared =
      convertTo(builder, op->getLoc(), y, getAnyShared(op->getContext()));
  // The sign of imaginary parts, zero for the first one.
  SmallVector<long double> signs(form.length, -1);
  std::fill(signs.begin(), signs.begin() + form.length / 2 + 1, 1);
  signs.front() = 0;
  Type part = this->part;
  Value x =
      map(getComplex(), {take(shared, at), createRow(signs)},
          [part](ElementBuilder &b, ValueRange x) {
            Complex y = b.parts(x[0]);
            Value zero = b.real(part, 0);
            Value isReal =
                arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[1], zero);
            y.im = arith::SelectOp::create(b, isReal, zero, b.mul(y.im, x[1]));
            return b.make(y);
          });
  x = transform(x, /*isInverse=*/true, form.scale);
  return map(part, x,
             [](ElementBuilder &b, ValueRange x) { return b.parts(x[0]).re; });
}

/// The other way round as transformHalved: Z_k = E_k + i O_k, and of its
/// inverse the real parts are the elements of even places.
Value FourierExpansion::transformToHalved(Value y) {
  int64_t half = form.length / 2;
  y = reshape(y, {rows, half + 1});
  SmallVector<int64_t> row = {1, half};
  TileBuilder places(builder, op->getLoc(), row,
                     getAnyRegisters(op->getContext()));
  Value k = iota(half);
  Value opposite = places.create<arith::SubIOp>(
      places.constant(builder.getI32Type(), half), k);
  Value shared =
      convertTo(builder, op->getLoc(), y, getAnyShared(op->getContext()));
  std::vector<Number> twiddles;
  for (int64_t place = 0; place < half; ++place)
    twiddles.push_back(std::conj(getRootOfUnity(place, form.length)));
  // The first twiddle factor alone has no imaginary part, and the numbers that
  // it is for have none that counts.
  SmallVector<Value> inputs = {take(shared, k), take(shared, opposite)};
  llvm::append_range(inputs, createRow(twiddles));
  Type part = this->part;
  Value z = map(getComplex(), inputs, [part](ElementBuilder &b, ValueRange x) {
    Complex here = b.parts(x[0]), there = b.parts(x[1]);
    Value zero = b.real(part, 0);
    Value isFirst =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x[3], zero);
    here.im = arith::SelectOp::create(b, isFirst, zero, here.im);
    there.im = arith::SelectOp::create(b, isFirst, zero, there.im);
    Complex even = {b.add(here.re, there.re), b.sub(here.im, there.im)};
    Complex odd = {b.sub(here.re, there.re), b.add(here.im, there.im)};
    Complex turned = b.mul(odd, Complex{x[2], x[3]});
    return b.make({b.sub(even.re, turned.im), b.add(even.im, turned.re)});
  });
  z = transform(z, /*isInverse=*/true, form.scale);
  auto takePart = [&](bool isImaginary) {
    Value numbers = map(part, z, [&](ElementBuilder &b, ValueRange x) {
      Complex number = b.parts(x[0]);
      return isImaginary ? number.im : number.re;
    });
    return reshape(numbers, {rows, half, 1});
  };
  Value even = takePart(false), odd = takePart(true);
  Value pairs =
      JoinOp::create(builder, op->getLoc(), getType({rows, half, 2}, part),
                     ValueRange{even, odd}, /*axis=*/2);
  return reshape(pairs, {rows, form.length});
}

void FourierExpansion::run() {
  Value x = op->getOperand(0);
  bool isHalved = form.length % 2 == 0;
  if (!form.isOfRealRows)
    x = transform(x, form.isInverse, form.scale);
  else if (form.isInverse)
    x = isHalved ? transformToHalved(x) : transformToReal(x);
  else
    x = isHalved ? transformHalved(x) : transformReal(x);
  if (!op->use_empty() && !storeColumns(x)) {
    x = reshape(x, getTileShape(op->getResult(0).getType()));
    replaceResult(builder, op->getResult(0), x);
  }
  op->erase();
}

static void expand(Operation *op) {
  auto [form, plan] = *getFourierPlan(op);
  FourierExpansion(op, form, plan).run();
}

void FftOp::simplifyForLayouts() { expand(*this); }
void IfftOp::simplifyForLayouts() { expand(*this); }
void RfftOp::simplifyForLayouts() { expand(*this); }
void IrfftOp::simplifyForLayouts() { expand(*this); }
