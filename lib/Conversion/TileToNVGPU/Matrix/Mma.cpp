// Mma.cpp - matmul of tiles by mma.sync
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands in shared memory are read fragment by fragment, step by step along
// K. Computed operands are already in the registers that the instructions read.
// The accumulator stays in registers.

#include "MatmulEmitters.h"
#include "OperandReader.h"
#include "RegisterOperand.h"

#include "tile/Analysis/Fragments.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

namespace {

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
             SmallVector<Value> acc, const Architecture &architecture)
      : index(rewriter, op.getLoc()), builder(rewriter), loc(op.getLoc()),
        architecture(architecture),
        instruction(cast<MmaAttr>(tiling.instruction)),
        shape(instruction.getInstructionShape()), sub(instruction.getSubTile()),
        operandType(cast<ShapedType>(op.getLhs().getType()).getElementType()),
        accType(op.getType().getElementType()), tiling(tiling),
        steps(llvm::divideCeil(op.getK(), sub.k)), acc(std::move(acc)) {
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
  bool isTF32() const {
    return isa<FloatTF32Type>(instruction.getOperandType());
  }

  /// Number of instructions of the warp along N.
  int64_t numColumns() const { return tiling.sub[1] * (sub.n / shape.n); }

  /// Emits one step along K of one of the warp's matmuls.
  void multiplyStep(int64_t step, int64_t matmul) {
    for (int operand : {0, 1})
      if (matmul == 0 || tiling.hasBatch[operand])
        stepFragments[operand] = readFragments(operand, step, matmul);
    auto &[a, b] = stepFragments;
    if (!instruction.convertsToF16())
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
    int64_t rows = operand == 0 ? tiling.sub[0] * sub.m : tiling.sub[1] * sub.n;
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
            getFragmentRegister(instruction, operand, rows, row, group)));
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
    bool areBytePairs = operandType.getIntOrFloatBitWidth() == 8 &&
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
    if (isTF32()) {
      if (!value.getType().isF32())
        value =
            LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), value);
      // Rounding to nearest, ties to even, is one instruction, which exists
      // from sm_90 on. Rounding with ties away from zero takes two
      // instructions.
      auto rounding = architecture.number >= 90 ? NVVM::FPRoundingMode::RN
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
    int64_t perSub = sub.n / shape.n;
    int64_t first = (m * tiling.sub[1] + n / perSub) * 4 * perSub;
    auto position = [&](int64_t row, int64_t column) {
      return first + getAccumulatorValue(instruction, n % perSub, row, column);
    };
    if (shape.m == 8)
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
    if (operandType.isF64() && shape.m == 16)
      return "llvm.nvvm.mma.m16n8k8.row.col.f64";
    if (instruction.convertsToF16())
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
    if (isTF32())
      types = both(NVVM::MMATypes::tf32);
    if (operandType.isInteger(8)) {
      types = both(NVVM::MMATypes::s8);
      overflow = NVVM::MMAIntOverflow::wrapped;
    }
    return NVVM::MmaOp::create(builder, loc, result, a, b, c,
                               ArrayRef<int64_t>{shape.m, shape.n, shape.k},
                               /*b1Op=*/std::nullopt, overflow, types,
                               std::array<NVVM::MMALayout, 2>{
                                   NVVM::MMALayout::row, NVVM::MMALayout::col});
  }

  IndexBuilder index;
  OpBuilder &builder;
  Location loc;
  const Architecture &architecture;
  MmaAttr instruction;
  MatrixShape shape; ///< of one instruction
  MatrixShape sub;   ///< of a warp's sub-tile
  Type operandType, accType;
  const Tiling &tiling;
  int64_t steps; ///< along K
  std::optional<OperandReader> readers[2];
  std::optional<RegisterOperand> inRegisters[2];
  SmallVector<Fragment> stepFragments[2];
  SmallVector<Value> acc;
};

} // namespace

SmallVector<Value> tile::emitMma(ConversionPatternRewriter &rewriter,
                                 EmittedMatmul matmul,
                                 const Architecture &architecture) {
  return MmaEmitter(rewriter, matmul.op, matmul.tiling, matmul.lhs, matmul.rhs,
                    std::move(matmul.acc), architecture)
      .emit();
}
