// KernelToFunction.cpp - the two functions of a kernel, and their parameters
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile.kernel @scale(%x: memref<?x8xf32>, %s: f32) { ... }
//
// becomes
//
//   func.func @_tile_program_scale(%x: !llvm.ptr, %size0: i64, %s: f32,
//                                  %bx: i64, %by: i64, %bz: i64,
//                                  %gx: i64, %gy: i64, %gz: i64) { ... }
//   func.func @_tile_entry_scale(%parameters: !llvm.ptr) {
//     ... loads each parameter by its pointer, calls the other ...
//   }
//
// An array is built from its parameters as the descriptor to which upstream
// lowers memrefs: (allocated pointer, aligned pointer, offset, sizes, strides).

#include "Element.h"
#include "Patterns.h"

#include "tile/Conversion/HostSymbols.h"
#include "tile/Conversion/TileToCPU.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

/// Number of parameters for the block index and the grid, x, y and z of each.
static constexpr unsigned kNumGridParameters = 6;

std::string tile::getPackedEntryName(StringRef kernel) {
  return ("_tile_entry_" + kernel).str();
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

/// Appends the types of the parameters that replace an argument of the kernel.
static void appendParameters(Type argument, SmallVectorImpl<Type> &types) {
  Builder builder(argument.getContext());
  auto array = dyn_cast<MemRefType>(argument);
  if (!array) {
    Type storage = cpu::getStorageType(argument);
    types.push_back(storage.isIndex() ? builder.getI64Type() : storage);
    return;
  }
  types.push_back(LLVM::LLVMPointerType::get(argument.getContext()));
  auto [strides, offset] = array.getStridesAndOffset();
  int64_t count = array.getNumDynamicDims() +
                  llvm::count_if(strides, ShapedType::isDynamic);
  types.append(count, builder.getI64Type());
}

static SmallVector<Type> getParameters(KernelOp kernel) {
  SmallVector<Type> types;
  for (Type argument : kernel.getArgumentTypes())
    appendParameters(argument, types);
  types.append(kNumGridParameters, IntegerType::get(kernel.getContext(), 64));
  return types;
}

namespace {
/// Takes the parameters of a function in order and builds the values of the
/// kernel's arguments from them.
class ArgumentBuilder {
public:
  ArgumentBuilder(OpBuilder &builder, Location loc, Block *entry,
                  const cpu::TypeConverter &converter)
      : builder(builder), loc(loc), entry(entry), converter(converter) {}

  /// Skips the next `count` arguments of the block.
  void skip(unsigned count) { next += count; }
  /// Builds the value of the next argument, of type `type`.
  Value build(Type type);
  /// Returns the next grid parameter, as an index.
  Value buildIndex() {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      take());
  }

private:
  Value buildArray(MemRefType array);
  Value take() { return entry->getArgument(next++); }
  /// Returns the static `extent`, or the next parameter if it is dynamic.
  Value takeExtent(int64_t extent);
  Value castTo(Type type, Value value) {
    return UnrealizedConversionCastOp::create(builder, loc, type, value)
        .getResult(0);
  }

  OpBuilder &builder;
  Location loc;
  Block *entry;
  const cpu::TypeConverter &converter;
  unsigned next = 0;
};
} // namespace

Value cpu::buildDescriptor(OpBuilder &builder, Location loc, MemRefType array,
                           Value pointer,
                           function_ref<Value(int64_t)> getExtent) {
  Type i64 = builder.getI64Type();
  Type extents = LLVM::LLVMArrayType::get(i64, array.getRank());
  auto type = LLVM::LLVMStructType::getLiteral(
      builder.getContext(),
      {pointer.getType(), pointer.getType(), i64, extents, extents});
  Value descriptor = LLVM::PoisonOp::create(builder, loc, type);
  auto insert = [&](Value value, ArrayRef<int64_t> position) {
    descriptor =
        LLVM::InsertValueOp::create(builder, loc, descriptor, value, position);
  };
  insert(pointer, 0);
  insert(pointer, 1);
  insert(getExtent(0), 2);
  for (auto [dim, size] : llvm::enumerate(array.getShape()))
    insert(getExtent(size), {3, static_cast<int64_t>(dim)});
  auto [strides, offset] = array.getStridesAndOffset();
  for (auto [dim, stride] : llvm::enumerate(strides))
    insert(getExtent(stride), {4, static_cast<int64_t>(dim)});
  return descriptor;
}

Value ArgumentBuilder::build(Type type) {
  if (auto array = dyn_cast<MemRefType>(type))
    return buildArray(array);
  if (type.isIndex())
    return buildIndex();
  Value value = take();
  return value.getType() == type ? value : castTo(type, value);
}

