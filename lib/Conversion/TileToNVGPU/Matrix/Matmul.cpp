// Matmul.cpp - matmul of tiles by mma.sync and by FMA
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands in shared memory are read fragment by fragment, step by step along
// K, by the access plan for which their layout was chosen. Computed operands,
// and FMA operands that each thread loads from global memory, are already in
// the registers that their instructions read. The accumulator stays in
// registers.

#include "../Float8.h"
#include "../Memory/Addresses.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "RegisterOperand.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/SharedAccess.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// Maximum number of a thread's multiply-adds in straight-line code. With more,
/// the steps along K become a loop: longer code gains nothing and takes time to
/// compile.
static constexpr int64_t kMaxUnrolledFma = 1024;
/// This maximum for a generic variant, which waits longer for its loads.
static constexpr int64_t kMaxUnrolledFmaGeneric = 256;

namespace {

/// Operand of a matmul, and how this thread reads it.
class OperandReader {
public:
  OperandReader(IndexBuilder &index, ConversionPatternRewriter &rewriter,
                MatmulOp op, int operand, const Tiling &tiling)
      : index(index), address(index, rewriter, op->getOperand(operand)),
        type(cast<ShapedType>(op->getOperand(operand).getType())
                 .getElementType()),
        plan(makePlan(op, operand, tiling)),
        width(getOperandAccess(op, operand).getVector()),
        inner(plan.layout.getRank() - 1 - operand),
        coordinates(index, plan.layout) {}

  const AccessPlan &getPlan() const { return plan; }
  ThreadCoordinates &getCoordinates() { return coordinates; }
  /// The dimension of K.
  int64_t getInnerDimension() const { return inner; }
  bool isAlongK() const { return plan.dim == inner; }

  /// Returns the element of `value`. Its vector is loaded when one of the
  /// vector's elements is requested for the first time.
  Value loadElement(int64_t value) {
    int64_t lane = value % plan.vector % width;
    Value &vector = loaded[value - lane];
    if (!vector)
      vector = load(value - lane);
    Value &element = elements[value];
    if (!element)
      element = extractElement(index.builder, index.loc, vector, lane);
    return element;
  }

  /// Loads the matrices whose first value is `value` by ldmatrix. Returns a
  /// 32-bit register for each matrix, as a vector of two 16-bit elements.
  SmallVector<Value> loadMatrices(int64_t value) {
    auto result =
        VectorType::get({plan.matrices, 2}, index.builder.getF16Type());
    Value row = address.getMatrixRow(address.getElement(coordinates, value));
    Value matrices = nvgpu::LdMatrixOp::create(
        index.builder, index.loc, result, row, index.constant(0),
        plan.kind == AccessKind::kLdmatrixTransposed,
        static_cast<uint32_t>(plan.matrices));
    SmallVector<Value> registers;
    for (int64_t i = 0; i < plan.matrices; ++i)
      registers.push_back(
          vector::ExtractOp::create(index.builder, index.loc, matrices, i));
    return registers;
  }

private:
  /// Loads the vector whose first value is `value` by a plain load.
  Value load(int64_t value) {
    Value element = address.getElement(coordinates, value);
    if (width == 1)
      return memref::LoadOp::create(index.builder, index.loc,
                                    address.getMemory(), element);
    return vector::LoadOp::create(
        index.builder, index.loc, VectorType::get({width}, type),
        address.getMemory(), element, /*nontemporal=*/false,
        llvm::MaybeAlign(width * getElementBytes(type)));
  }

  AccessPlan makePlan(MatmulOp op, int operand, const Tiling &tiling) {
    // The buffer's box may be larger than this operand, if other matmuls read
    // the buffer, too.
    return getOperandPlan(tiling, operand,
                          getOperandBox(tiling, operand, op.getK()),
                          address.getContiguousDimension(),
                          getElementBytes(type), getNumWarps(op));
  }

