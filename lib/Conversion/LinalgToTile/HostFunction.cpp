// HostFunction.cpp - a function of tensors as launches on buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays and launches are added after the operations on tensors, whose sizes
// determine the sizes of the arrays. Then the sizes are derived from those of
// arguments, and the operations are dropped.

#include "HostFunction.h"
#include "RequireSizes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

namespace {
class HostBuilder {
public:
  HostBuilder(func::FuncOp function, const Grouping &grouping)
      : function(function), grouping(grouping),
        end(::cast<func::ReturnOp>(function.front().getTerminator())),
        builder(end), numArguments(function.getNumArguments()) {}

  void build(ArrayRef<BuiltKernel> kernels);

private:
  void addArrays();
  Value addResult(Value result);
  void buildLaunch(const BuiltKernel &kernel);
  Value getMemory(Value tensor);
  Value makeMemory(Value tensor);
  Value makeConstant(arith::ConstantOp constant);
  Value reshape(Location loc, Value array, Type tensor,
                ArrayRef<ReassociationIndices> groups,
                ArrayRef<OpFoldResult> sizes);
  void resolveSizes();
  void resolveSize(tensor::DimOp op);
  void dropTensors();

  func::FuncOp function;
  const Grouping &grouping;
  func::ReturnOp end;
  OpBuilder builder;
  unsigned numArguments;
  /// The array that is the memory of each tensor.
  DenseMap<Value, Value> memory;
};
} // namespace