Value ArgumentBuilder::takeExtent(int64_t extent) {
  if (ShapedType::isDynamic(extent))
    return take();
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), extent);
}

Value ArgumentBuilder::buildArray(MemRefType array) {
  // The pointer is that of the first element, regardless of the type's offset.
  Value pointer = take();
  Value descriptor =
      cpu::buildDescriptor(builder, loc, array, pointer,
                           [&](int64_t extent) { return takeExtent(extent); });
  Type converted = converter.convertType(array);
  Value result = castTo(converted, descriptor);
  return converted == array ? result : castTo(array, result);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Replaces the operations that query the grid. `values` contains x, y and z of
/// the block index, then x, y and z of the grid.
static void replaceGridOps(func::FuncOp function, ArrayRef<Value> values) {
  function.walk([&](Operation *op) {
    unsigned position;
    if (auto id = dyn_cast<ProgramIdOp>(op))
      position = static_cast<unsigned>(id.getAxis());
    else if (auto count = dyn_cast<NumProgramsOp>(op))
      position = 3 + static_cast<unsigned>(count.getAxis());
    else
      return;
    op->replaceAllUsesWith(ValueRange(values[position]));
    op->erase();
  });
}

/// Loads a parameter of type `type` from `address`.
static Value loadParameter(OpBuilder &builder, Location loc, Type type,
                           Value address) {
  // An i1 is a byte in memory; a complex number is its two parts.
  if (type.isInteger(1))
    return arith::TruncIOp::create(
        builder, loc, type,
        LLVM::LoadOp::create(builder, loc, builder.getI8Type(), address));
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return LLVM::LoadOp::create(builder, loc, type, address);
  Type part = complex.getElementType();
  Value parts = LLVM::LoadOp::create(
      builder, loc,
      LLVM::LLVMStructType::getLiteral(builder.getContext(), {part, part}),
      address);
  return UnrealizedConversionCastOp::create(builder, loc, type, parts)
      .getResult(0);
}

/// Copies the number of threads of a kernel's block to the operations that need
/// it as an attribute.
static void keepNumThreads(KernelOp kernel) {
  kernel.walk([&](PerThreadOp op) {
    op->setAttr(kNumThreadsAttr, kernel.getBlockAttr());
  });
}

/// Builds `func.func @_tile_entry_NAME(%parameters: !llvm.ptr)` after
/// `function`.
static void buildPackedEntry(OpBuilder &builder, func::FuncOp function) {
  Location loc = function.getLoc();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto entry = func::FuncOp::create(
      builder, loc, getPackedEntryName(getProgramSymbol(function.getSymName())),
      builder.getFunctionType(pointer, {}));
  OpBuilder::InsertionGuard guard(builder);
  Block *body = entry.addEntryBlock();
  builder.setInsertionPointToStart(body);
  SmallVector<Value> parameters;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    Value slot = LLVM::GEPOp::create(
        builder, loc, pointer, pointer, body->getArgument(0),
        ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(index)));
    Value address = LLVM::LoadOp::create(builder, loc, pointer, slot);
    parameters.push_back(loadParameter(builder, loc, type, address));
  }
  func::CallOp::create(builder, loc, function, parameters);
  func::ReturnOp::create(builder, loc);
}

func::FuncOp cpu::convertKernel(KernelOp kernel,
                                const TypeConverter &converter) {
  OpBuilder builder(kernel);
  Location loc = kernel.getLoc();
  SmallVector<Type> parameters = getParameters(kernel);
  auto function = func::FuncOp::create(builder, loc, kernel.getSymName(),
                                       builder.getFunctionType(parameters, {}));
  buildPackedEntry(builder, function);
  keepNumThreads(kernel);
  function.getBody().takeBody(kernel.getBody());

  Block *entry = &function.getBody().front();
  unsigned numArguments = entry->getNumArguments();
  for (Type type : parameters)
    entry->addArgument(type, loc);
  SmallVector<Value> arguments(entry->getArguments().take_front(numArguments));

  builder.setInsertionPointToStart(entry);
  // The block has the kernel's arguments, then the function's parameters.
  ArgumentBuilder argumentBuilder(builder, loc, entry, converter);
  argumentBuilder.skip(numArguments);
  for (Value argument : arguments)
    argument.replaceAllUsesWith(argumentBuilder.build(argument.getType()));
  SmallVector<Value> grid;
  for (unsigned index = 0; index < kNumGridParameters; ++index)
    grid.push_back(argumentBuilder.buildIndex());
  entry->eraseArguments(0, numArguments);
  replaceGridOps(function, grid);

  Operation *end = entry->getTerminator();
  builder.setInsertionPoint(end);
  func::ReturnOp::create(builder, end->getLoc());
  end->erase();
  kernel.erase();
  return function;
}