  IndexBuilder &index;
  SharedAddress address;
  Type type;
  AccessPlan plan;
  int64_t width; ///< elements of a plain load
  int64_t inner;
  ThreadCoordinates coordinates;
  llvm::DenseMap<int64_t, Value> loaded, elements;
};

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// Emits a matmul by tensor cores. See Fragments.h for the elements of a lane.
class MmaEmitter {
  /// A lane's registers of 16 rows of A, or 16 columns of B, and one step along
  /// K. The indices are a row and a group (Fragments.h).
  using Fragment =
      std::array<std::array<Value, kFragmentGroups>, kFragmentRows>;

public:
  /// `lhs` and `rhs` are the registers of operands that are not in buffers.
  MmaEmitter(ConversionPatternRewriter &rewriter, MatmulOp op,
             const Tiling &tiling, ValueRange lhs, ValueRange rhs,
             SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), loc(op.getLoc()),
        instruction(*tiling.instruction),
        operandType(cast<ShapedType>(op.getLhs().getType()).getElementType()),
        accType(op.getType().getElementType()), tiling(tiling),
        steps(llvm::divideCeil(op.getK(), instruction.subK)),
        acc(std::move(acc)) {
    for (int operand : {0, 1})
      if (isa<MemRefType>(op->getOperand(operand).getType()))
        readers[operand].emplace(index, rewriter, op, operand, tiling);
      else
        inRegisters[operand].emplace(index, op, operand,
                                     operand == 0 ? lhs : rhs);
  }

  SmallVector<Value> emit() {
    for (int64_t step = 0; step < steps; ++step)
      for (int64_t matmul = 0; matmul < tiling.sub[kBatchAxis]; ++matmul)
        multiplyStep(step, matmul);
    return acc;
  }

private:
  /// Number of instructions of the warp along N.
  int64_t numColumns() const {
    return tiling.sub[1] * (instruction.subN / kInstructionColumns);
  }

  /// Whether f8 operands are converted to f16 and multiplied by its
  /// instruction.
  bool multipliesHalves() const {
    return instruction.fragment == FragmentKind::kByte && instruction.k == 16;
  }

  /// Emits one step along K of one of the warp's matmuls.
  void multiplyStep(int64_t step, int64_t matmul) {
    for (int operand : {0, 1})
      if (matmul == 0 || tiling.hasBatch[operand])
        stepFragments[operand] = readFragments(operand, step, matmul);
    auto &[a, b] = stepFragments;
    if (!multipliesHalves())
      return multiplyFragments(a, b, matmul);
    for (int64_t group = 0; group < kFragmentGroups; ++group)
      multiplyFragments(toHalves(a, group), toHalves(b, group), matmul);
  }

  void multiplyFragments(ArrayRef<Fragment> a, ArrayRef<Fragment> b,
                         int64_t matmul) {
    for (int64_t m = 0; m < tiling.sub[0]; ++m)
      for (int64_t n = 0; n < numColumns(); ++n)
        multiply(a[m], b[n / kFragmentRows][n % kFragmentRows],
                 matmul * tiling.sub[0] + m, n);
  }

  /// Converts the four f8 values of a group to the two groups of an f16
  /// instruction. This permutes the indices along K, in the same way for both
  /// operands.
  SmallVector<Fragment> toHalves(ArrayRef<Fragment> bytes, int64_t group) {
    SmallVector<Fragment> halves(bytes.size());
    Type pair = VectorType::get({2}, builder.getI8Type());
    for (size_t i = 0; i < bytes.size(); ++i)
      for (int64_t row = 0; row < kFragmentRows; ++row)
        for (int64_t part : {0, 1}) {
          Value bits = bytes[i][row][group];
          if (part == 1)
            bits = arith::ShRUIOp::create(
                builder, loc, bits,
                arith::ConstantIntOp::create(builder, loc, 16, 32));
          bits =
              arith::TruncIOp::create(builder, loc, builder.getI16Type(), bits);
          halves[i][row][part] = NVVM::ConvertF8x2ToF16x2Op::create(
              builder, loc, VectorType::get({2}, builder.getF16Type()),
              LLVM::BitcastOp::create(builder, loc, pair, bits),
              /*relu=*/builder.getBoolAttr(false), TypeAttr::get(operandType));
        }
    return halves;
  }

  SmallVector<Fragment> readFragments(int operand, int64_t step,
                                      int64_t matmul) {
    int64_t rows = operand == 0 ? tiling.sub[0] * instruction.subM
                                : tiling.sub[1] * instruction.subN;
    bool isSingle = rows % 16 != 0;
    int64_t count = rows / (isSingle ? 8 : 16);
    if (tiling.hasBatch[operand])
      step += matmul * steps;
    SmallVector<Fragment> fragments;
    for (int64_t i = 0; i < count; ++i) {
      int64_t part = step * count + i;
      Fragment fragment = readFragment(operand, part, isSingle);
      // Two fragments of a single row form one of two rows.
      if (isSingle && i % kFragmentRows != 0)
        fragments.back()[1] = fragment[0];
      else
        fragments.push_back(fragment);
    }
    return fragments;
  }

