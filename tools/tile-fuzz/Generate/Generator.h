// Generator.h - the state of one random program, and its parts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool holds the tiles that the program has computed so far. Each step picks
// an operation, picks operands for it from the pool or makes them, and adds its
// results to the pool. Undefined behavior is avoided by construction: views,
// for example, stay inside their tile, and results of divisions by zero are not
// used.

#ifndef TILE_TOOLS_TILEFUZZ_GENERATE_GENERATOR_H
#define TILE_TOOLS_TILEFUZZ_GENERATE_GENERATOR_H

#include "../Generate.h"
#include "../Random.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string>

namespace tile::fuzz {

/// Maximum number of elements of a tile. Small tiles suffice to test the
/// compiler.
constexpr int64_t kMaxElements = 2048;
constexpr int64_t kMaxArrayElements = 1 << 14;

/// The type of a tile.
struct Type {
  std::vector<int64_t> shape;
  std::string element;
  /// The storage that the program declares, if any, and the shape of its
  /// layout.
  std::string storage = {};
  std::vector<int64_t> storedShape = {};

  bool operator==(const Type &o) const {
    return shape == o.shape && element == o.element &&
           getStorage() == o.getStorage();
  }
  /// Returns the storage; empty if the shape is no longer the one it was
  /// declared for.
  std::string getStorage() const { return shape == storedShape ? storage : ""; }
  Type withoutStorage() const { return {shape, element}; }
  int64_t size() const {
    return std::accumulate(shape.begin(), shape.end(), int64_t(1),
                           std::multiplies<int64_t>());
  }
  bool isFloat() const { return element[0] == 'f' || element[0] == 'b'; }
  bool isComplex() const { return element[0] == 'c'; }
  bool isIndex() const { return element == "index"; }
  bool isBool() const { return element == "i1"; }
  /// Whether it is an f8 type; f8 is only moved, cast and used in matmuls.
  bool isFloat8() const { return element[0] == 'f' && element[1] == '8'; }
  /// Whether arrays of this type support atomic accesses.
  bool isAtomic() const { return !isBool() && !isComplex() && !isFloat8(); }
  std::string str() const {
    std::string text = "!tile.tile<", where = getStorage();
    for (int64_t extent : shape)
      text += std::to_string(extent) + "x";
    return text + element + (where.empty() ? "" : ", " + where) + ">";
  }
};

/// A value of the program.
struct Tile {
  std::string name;
  Type type;
};

/// A scalar argument of the kernel.
struct Scalar {
  std::string name, element;
};

struct Array {
  std::string name, type, element;
  int64_t rank;
  /// The sizes; zero for a size that is known only at run time.
  std::vector<int64_t> sizes;

  /// Whether the array is certainly large enough for a box of the shape.
  bool holds(const std::vector<int64_t> &shape) const {
    return static_cast<int64_t>(shape.size()) <= rank &&
           llvm::all_of(sizes, [](int64_t size) { return size > 0; }) &&
           std::equal(shape.begin(), shape.end(), sizes.end() - shape.size(),
                      std::less_equal<int64_t>());
  }
};

struct Matmul;

class Generator {
public:
  explicit Generator(uint64_t seed, bool isDifferentiable = false)
      : random(seed), isDifferentiable(isDifferentiable) {}

  /// Returns the text of the module.
  std::string run();

  /// Returns the text of a module that is probably differentiable.
  std::string runDifferentiable();

private:
  // Text.
  std::string fresh() { return "%v" + std::to_string(nextName++); }
  void line(const std::string &text);
  std::string index(int64_t value);
  std::string writeModule() const;

  // Types.
  std::string pickElement();
  std::string pickStored();
  std::string pickFloat8();
  std::vector<int64_t> pickShape();
  Type withElement(Type type, const std::string &element) {
    type.element = element;
    return type;
  }
  std::string pickSharedLayout(const std::vector<int64_t> &shape);
  std::string pickRegisterLayout(const std::vector<int64_t> &shape);
  std::string pickStorage(const std::vector<int64_t> &shape);

  // Values.
  const Tile &pickTile() { return pool[random.below(pool.size())]; }
  Tile pickUnused();
  Tile pickOf(const Type &type, const std::string &butNot = "");
  Tile make(const Type &type);
  Tile add(const Type &type, const std::string &operation);
  Tile makeDense(const Type &type, const std::string &value);
  std::string makeLiteral(const Type &type);
  std::string makeScalar(const Type &type);
  std::string makeConstant(const Type &type);

