// FourierConvolutions.cpp - Fourier transforms of large prime factors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution is a transform, a multiplication by the spectrum of the kernel,
// and an inverse transform. The passes of the inverse start with the last radix
// of the first transform, so that nothing is exchanged between the two.
//
// The elements of a row of prime length are read from shared memory in the
// order of powers of a generator. The results are stored to shared memory, and
// read in the order of the transform. Any further permutation is therefore
// free: if the radices are coprime, elements are also permuted so that passes
// need no twiddle factors (listElements). For p = 1009 by radices 9, 7 and 16:
//
//   %a = tile.take %x at powers : (B, 1, 1009) to (B, 9, 112), from shared
//   memory
//   ... passes of radices 9, 7 and 16, the multiplication, and inverse passes
//       of radices 16, 9 and 7; an exchange follows each pass, except between
//       the two of radix 16
//   %y = tile.take %c at logarithms : (B, 1, 1008) to (B, 1, 1009)

#include "FourierExpansion.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/TileBuilder.h"

#include <numeric>

using namespace mlir;
using namespace tile;

/// Reads elements of each row of `shared`, a tile (rows, 1, length) in shared
/// memory. Returns a tile of `shape`, whose rows have the elements at
/// `indices`.
Value FourierExpansion::takeColumns(Value shared, ArrayRef<int64_t> indices,
                                    ArrayRef<int64_t> shape) {
  SmallVector<int64_t> row(shape);
  row.front() = 1;
  // The indices are below 2^15.
  auto type = cast<ShapedType>(Type(getType(row, builder.getI16Type())));
  auto elements = DenseElementsAttr::get(
      type, ArrayRef<int16_t>(llvm::to_vector_of<int16_t>(indices)));
  return take(shared,
              arith::ConstantOp::create(builder, op->getLoc(), elements));
}

/// Moves columns to shared memory as a tile (rows, 1, length), with the
/// elements of each row in the order of the tile.
Value FourierExpansion::columnsToShared(Value columns) {
  ArrayRef<int64_t> shape = getTileShape(columns.getType());
  SmallVector<int64_t> row = {rows, 1, shape[1] * shape[2]};
  if (!isPadded(shape))
    return toShared(reshape(columns, row));
  return OrderFftOp::create(
      builder, op->getLoc(),
      getType(row, getComplex()).withStorage(getAnyShared(op->getContext())),
      columns, /*places=*/shape[2]);
}

//===----------------------------------------------------------------------===//
// Any length (Bluestein)
//===----------------------------------------------------------------------===//

/// Transforms by a convolution with a chirp. The padding after a row takes part
/// in the passes between, but costs little in the first pass, where it is known
/// to be zero, and in the last one, whose padding is not used.
Value FourierExpansion::transformByChirp(Value x, bool isInverse,
                                         long double scale) {
  int64_t length = getTileShape(x.getType()).back();
  Chirp chirp(length, plan.length, isInverse);
  SmallVector<int64_t> digits = plan.radices;
  x = multiply(reshape(x, {rows, length}), chirp.factors);

  SmallVector<int64_t> shape = getColumnShape(plan.radices.front());
  int64_t columns = shape[2], used = llvm::divideCeil(length, columns);
  SmallVector<int64_t> first = {rows, used, columns},
                       behind = {rows, shape[1] - used, columns},
                       pad = {rows, used * columns - length};
  auto zeros = [&](ArrayRef<int64_t> shape) {
    return TileBuilder(builder, op->getLoc(), shape,
                       getAnyRegisters(op->getContext()))
        .zero(getComplex());
  };
  if (pad[1] != 0)
    x = join({x, zeros(pad)}, /*axis=*/1);
  x = toShared(reshape(x, {rows, 1, used * columns}));
  SmallVector<int64_t> row = {1, used, columns};
  x = take(x, TileBuilder(builder, op->getLoc(), row,
                          getAnyRegisters(op->getContext()))
                  .number(builder.getI32Type()));
  if (behind[1] != 0)
    x = join({x, zeros(behind)}, /*axis=*/1);

  x = runPasses(x, digits, /*isInverse=*/false, /*scale=*/1);
  x = multiply(x, chirp.spectrum);
  x = runPasses(x, digits, /*isInverse=*/true, /*scale=*/1);

  columns = plan.length / digits.front();
  used = llvm::divideCeil(length, columns);
  x = columnsToShared(takeBox(x, {0, 0, 0}, {rows, used, columns}));
  x = takeBox(x, {0, 0, 0}, {rows, 1, length});
  x = reshape(
      convertTo(builder, op->getLoc(), x, getAnyRegisters(op->getContext())),
      {rows, length});
  for (FourierNumber &factor : chirp.factors)
    factor *= scale;
  return multiply(x, chirp.factors);
}