  Fragment readFragment(int operand, int64_t part, bool isSingle) {
    if (inRegisters[operand])
      return takeRegisters(operand, part, isSingle);
    OperandReader &reader = *readers[operand];
    return reader.getPlan().kind == AccessKind::kLoad
               ? readElements(reader, part, isSingle)
               : readMatrices(reader, operand, part, isSingle);
  }

  Fragment takeRegisters(int operand, int64_t part, bool isSingle) {
    int64_t rows = isSingle ? 1 : kFragmentRows;
    Fragment fragment;
    for (int64_t group = 0; group < kFragmentGroups; ++group)
      for (int64_t row = 0; row < rows; ++row)
        fragment[row][group] = convert(inRegisters[operand]->get(
            part * rows * kFragmentGroups +
            getFragmentRegister(instruction.fragment, operand, rows, row,
                                group)));
    return fragment;
  }

  /// Reads a fragment by plain loads. See getFragmentPlan for the order of the
  /// values.
  Fragment readElements(OperandReader &reader, int64_t part, bool isSingle) {
    int64_t rows = isSingle ? 1 : kFragmentRows;
    Fragment fragment;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t group = 0; group < kFragmentGroups; ++group) {
        int64_t value = part * rows * kFragmentGroups +
                        (reader.isAlongK() ? group + kFragmentGroups * row
                                           : row + rows * group);
        fragment[row][group] = convert(reader.loadElement(value));
      }
    return fragment;
  }

  /// Reads a fragment by ldmatrix. See getFragmentPlan for the order of its
  /// registers.
  Fragment readMatrices(OperandReader &reader, int operand, int64_t part,
                        bool isSingle) {
    const AccessPlan &plan = reader.getPlan();
    SmallVector<Value> matrices = reader.loadMatrices(part * plan.vector);
    bool areBytePairs = instruction.fragment == FragmentKind::kByte &&
                        plan.kind == AccessKind::kLdmatrixTransposed;
    Fragment fragment;
    for (int64_t row = 0; row < (isSingle ? 1 : kFragmentRows); ++row)
      for (int64_t group = 0; group < kFragmentGroups; ++group)
        fragment[row][group] =
            areBytePairs
                ? takeBytes(matrices[2 * group], matrices[2 * group + 1], row)
                : convert(matrices[operand == 0 ? row + 2 * group
                                                : group + 2 * row]);
    return fragment;
  }