  // Scalars.
  std::string pickArgument(const std::string &element);
  std::string computeScalar(const Type &type);
  std::string makeCondition();
  std::string makeCount(int64_t limit);

  // Structure.
  void pickBlock();
  void pickGrid();
  void makeScalars();
  std::vector<int64_t> pickSizes(int64_t rank);
  std::vector<int64_t> pickSizesAround(const std::vector<int64_t> &shape);
  std::string pickArrayLayout(int64_t rank);
  Array makeArray(const std::string &element, std::vector<int64_t> sizes,
                  bool isOutput,
                  const std::optional<std::string> &given = std::nullopt);
  std::string pickOffset(int64_t extent);
  std::string pickInside(int64_t slack);
  std::vector<int64_t> pickDims(int64_t rank, int64_t arrayRank);
  std::string pickAtomic(const std::string &order);
  Array makeTwin(Array array);
  /// `array` is passed by value because a mask may add arrays.
  Tile loadFrom(Array array, const Type &type, const std::string &along);
  void addLoad();
  void addStore(const Tile &tile, bool isSeen = false);

  // Steps.
  void steps(int64_t count);
  void step();
  void otherStep();
  std::string pickDifferentiable();
  Matmul pickDifferentiableMatmul();
  Tile pickFloating();
  std::vector<std::string> pickOwnOffsets(const Array &array, const Type &type,
                                          const std::string &iteration);
  void differentiableSteps(int64_t count);
  void differentiableStep();
  void addDifferentiableControl();
  Tile addNext(const Tile &carried);
  void addDifferentiableMatrices();
  void addControl();
  void addComputedIndices(const Tile &x);
  void addRearrangement(const Tile &x);
  void addSilent(const Tile &x);
  void addComputation(const Tile &x);
  std::string pickFlags();
  void addFloatOp(const Tile &x);
  void addIntegerOp(const Tile &x);
  void addDivision(const Tile &x);
  void addShift(const Tile &x);
  void addBoolOp(const Tile &x);
  void addCompare(const Tile &x);
  void addSelect(const Tile &x);
  void addBitcast(const Tile &x);
  void addConvertLayout(const Tile &x);
  void addCast(const Tile &x);
  std::vector<std::string> pickPart(std::vector<int64_t> &shape);
  void addView(const Tile &x);
  void addSteppedView(const Tile &x);
  std::string pickMask(const Type &type);
  Tile makeReversed(const Type &type, int64_t axis);
  Type pickThreadType();
  std::string addOwnElement(const Type &type, const std::string &value,
                            const std::string &thread);
  void addCount();
  void addPerThread();
  void addTake(const Tile &x);
  void addPut(const Tile &x);
  void addHistogram(const Tile &x);
  void addStack(const Tile &x);
  void addExtract(const Tile &x);
  void addInsert(const Tile &x);
  void addComplex(const Tile &x);
  void addUnpack(const Tile &x);
  void addBroadcastAlong(const Tile &x);
  void addJoin(const Tile &x);
  void addTranspose(const Tile &x);
  void addBroadcast(const Tile &x);
  void addReshape(const Tile &x);
  void shareIndices(std::vector<int64_t> &shape, int64_t axis);
  Tile makeIndices(const Type &type, int64_t axis);
  std::string pickIndices(const Type &type, const Array &array,
                          std::string &types);
  Tile makeMixed(const Type &type, int64_t bound);
  Tile makeRotated(const Type &type, int64_t axis);
  Type pickWideType(const std::string &element);
  Array pickGathered(const Type &type);
  void addGather();
  void addRandom();
  void addAssert(const Tile &x);
  void addScatter(const Tile &tile, const Array &array,
                  const std::string &boxText, bool isInside);
  Tile makeAxisIndices(const Type &type, int64_t axis, bool mayRepeat);
  void beginInPlace();
  void addInPlace();
  void loadInPlace();
  void storeInPlace(const Tile &tile);
  void addUpdate(const Tile &tile, const Array &array,
                 const std::string &boxText, bool isOrdered, bool isInside);
  void addCombination(const Tile &x);
  std::string pickKind(const Type &type);
  std::string pickAxis(std::vector<int64_t> &shape);
  std::string makeComposition(const Type &type);
  void addPair(const Type &type, const std::string &operation);
  void addReduce(const Tile &x);
  void addScan(const Tile &x);
  void addArgReduce(const Tile &x);
  Type pickMatrices(const std::string &element);
  Tile makeComplex(const Tile &real, const Tile &imaginary);
  Tile makeSmall(const Type &type, double scale);
  Tile makeDominant(const Type &type);
  void addTriangularSolve(const Tile &matrix);
  Tile makeReordered(const Tile &matrix);
  Tile makeTurned(const Tile &matrix);
  void addWithStatus(const std::string &operation,
                     const std::vector<Type> &types, const Type &matrices);
  void addLu(const Tile &matrix);
  void addSolve(const Tile &matrix, bool isPositive);
  void addInverse(const Tile &matrix);
  void addDeterminant(const Tile &matrix);
  void addElimination(const Tile &matrix);
  void addCholesky(const Tile &matrix);
  void addCholeskyDerivative(const Tile &factor);
  Tile makeTall(const Tile &matrix);
  void addQr(const Tile &matrix);
  void addEigh(const Tile &matrix);
  void addSvd(const Tile &matrix);
  void addOneSidedJacobi(const Tile &matrix);
  void addDiagonal(const Tile &matrix);
  void addHermitian(const Tile &matrix);
  void addLinearAlgebra();
  std::string pickNorm();
  std::string pickPlan(int64_t length);
  Tile addTransform(const Tile &x);
  void addTransforms(const Tile &x);
  void addFourier();
  void addSort(const Tile &x);
  void addTopK(const Tile &x);
  Tile addMapOfOne(const Tile &x);
  Type pickRepeated(Type type);
  void addMap(const Tile &x);
  Matmul pickMatmul();
  std::string pickTiling(const Matmul &matmul, std::vector<int64_t> &batch,
                         int64_t &m, int64_t &n);
  Tile pickOperand(std::vector<int64_t> batch, int64_t rows, int64_t columns,
                   const std::string &element, bool isForGroup);
  Tile makeComputed(const Type &type, const std::function<Tile(Type)> &load);
  void addMatmul();
  void addSelfMatmul();
  struct MatmulLoop;
  MatmulLoop pickMatmulLoop(const Matmul &matmul);
  Tile loadStep(const MatmulLoop &loop, const Type &type, int64_t along);
  Tile addTransposed(const Tile &x);
  Tile makeStepOperand(const MatmulLoop &loop, Type type, int64_t along);
  std::pair<Tile, Tile> enterRows(MatmulLoop &loop, const Tile &init);
  void leaveLoop(const Tile &next);
  void addMatmulLoop();
  Tile addRescaled(const Tile &old, const Tile &scale, const Tile &added);
  Tile addRepeated(const Tile &x, const Type &type);
  void addSoftmaxLoop();
  Tile loadForGroup(const Type &type);
  Tile makeChainOperand(const Matmul &matmul, int64_t rows, int64_t columns,
                        bool isForGroup);
  Tile multiply(const Matmul &matmul, const Tile &lhs, const Tile &rhs,
                const std::string &acc);
  std::string pickBeginning(const Type &sum);
  Tile addBetweenMatmuls(const Tile &x);
  Tile makeNextOperand(const Matmul &matmul, const Tile &sum);
  void addLayers(const Matmul &matmul, int64_t m, bool isForGroup);
  void addLoopOfChains(const Matmul &matmul, int64_t m, bool isForGroup);
  void addMatmulChain();
  void addLoop();
  void addWhile();
  void addBranch();
  void addCall();

  Random random;
  /// Whether most operations must have derivatives.
  bool isDifferentiable;
  std::string functions, head, body;
  std::vector<std::string> parameters;
  std::vector<Tile> pool;
  /// Names of values that are operands of some operation.
  std::set<std::string> used;
  std::vector<Array> inputs;
  /// Names of scalars of type index with small values, which may be negative.
  std::vector<std::string> offsets;
  std::vector<Scalar> scalars;
  /// A box of an array that each block reads and writes at its own offsets.
  struct Box {
    Array array;
    Type type;
    std::vector<std::string> at;
  };
  std::optional<Box> inPlace;
  /// The name of the value that is the block's linear id in the grid.
  std::string block;
  /// Attributes of the kernel.
  std::vector<std::string> attributes;
  /// The threads and warps of a block, and the blocks of the grid; zero if the
  /// program does not specify them. The last warp may have fewer threads than
  /// the others.
  int64_t numThreads = 0, numWarps = 0, numBlocks = 0;
  size_t indent = 2;
  int nextName = 0, depth = 0;
  int numFunctions = 0;
  bool isInFunction = false;
};

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_GENERATE_GENERATOR_H