//===----------------------------------------------------------------------===//
// Prime lengths (Rader)
//===----------------------------------------------------------------------===//

/// The first element of the result is the sum of all elements of the row. Its
/// element x_0 is a term of all other results. It is added to the first element
/// of the convolution's spectrum, from which the inverse transform adds it to
/// each of them.
Value FourierExpansion::transformPrime(Value x, bool isInverse,
                                       long double scale) {
  int64_t prime = getTileShape(x.getType()).back();
  auto list = [&](auto function, ArrayRef<int64_t> radices) {
    if (!plan.hasTwiddles)
      return function(radices);
    std::vector<int64_t> identity(plan.length);
    std::iota(identity.begin(), identity.end(), 0);
    return identity;
  };
  PrimeConvolution convolution(prime, isInverse);
  // A convolution that is not by passes has one column of all elements.
  bool isByPasses = plan.parts.empty();
  SmallVector<int64_t> digits =
      isByPasses ? plan.radices : SmallVector<int64_t>{1};
  auto convolve = [&](Value x, bool isInverse) -> Value {
    if (isByPasses)
      return runPasses(x, digits, isInverse, /*scale=*/1);
    x = reshape(x, {rows, plan.length});
    x = getPart(0, 1).transform(x, isInverse, /*scale=*/1);
    return reshape(x, getColumnShape(1));
  };

  x = toShared(reshape(x, {rows, 1, prime}));
  Value a = takeColumns(
      x,
      llvm::map_to_vector(list(listElements, digits),
                          [&](int64_t j) { return convolution.powers[j]; }),
      getColumnShape(digits.front()));
  // These loads are before the passes, which reuse the memory of the row.
  SmallVector<int64_t> head = {rows, 1, plan.length / digits.back()};
  Value first = takeColumns(x, SmallVector<int64_t>(head[2], 0), head);
  a = convolve(a, /*isInverse=*/false);

  SmallVector<FourierNumber> spectrum =
      llvm::map_to_vector(list(listFrequencies, digits), [&](int64_t q) {
        return convolution.spectrum[q] * scale;
      });
  SmallVector<int64_t> tail = getColumnShape(digits.front());
  tail[1] -= 1;
  bool hasTails = tail[1] != 0;
  Value heads = hasTails ? takeBox(a, {0, 0, 0}, head) : a;
  FactorParts factor = splitFactor(scale, part.isF64());
  auto rescale = [&](ElementBuilder &b, ComplexValue value) {
    return scale == 1 ? value : b.scale(value, factor);
  };
  Value sum =
      map(getComplex(), {heads, first}, [&](ElementBuilder &b, ValueRange x) {
        return b.make(rescale(b, b.add(b.parts(x[0]), b.parts(x[1]))));
      });
  auto getIndices = [&](ArrayRef<int64_t> shape) {
    return TileBuilder(builder, op->getLoc(), shape,
                       getAnyRegisters(op->getContext()))
        .iota(builder.getI32Type(), 2);
  };
  SmallVector<Value> inputs = {heads, first, getIndices(head)};
  llvm::append_range(inputs,
                     createRows(ArrayRef(spectrum).take_front(head[2]), head));
  heads = map(getComplex(), inputs, [&](ElementBuilder &b, ValueRange x) {
    ComplexValue product = b.mul(b.parts(x[0]), {x[3], x[4]});
    return b.make(b.chooseFirst(x[2], b.add(product, rescale(b, b.parts(x[1]))),
                                product));
  });
  Value y = heads;
  if (hasTails)
    y = join({heads, multiply(takeBox(a, {0, 1, 0}, tail),
                              ArrayRef(spectrum).drop_front(head[2]))},
             /*axis=*/1);
  y = convolve(y, /*isInverse=*/true);
  SmallVector<int64_t> positionOf(plan.length);
  for (auto [position, j] : llvm::enumerate(list(listElements, digits)))
    positionOf[j] = position;
  SmallVector<int64_t> row = {rows, 1, prime};
  Value rest =
      takeColumns(columnsToShared(y),
                  llvm::map_to_vector(convolution.logarithms,
                                      [&](int64_t q) { return positionOf[q]; }),
                  row);
  first = takeColumns(toShared(sum), SmallVector<int64_t>(prime, 0), row);
  y = map(getComplex(), {first, rest, getIndices(row)},
          [](ElementBuilder &b, ValueRange x) {
            return b.make(b.chooseFirst(x[2], b.parts(x[0]), b.parts(x[1])));
          });
  return reshape(y, {rows, prime});
}