  /// Converts a value of 32 bits to an i32. Vectors are converted by the vector
  /// dialect, as the LLVM dialect does not accept f8.
  Value toBits(Value value) {
    if (!isa<VectorType>(value.getType()))
      return LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), value);
    Value one = vector::BitCastOp::create(
        builder, loc, VectorType::get({1}, builder.getI32Type()), value);
    return vector::ExtractOp::create(builder, loc, one, 0);
  }

  /// Returns the first byte (`row` = 0) or the second byte of each pair of
  /// bytes in `low` and `high` (PTX ISA, "prmt").
  Value takeBytes(Value low, Value high, int64_t row) {
    Value selector = arith::ConstantIntOp::create(
        builder, loc, row == 0 ? 0x6420 : 0x7531, 32);
    return NVVM::PermuteOp::create(builder, loc, builder.getI32Type(),
                                   toBits(low), toBits(high), selector,
                                   NVVM::PermuteMode::DEFAULT);
  }

  /// Converts a value, as it was read, to the type of the instruction's
  /// registers.
  Value convert(Value value) {
    if (instruction.fragment == FragmentKind::kTF32) {
      if (!value.getType().isF32())
        value =
            LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), value);
      // Rounding to nearest, ties to even, is one instruction, which exists
      // from sm_90 on. Rounding with ties away from zero takes two
      // instructions.
      auto rounding = instruction.minArchitecture >= 90
                          ? NVVM::FPRoundingMode::RN
                          : NVVM::FPRoundingMode::RNA;
      return NVVM::ConvertFloatToTF32Op::create(
          builder, loc, builder.getI32Type(), value, rounding,
          NVVM::SaturationMode::NONE, /*relu=*/false);
    }
    if (operandType.isF16() || operandType.isF64())
      return value;
    return toBits(value);
  }

  /// Updates the accumulator of one instruction: that in row `m` and column `n`
  /// of the warp's instructions. In a batch, the rows of one matmul follow
  /// those of the previous one.
  void multiply(const Fragment &a, const std::array<Value, 2> &b, int64_t m,
                int64_t n) {
    int64_t perSub = instruction.subN / kInstructionColumns;
    int64_t first = (m * tiling.sub[1] + n / perSub) * 4 * perSub;
    auto position = [&](int64_t row, int64_t column) {
      return first +
             getAccumulatorValue(instruction.fragment, n % perSub, row, column);
    };
    if (instruction.m == 8)
      return multiplyParts(a, b, position);
    SmallVector<Value> c;
    for (int64_t row : {0, 1})
      for (int64_t column : {0, 1})
        c.push_back(acc[position(row, column)]);
    c = issue({a[0][0], a[1][0], a[0][1], a[1][1]}, b, c);
    for (int64_t row : {0, 1})
      for (int64_t column : {0, 1})
        acc[position(row, column)] = c[2 * row + column];
  }

  /// Issues m8n8k4, one row and one group at a time.
  void multiplyParts(const Fragment &a, const std::array<Value, 2> &b,
                     function_ref<int64_t(int64_t, int64_t)> position) {
    for (int64_t group : {0, 1})
      for (int64_t row : {0, 1}) {
        SmallVector<Value> c = {acc[position(row, 0)], acc[position(row, 1)]};
        c = issue({a[row][group]}, {b[group]}, c);
        acc[position(row, 0)] = c[0];
        acc[position(row, 1)] = c[1];
      }
  }

  /// Issues one instruction with scalar operands. nvgpu.mma.sync takes vectors:
  /// packing the accumulator for each instruction would be most of the module's
  /// operations.
  SmallVector<Value> issue(ArrayRef<Value> a, ArrayRef<Value> b,
                           ArrayRef<Value> c) {
    SmallVector<Value> packed = packAccumulator(c);
    auto result = LLVM::LLVMStructType::getLiteral(
        builder.getContext(),
        SmallVector<Type>(packed.size(), packed.front().getType()));
    std::string intrinsic = getIntrinsic();
    Value d;
    if (intrinsic.empty()) {
      d = createMma(result, a, b, packed);
    } else {
      SmallVector<Value> operands(a);
      llvm::append_range(operands, b);
      llvm::append_range(operands, packed);
      d = LLVM::CallIntrinsicOp::create(
              builder, loc, result, builder.getStringAttr(intrinsic), operands)
              .getResult(0);
    }
    SmallVector<Value> values;
    for (size_t i = 0; i < packed.size(); ++i) {
      Value part = LLVM::ExtractValueOp::create(builder, loc, d, i);
      for (size_t j = 0; j < c.size() / packed.size(); ++j)
        values.push_back(extractElement(builder, loc, part, j));
    }
    return values;
  }

  /// Packs an f16 accumulator into pairs of columns.
  SmallVector<Value> packAccumulator(ArrayRef<Value> c) {
    if (!accType.isF16())
      return SmallVector<Value>(c);
    SmallVector<Value> pairs;
    for (size_t first = 0; first < c.size(); first += 2)
      pairs.push_back(vector::FromElementsOp::create(
          builder, loc, VectorType::get({2}, accType), c.slice(first, 2)));
    return pairs;
  }

  /// Returns the name of the intrinsic, if nvvm.mma.sync lacks the instruction;
  /// otherwise an empty string.
  std::string getIntrinsic() const {
    if (operandType.isF64() && instruction.m == 16)
      return "llvm.nvvm.mma.m16n8k8.row.col.f64";
    if (multipliesHalves())
      return "";
    if (isa<Float8E4M3FNType>(operandType))
      return "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32";
    if (isa<Float8E5M2Type>(operandType))
      return "llvm.nvvm.mma.m16n8k32.row.col.f32.e5m2.e5m2.f32";
    return "";
  }

  Value createMma(Type result, ArrayRef<Value> a, ArrayRef<Value> b,
                  ArrayRef<Value> c) {
    std::optional<std::array<NVVM::MMATypes, 2>> types;
    std::optional<NVVM::MMAIntOverflow> overflow;
    auto both = [](NVVM::MMATypes type) {
      return std::array<NVVM::MMATypes, 2>{type, type};
    };
    if (operandType.isBF16())
      types = both(NVVM::MMATypes::bf16);
    if (instruction.fragment == FragmentKind::kTF32)
      types = both(NVVM::MMATypes::tf32);
    if (operandType.isInteger(8)) {
      types = both(NVVM::MMATypes::s8);
      overflow = NVVM::MMAIntOverflow::wrapped;
    }
    return NVVM::MmaOp::create(
        builder, loc, result, a, b, c,
        ArrayRef<int64_t>{instruction.m, instruction.n, instruction.k},
        /*b1Op=*/std::nullopt, overflow, types,
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
  }

  /// Number of columns of every instruction.
  static constexpr int64_t kInstructionColumns = 8;

  IndexBuilder index;
  OpBuilder &builder;
  Location loc;
  const MatrixInstruction &instruction;
  Type operandType, accType;
  const Tiling &tiling;
  int64_t steps; ///< along K
  std::optional<OperandReader> readers[2];
  std::optional<RegisterOperand> inRegisters[2];
  SmallVector<Fragment> stepFragments[2];
  SmallVector<Value> acc;
};