static MemRefType getArrayType(Type tensor) {
  auto type = ::cast<RankedTensorType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Returns a view of `array` with the shape of `tensor`.
Value HostBuilder::reshape(Location loc, Value array, Type tensor,
                           ArrayRef<ReassociationIndices> groups,
                           ArrayRef<OpFoldResult> sizes) {
  MemRefType type = getArrayType(tensor);
  if (type.getRank() < ::cast<MemRefType>(array.getType()).getRank())
    return memref::CollapseShapeOp::create(builder, loc, type, array, groups);
  return memref::ExpandShapeOp::create(builder, loc, type, array, groups,
                                       sizes);
}

/// Adds an argument for the array of a result, which the caller allocates, and
/// asserts that it has the result's sizes. Returns the array.
Value HostBuilder::addResult(Value result) {
  MemRefType type = getArrayType(result.getType());
  Value array = function.front().addArgument(type, result.getLoc());
  Location loc = end.getLoc();
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      requireEqual(
          builder, loc, memref::DimOp::create(builder, loc, array, dim),
          tensor::DimOp::create(builder, loc, result, dim).getResult());
  return array;
}

/// Adds an array for each argument that is a tensor, and for each result that
/// uses none of those arrays. If a result is a reshape of a tensor that a
/// kernel stores, the kernel stores the tensor in the result's array.
void HostBuilder::addArrays() {
  for (unsigned index = 0; index < numArguments; ++index) {
    BlockArgument tensor = function.getArgument(index);
    Type type = tensor.getType();
    if (isa<RankedTensorType>(type))
      type = getArrayType(type);
    memory[tensor] = function.front().addArgument(type, tensor.getLoc());
  }
  for (auto [result, known] :
       llvm::zip_equal(end.getOperands(), grouping.arrays)) {
    Value array =
        known ? memory.lookup(function.getArgument(*known)) : addResult(result);
    memory[result] = array;
    Location loc = end.getLoc();
    while (!grouping.results.contains(result)) {
      Operation *op = result.getDefiningOp();
      Value source = op->getOperand(0);
      auto groups =
          isa<tensor::ExpandShapeOp>(op)
              ? ::cast<tensor::ExpandShapeOp>(op).getReassociationIndices()
              : ::cast<tensor::CollapseShapeOp>(op).getReassociationIndices();
      array = reshape(loc, array, source.getType(), groups,
                      tensor::getMixedSizes(builder, loc, source));
      memory[source] = array;
      result = source;
    }
  }
}

/// Returns the array of a constant, a global of the module.
Value HostBuilder::makeConstant(arith::ConstantOp constant) {
  Location loc = constant.getLoc();
  MemRefType type = getArrayType(constant.getType());
  OpBuilder before(function);
  auto global = memref::GlobalOp::create(
      before, loc,
      makeUniqueName(function->getParentOfType<ModuleOp>(),
                     (function.getSymName() + "_constant").str()),
      before.getStringAttr("private"), type,
      ::cast<ElementsAttr>(constant.getValue()), /*constant=*/true,
      /*alignment=*/IntegerAttr());
  return memref::GetGlobalOp::create(builder, loc, type, global.getSymName());
}

Value HostBuilder::makeMemory(Value tensor) {
  Location loc = tensor.getLoc();
  if (auto constant = tensor.getDefiningOp<arith::ConstantOp>())
    return makeConstant(constant);
  if (auto expand = tensor.getDefiningOp<tensor::ExpandShapeOp>())
    return reshape(loc, getMemory(expand.getSrc()), tensor.getType(),
                   expand.getReassociationIndices(),
                   expand.getMixedOutputShape());
  if (auto collapse = tensor.getDefiningOp<tensor::CollapseShapeOp>())
    return reshape(loc, getMemory(collapse.getSrc()), tensor.getType(),
                   collapse.getReassociationIndices(), {});
  SmallVector<Value> sizes;
  MemRefType type = getArrayType(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      sizes.push_back(tensor::DimOp::create(builder, loc, tensor, dim));
  return memref::AllocOp::create(builder, loc, type, sizes);
}

/// Returns the memory of a tensor. A chain of reshapes is resolved from its
/// source on.
Value HostBuilder::getMemory(Value tensor) {
  SmallVector<Value> chain{tensor};
  while (!memory.contains(chain.back()) &&
         isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             chain.back().getDefiningOp()))
    chain.push_back(chain.back().getDefiningOp()->getOperand(0));
  for (Value part : llvm::reverse(chain))
    if (!memory.contains(part)) {
      Value made = makeMemory(part);
      memory[part] = made;
    }
  return memory.lookup(tensor);
}

//===----------------------------------------------------------------------===//
// Launches and sizes
//===----------------------------------------------------------------------===//

void HostBuilder::buildLaunch(const BuiltKernel &built) {
  KernelOp kernel = built.kernel;
  Location loc = kernel.getLoc();
  SmallVector<Value> operands;
  for (auto [argument, type] :
       llvm::zip_equal(built.arguments, kernel.getArgumentTypes())) {
    if (!isa<RankedTensorType>(argument.getType())) {
      operands.push_back(argument);
      continue;
    }
    Value array = getMemory(argument);
    // A kernel has no array of rank 0.
    if (array.getType() != type)
      array = memref::ExpandShapeOp::create(
          builder, loc, type, array, ArrayRef<ReassociationIndices>(),
          SmallVector<OpFoldResult>{builder.getIndexAttr(1)});
    operands.push_back(array);
  }
  LaunchOp::create(builder, loc, kernel.getSymName(), ValueRange(), operands);
}

/// Replaces the size of a tensor: for an argument, by the size of its array,
/// otherwise by the size that the operation that makes the tensor specifies.
void HostBuilder::resolveSize(tensor::DimOp op) {
  OpBuilder at(op);
  Value tensor = op.getSource();
  Value size;
  if (isa<BlockArgument>(tensor)) {
    size = memref::DimOp::create(at, op.getLoc(), memory.lookup(tensor),
                                 op.getIndex());
  } else if (auto renamed = tensor.getDefiningOp<tensor::CastOp>()) {
    size = tensor::DimOp::create(at, op.getLoc(), renamed.getSource(),
                                 op.getIndex());
  } else {
    ReifiedRankedShapedTypeDims shapes;
    [[maybe_unused]] LogicalResult isKnown =
        reifyResultShapes(at, tensor.getDefiningOp(), shapes);
    assert(succeeded(isKnown) && "operations that are taken know their sizes");
    unsigned result = ::cast<OpResult>(tensor).getResultNumber();
    size = getValueOrCreateConstantIndexOp(
        at, op.getLoc(), shapes[result][*op.getConstantIndex()]);
  }
  op.replaceAllUsesWith(size);
  op.erase();
}

void HostBuilder::resolveSizes() {
  shortenSizes(function);
  while (true) {
    SmallVector<tensor::DimOp> dims(function.front().getOps<tensor::DimOp>());
    if (dims.empty())
      return;
    for (tensor::DimOp dim : dims)
      resolveSize(dim);
  }
}

void HostBuilder::dropTensors() {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  end->setOperands({});
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(function.front())))
    if (llvm::any_of(op.getResultTypes(), isTensor))
      op.erase();
  for (unsigned index = 0; index < numArguments; ++index)
    function.getArgument(index).replaceAllUsesWith(
        memory.lookup(function.getArgument(index)));
  function.front().eraseArguments(0, numArguments);
  function.setType(builder.getFunctionType(function.front().getArgumentTypes(),
                                           TypeRange()));
  // Each argument keeps its attributes. The attributes of results are dropped.
  function.removeResAttrsAttr();
  if (ArrayAttr attributes = function.getArgAttrsAttr()) {
    SmallVector<Attribute> all(attributes.begin(), attributes.end());
    all.resize(function.getNumArguments(), builder.getDictionaryAttr({}));
    function.setArgAttrsAttr(builder.getArrayAttr(all));
  }
}

void HostBuilder::build(ArrayRef<BuiltKernel> kernels) {
  addArrays();
  for (const BuiltKernel &kernel : kernels)
    buildLaunch(kernel);
  resolveSizes();
  dropTensors();
}

std::string fromlinalg::makeUniqueName(ModuleOp module,
                                       const std::string &stem) {
  std::string name = stem;
  for (unsigned suffix = 1; module.lookupSymbol(name); ++suffix)
    name = stem + "_" + std::to_string(suffix);
  return name;
}

void fromlinalg::buildHostFunction(func::FuncOp function,
                                   const Grouping &grouping,
                                   ArrayRef<BuiltKernel> kernels) {
  HostBuilder(function, grouping).build(kernels);
}
