// Interpreter.h - the state of one block's evaluation, and its parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TOOLS_TILEFUZZ_EVALUATE_INTERPRETER_H
#define TILE_TOOLS_TILEFUZZ_EVALUATE_INTERPRETER_H

#include "../Evaluate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile::fuzz {

using Elements = std::vector<Element>;

class Interpreter {
public:
  /// Creates the state of one block. `threads` is the number of threads of a
  /// block; 0 if the kernel does not specify it. If `hasDuals`, elements have
  /// derivatives.
  Interpreter(std::array<int64_t, 3> block, std::array<int64_t, 3> grid,
              int64_t threads, bool hasDuals)
      : block(block), grid(grid), threads(threads), hasDuals(hasDuals) {}

  /// Sets the value of an argument. An array is not copied, so stores change
  /// `value`.
  void setArgument(mlir::Value argument, ArgumentValue &value) {
    if (value.array)
      arrays[argument] = &*value.array;
    else
      values[argument] = {value.scalar};
  }

  mlir::LogicalResult run(mlir::Block &body);

private:
  mlir::LogicalResult runOp(mlir::Operation *op);
  /// Replaces the results of an operation that has been run by those with
  /// derivatives.
  void computeDuals(mlir::Operation *op);
  void setDuals(mlir::Value result, llvm::ArrayRef<ComplexDual> duals);
  std::vector<ComplexDual> getDuals(mlir::Value value);
  void computeElementwiseDuals(mlir::Operation *op);
  void computeComplexDuals(mlir::Operation *op, ComplexKind kind);
  void computeDuals(ReduceOp op);
  void computeDuals(ScanOp op);
  void computeDuals(ArgReduceOp op);
  void computeDuals(IotaOp op);
  void computeDuals(MatmulOp op);
  void computeDualTransform(mlir::Value source, mlir::Value result,
                            FftNorm norm, bool isInverse);
  void computeDuals(CholeskyDerivativeOp op);
  void computeDuals(CholeskyOp op);
  void computeDuals(TriangularSolveOp op);
  void computeDuals(SolveOp op);
  void computeDuals(InverseOp op);
  void computeDuals(DeterminantOp op);
  void computeDuals(LogDetOp op);
  mlir::LogicalResult runElementwise(mlir::Operation *op);
  mlir::LogicalResult runFor(mlir::scf::ForOp op);
  mlir::LogicalResult runWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult runIf(mlir::scf::IfOp op);
  mlir::LogicalResult runCall(mlir::func::CallOp op);
  /// Dimensions of the array along which the dimensions of a tile lie. If not
  /// given, these are the last dimensions of the array, in their order.
  using Dims = std::optional<llvm::ArrayRef<int64_t>>;
  /// Evaluates a load of a box. `pad` and `mask` may be null.
  void load(mlir::Value result, mlir::Value source, mlir::ValueRange offsets,
            mlir::Value pad, mlir::Value mask, Dims dims);
  void store(mlir::Value value, mlir::Value dest, mlir::ValueRange offsets,
             mlir::Value mask, Dims dims);
  mlir::LogicalResult check(AssertOp op);
  /// The coordinate of an element in an array, and whether the element is
  /// accessed, if that is known.
  struct Access {
    llvm::SmallVector<int64_t> coordinate;
    std::optional<bool> isChosen;
  };
  /// The coordinates of a tile's elements in order; nothing for an element with
  /// an unknown index.
  using Accesses = llvm::SmallVector<std::optional<Access>>;
  template <typename Op>
  Accesses getAccesses(Op op, mlir::Value tile);
  mlir::LogicalResult runThreads(PerThreadOp op);
  int64_t find(mlir::Value array, mlir::ValueRange indices);
  void loadElement(mlir::memref::LoadOp op);
  void storeElement(mlir::memref::StoreOp op);
  mlir::LogicalResult updateElement(mlir::memref::AtomicRMWOp op);
  void take(TakeOp op);
  void put(PutOp op);
  Element addElements(const Element &a, const Element &b,
                      mlir::Type type) const;
  void histogram(HistogramOp op);
  void push(PushOp op);
  void pop(PopOp op);
  /// Returns the mask's elements in order; nothing if one of them is not known.
  std::optional<llvm::SmallVector<bool>> getMask(mlir::Value mask);
  void gather(GatherOp op);
  void scatter(ScatterOp op);
  void update(AtomicRMWOp op);
  void computeComplex(mlir::Operation *op, ComplexKind kind);
  void unpack(UnpackOp op);
  void iota(IotaOp op);
  void randomize(RandomOp op);
  mlir::LogicalResult map(MapOp op);
  mlir::LogicalResult reduce(ReduceOp op);
  mlir::LogicalResult scan(ScanOp op);
  using Tuple = llvm::SmallVector<Element>; ///< one element of each tile
  mlir::LogicalResult scanByRegion(ScanOp op, llvm::ArrayRef<size_t> row,
                                   llvm::MutableArrayRef<Tuple> results);
  mlir::LogicalResult scanByKind(ScanOp op, llvm::ArrayRef<size_t> row,
                                 llvm::MutableArrayRef<Tuple> results);
  void argReduce(ArgReduceOp op);
  void differentiate(CholeskyDerivativeOp op);
  void factor(CholeskyOp op);
  void solve(TriangularSolveOp op);
  void factor(LuOp op);
  void factor(QrOp op);
  void decompose(EighOp op);
  void decompose(SvdOp op);
  void decompose(OneSidedJacobiOp op);
  void solve(LeastSquaresOp op);
  void solve(SolveOp op);
  void invert(InverseOp op);
  void takeDeterminants(DeterminantOp op);
  void takeDeterminants(LogDetOp op);
  void takeDiagonal(DiagonalOp op);
  void addDiagonal(AddDiagonalOp op);
  void transform(mlir::Value source, mlir::Value result, FftNorm norm,
                 bool isInverse);
  void sort(SortOp op);
  void topK(TopKOp op);
  mlir::FailureOr<Tuple> runRegion(mlir::Region &region,
                                   llvm::ArrayRef<Element> arguments);
  mlir::FailureOr<Tuple> combine(CombiningOpInterface op,
                                 llvm::ArrayRef<Tuple> tuples);
  Tuple getIdentity(CombiningOpInterface op);
  Tuple getTuple(mlir::ValueRange tiles, size_t index);
  Tuple getRepeatedTuple(mlir::ValueRange tiles,
                         llvm::ArrayRef<int64_t> coordinate);
  void setTuples(mlir::ValueRange results, llvm::ArrayRef<Tuple> tuples);
  void multiply(MatmulOp op);
  void rearrange(mlir::Operation *op);
  void insert(InsertOp op);
  void join(JoinOp op);
  void extract(ExtractOp op);
  Elements readConstant(mlir::arith::ConstantOp op);