//===----------------------------------------------------------------------===//
// FMA
//===----------------------------------------------------------------------===//

/// A thread's elements of one operand: read from a buffer when needed, or held
/// in registers.
class FmaOperand {
public:
  FmaOperand(IndexBuilder &index, ConversionPatternRewriter &rewriter,
             MatmulOp op, int operand, const Tiling &tiling, ValueRange values)
      : operand(operand), tiling(tiling), depth(op.getK()) {
    auto type = dyn_cast<TileType>(op->getOperand(operand).getType());
    if (!type) {
      reader.emplace(index, rewriter, op, operand, tiling);
      return;
    }
    SmallVector<Value> elements = unpack(rewriter, op.getLoc(), type, values);
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    for (auto [value, element] : llvm::enumerate(elements)) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t matmul = coordinates.size() == 3
                           ? coordinates.front() / tiling.subExtent(kBatchAxis)
                           : 0;
      ArrayRef<int64_t> at = ArrayRef(coordinates).take_back(2);
      held[{at[operand], matmul * depth + at[1 - operand]}] = element;
    }
  }

  bool isHeld() const { return !reader; }
  /// @pre !isHeld().
  OperandReader &getReader() { return *reader; }

  /// Number of elements of a vector along K.
  int64_t getVectorAlongK() const {
    return reader && reader->isAlongK() ? reader->getPlan().vector : 1;
  }

  /// Returns the element of one of the thread's matmuls at `outer` (along M or
  /// N, in the thread's own order) and `k`.
  Value get(int64_t matmul, int64_t outer, int64_t k) {
    if (tiling.hasBatch[operand])
      k += matmul * depth;
    int64_t thread = tiling.thread[operand];
    if (isHeld())
      return held.at(
          {outer % thread + outer / thread * tiling.subExtent(operand), k});
    const AccessPlan &plan = reader->getPlan();
    int64_t count = thread * tiling.sub[operand];
    // The order of the values is the vector, then outer, then K, then matmuls;
    // see getFmaPlan.
    if (reader->isAlongK())
      return reader->loadElement(
          (k / plan.vector * count + outer) * plan.vector + k % plan.vector);
    return reader->loadElement(k * count + outer);
  }

private:
  int operand;
  const Tiling &tiling;
  int64_t depth; ///< K
  std::optional<OperandReader> reader;
  /// The elements by their coordinates (outer, k) in the thread's part of the
  /// operand, where k continues from matmul to matmul.
  llvm::DenseMap<std::pair<int64_t, int64_t>, Value> held;
};

/// Emits a matmul by multiply-adds in each thread. The order of the values of
/// the accumulator is TN, TM, then sub-tiles along N, then along M, then
/// matmuls of the batch.
class FmaEmitter {
public:
  FmaEmitter(ConversionPatternRewriter &rewriter, MatmulOp op,
             const Tiling &tiling, const Architecture &architecture,
             ArrayRef<ValueRange> operands, SmallVector<Value> acc)
      : index(rewriter, op.getLoc()), builder(rewriter), op(op), tiling(tiling),
        architecture(architecture),
        lhs(index, rewriter, op, 0, tiling, operands[0]),
        rhs(index, rewriter, op, 1, tiling, operands[1]), acc(std::move(acc)) {}

  SmallVector<Value> emit() {
    int64_t k = op.getK();
    int64_t unit = chooseUnit(k);
    if (unit == k) {
      emitSteps(k);
      return acc;
    }
    auto loop =
        scf::ForOp::create(builder, index.loc, index.constant(0),
                           index.constant(k), index.constant(unit), acc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    for (FmaOperand *operand : {&lhs, &rhs}) {
      OperandReader &reader = operand->getReader();
      reader.getCoordinates().shift(reader.getInnerDimension(),
                                    loop.getInductionVar(), unit, k);
    }
    acc.assign(loop.getRegionIterArgs().begin(),
               loop.getRegionIterArgs().end());
    emitSteps(unit);
    scf::YieldOp::create(builder, index.loc, acc);
    return SmallVector<Value>(loop.getResults());
  }

private:
  /// Returns the number of steps along K in one loop body: a divisor of K that
  /// is a multiple of the length of vectors. If an operand is in registers,
  /// this is K, since a loop cannot index registers.
  int64_t chooseUnit(int64_t k) const {
    if (lhs.isHeld() || rhs.isHeld())
      return k;
    int64_t vector = std::max(lhs.getVectorAlongK(), rhs.getVectorAlongK());
    int64_t limit = op->getParentOfType<KernelOp>()->hasAttr(kGeneralOfAttr)
                        ? kMaxUnrolledFmaGeneric
                        : kMaxUnrolledFma;
    // A complex multiply-add is four real ones.
    bool isComplex = isa<ComplexType>(acc.front().getType());
    int64_t perStep = acc.size() * (isComplex ? 4 : 1);
    int64_t unit = k;
    while (unit * perStep > limit && unit % 2 == 0 && (unit / 2) % vector == 0)
      unit /= 2;
    return unit;
  }

  /// Returns an element of an operand, converted to the accumulator's type.
  Value getElement(FmaOperand &operand, int64_t matmul, int64_t outer,
                   int64_t k) {
    Value value = operand.get(matmul, outer, k);
    Value &element = elements[value];
    if (!element)
      element = widen(value);
    return element;
  }

  /// Converts a value to the accumulator's type.
  Value widen(Value value) {
    Type to = op.getType().getElementType();
    if (isFloat8(value.getType()))
      value = widenFloat8(builder, index.loc, value, architecture).front();
    if (value.getType() == to)
      return value;
    if (isa<FloatType>(to))
      return arith::ExtFOp::create(builder, index.loc, to, value);
    return arith::ExtSIOp::create(builder, index.loc, to, value);
  }

  Value fuse(Value a, Value b, Value c) {
    return math::FmaOp::create(builder, index.loc, a, b, c);
  }

  /// Returns the real and the imaginary part of a complex value.
  std::pair<Value, Value> split(Value value) {
    return {complex::ReOp::create(builder, index.loc, value),
            complex::ImOp::create(builder, index.loc, value)};
  }

  /// Emits a complex multiply-add as four fused multiply-adds.
  Value multiplyAddComplex(Value x, Value y, Value sum) {
    auto [a, b] = split(x);
    auto [c, d] = split(y);
    auto [real, imaginary] = split(sum);
    Value minus = arith::NegFOp::create(builder, index.loc, b);
    return complex::CreateOp::create(builder, index.loc, sum.getType(),
                                     fuse(minus, d, fuse(a, c, real)),
                                     fuse(b, c, fuse(a, d, imaginary)));
  }

  Value multiplyAdd(Value a, Value b, Value c) {
    if (isa<FloatType>(c.getType()))
      return fuse(a, b, c);
    if (isa<ComplexType>(c.getType()))
      return multiplyAddComplex(a, b, c);
    return arith::AddIOp::create(
        builder, index.loc, arith::MulIOp::create(builder, index.loc, a, b), c);
  }

  /// Returns the index in `acc` of a thread's row `m` and column `n`. In a
  /// batch, the rows of one matmul follow those of the previous one.
  int64_t getAccumulator(int64_t m, int64_t n) const {
    int64_t tm = tiling.thread[0], tn = tiling.thread[1];
    return n % tn + tn * (m % tm + tm * (n / tn + tiling.sub[1] * (m / tm)));
  }

  void emitSteps(int64_t steps) {
    int64_t rows = tiling.thread[0] * tiling.sub[0];
    int64_t columns = tiling.thread[1] * tiling.sub[1];
    for (int64_t k = 0; k < steps; ++k)
      for (int64_t matmul = 0; matmul < tiling.sub[kBatchAxis]; ++matmul)
        for (int64_t m = 0; m < rows; ++m)
          for (int64_t n = 0; n < columns; ++n) {
            Value &sum = acc[getAccumulator(matmul * rows + m, n)];
            sum = multiplyAdd(getElement(lhs, matmul, m, k),
                              getElement(rhs, matmul, n, k), sum);
          }
  }

  IndexBuilder index;
  OpBuilder &builder;
  MatmulOp op;
  const Tiling &tiling;
  const Architecture &architecture;
  FmaOperand lhs, rhs;
  SmallVector<Value> acc;
  llvm::DenseMap<Value, Value> elements; ///< converted, by the value read
};

//===----------------------------------------------------------------------===//
// The pattern
//===----------------------------------------------------------------------===//

struct ConvertMatmul : LoweringPattern<MatmulOp> {
  using LoweringPattern::LoweringPattern;