  const Elements &get(mlir::Value value) { return values[value]; }
  int64_t getIndex(mlir::Value value) { return values[value].front().integer; }
  llvm::SmallVector<int64_t> getIndices(mlir::ValueRange indices) {
    return llvm::map_to_vector(indices,
                               [&](mlir::Value v) { return getIndex(v); });
  }
  void set(mlir::Value value, Elements elements) {
    values[value] = std::move(elements);
  }
  void setScalar(mlir::Value value, int64_t integer) {
    values[value] = {Element::ofInteger(integer)};
  }

  std::array<int64_t, 3> block, grid;
  int64_t threads;
  bool hasDuals;
  llvm::DenseMap<mlir::Value, Elements> values;
  llvm::DenseMap<mlir::Value, ArrayValue *> arrays;
};

/// Calls `visit` with each coordinate of a shape, in row-major order.
void forEach(llvm::ArrayRef<int64_t> shape,
             llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

int64_t getRowMajorIndex(llvm::ArrayRef<int64_t> shape,
                         llvm::ArrayRef<int64_t> coordinate);

/// Returns the shape of a tile; an empty one for a scalar.
llvm::ArrayRef<int64_t> getShape(mlir::Value value);

/// Returns the element type of a tile or vector, or the type of a scalar.
mlir::Type getElement(mlir::Value value);

/// Reads the value of an attribute; a complex value is a list of two
/// attributes.
Element readElement(mlir::Attribute attribute);

/// Returns the coordinate in an array of the element at `coordinate` of the box
/// at `offsets`.
llvm::SmallVector<int64_t>
shiftCoordinate(llvm::ArrayRef<int64_t> offsets,
                llvm::ArrayRef<int64_t> coordinate,
                std::optional<llvm::ArrayRef<int64_t>> dims = std::nullopt);

/// Returns the rows of a tile along `axis`, or one row of all elements. Each
/// row consists of row-major indices in ascending order.
llvm::SmallVector<llvm::SmallVector<size_t>>
getRows(llvm::ArrayRef<int64_t> shape, std::optional<uint64_t> axis);

/// Returns the element of a tile of indices at a coordinate; an extent of one
/// is repeated.
const Element &getRepeated(const Elements &indices,
                           llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<int64_t> coordinate);

/// Returns the kind of an operation on complex values, tile.complex or one of
/// the complex dialect; nothing for other operations.
std::optional<ComplexKind> getComplexKind(mlir::Operation *op);

/// Whether two values have the same bits; nothing if that is not known.
std::optional<bool> haveSameBits(const Element &a, const Element &b,
                                 mlir::Type type);

/// Returns the new value of an element after an atomic update.
Element getUpdated(AtomicKind kind, const Element &old, const Element &value,
                   const Element *expected, mlir::Type type);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_EVALUATE_INTERPRETER_H