  LogicalResult
  matchAndRewrite(MatmulOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Tiling tiling = getTiling(op, lowering.architecture);
    if (tiling.instruction->isWarpgroup())
      return op.emitError("expected a product in flight, as its instruction is "
                          "that of a warpgroup (run -tile-issue-matmuls "
                          "before)");
    for (int operand : {0, 1})
      if (failed(verifyOperand(op, operand, tiling)))
        return failure();
    TileType type = op.getType();
    SmallVector<Value> acc =
        unpack(rewriter, op.getLoc(), type, adaptor.getAcc());
    SmallVector<Value> result =
        tiling.instruction->isFma()
            ? FmaEmitter(rewriter, op, tiling, lowering.architecture,
                         {adaptor.getLhs(), adaptor.getRhs()}, acc)
                  .emit()
            : MmaEmitter(rewriter, op, tiling, adaptor.getLhs(),
                         adaptor.getRhs(), acc)
                  .emit();
    replaceWithPacks(rewriter, op, {pack(rewriter, op.getLoc(), type, result)});
    return success();
  }

private:
  static bool isHeldAs(TileType type, RegisterAttr expected) {
    RegisterAttr registers = type.getRegister();
    return registers && registers.isResolved() &&
           registers.getRegisterLayout().isEquivalent(
               expected.getRegisterLayout());
  }

  /// Verifies that an operand is in a buffer, or in registers as the
  /// instructions take it.
  static LogicalResult verifyOperand(MatmulOp op, int operand,
                                     const Tiling &tiling) {
    auto type = dyn_cast<TileType>(op->getOperand(operand).getType());
    if (!type)
      return success();
    int64_t k = op.getK(), rank = type.getRank();
    RegisterAttr fragments;
    if (tiling.operands == OperandSource::global) {
      for (int64_t contiguous : {rank - 2, rank - 1})
        if (isHeldAs(type,
                     RegisterAttr::get(
                         op.getContext(),
                         getOperandPlan(
                             tiling, operand, getOperandBox(tiling, operand, k),
                             contiguous, getElementBytes(type.getElementType()),
                             getNumWarps(op))
                             .layout)))
          return success();
    } else if (!tiling.instruction->isFma()) {
      fragments = RegisterAttr::get(
          op.getContext(),
          getFragmentLayout(tiling, operand, k, getNumWarps(op)));
      if (isHeldAs(type, fragments))
        return success();
    }
    InFlightDiagnostic error = op.emitError("expected ")
                               << (operand == 0 ? "lhs" : "rhs")
                               << " in a buffer (run -tile-bufferize before)";
    if (fragments)
      error << " or in " << fragments << " (the fragments of "
            << tiling.instruction->name << ")";
    return error << ", got " << type;
  }
};

} // namespace

void tile::populateMatmulPatterns(TypeConverter &types,
                                  RewritePatternSet &patterns,
                                  const LoweringContext &context) {
  patterns.add<ConvertMatmul>(types, patterns.getContext(), context);
}
