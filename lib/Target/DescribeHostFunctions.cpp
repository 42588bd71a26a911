// DescribeHostFunctions.cpp - functions that launch kernels, as metadata
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/DescribeHostFunctions.h"

#include "HostExpressions.h"
#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/Tile.h"
#include "tile/Target/BuildMetadata.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tile;
using runtime::Expression;
using runtime::LaunchArgument;

namespace {
/// Describes one function as a list of launches. Each `visit` returns false if
/// such a list cannot express the operation. `problem` is then the reason,
/// unless it is just the kind of the operation.
class FunctionDescriber {
public:
  FunctionDescriber(func::FuncOp function,
                    const runtime::ModuleMetadata &metadata)
      : function(function), metadata(metadata) {}

  std::optional<runtime::HostFunction> describe();

private:
  bool addArguments();
  bool visitBody();
  bool visit(Operation *op);
  bool visit(memref::AllocOp op);
  bool visit(memref::GetGlobalOp op);
  bool visit(memref::DimOp op);
  bool visit(memref::CastOp op);
  bool visit(memref::SubViewOp op);
  bool visit(memref::ExpandShapeOp op);
  bool visit(memref::CollapseShapeOp op);
  bool visit(memref::ReinterpretCastOp op);
  bool visit(memref::TransposeOp op);
  bool visit(LaunchOp op);
  bool visit(cf::AssertOp op);
  void require(const Expression &condition, StringRef text);
  std::optional<LaunchArgument> getArgument(Value value);
  void noteAccess(const LaunchArgument &argument, runtime::Access access);
  void warn(Operation *op);

  func::FuncOp function;
  const runtime::ModuleMetadata &metadata;
  runtime::HostFunction result;
  HostExpressions expressions;
  /// Arrays, and floating-point scalars that are arguments or constants.
  llvm::DenseMap<Value, LaunchArgument> arguments;
  /// Indices of the array arguments that a launch has used.
  llvm::DenseSet<int64_t> used;
  std::string problem;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Returns the row-major strides of `shape`.
static std::vector<Expression> getStrides(ArrayRef<Expression> shape) {
  std::vector<Expression> strides(shape.size());
  Expression stride = Expression::constant(1);
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride = combine(Expression::Kind::Multiply, stride, shape[dim]);
  }
  return strides;
}

/// Returns a view of the whole argument `index` of a function.
static LaunchArgument viewArgument(MemRefType type, int64_t index) {
  auto [strides, offset] = type.getStridesAndOffset();
  LaunchArgument view;
  view.kind = LaunchArgument::Kind::Array;
  view.index = index;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    view.shape.push_back(type.isDynamicDim(dim)
                             ? Expression::size(index, dim)
                             : Expression::constant(type.getDimSize(dim)));
    view.strides.push_back(ShapedType::isDynamic(strides[dim])
                               ? Expression::stride(index, dim)
                               : Expression::constant(strides[dim]));
  }
  return view;
}

/// Whether the address of the first element is all that a launcher needs to
/// pass an array: its type has no constant offset other than 0.
static bool isArgumentArray(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         (offset == 0 || ShapedType::isDynamic(offset));
}

bool FunctionDescriber::addArguments() {
  for (BlockArgument value : function.getArguments()) {
    int64_t index = value.getArgNumber();
    auto array = dyn_cast<MemRefType>(value.getType());
    std::optional<runtime::Argument> argument;
    if (!array || isArgumentArray(array))
      argument = describeType(value.getType());
    if (!argument) {
      llvm::raw_string_ostream(problem)
          << "expected argument " << index
          << " to be an array of offset 0 or ? or a scalar, of a tile's "
             "element type, got '"
          << value.getType() << "'";
      return false;
    }
    auto name = function.getArgAttrOfType<StringAttr>(index, kArgumentNameAttr);
    argument->name = name ? name.str() : "arg" + std::to_string(index);
    LaunchArgument scalar;
    scalar.kind = LaunchArgument::Kind::Scalar;
    scalar.index = index;
    arguments[value] = array ? viewArgument(array, index) : scalar;
    if (!array && runtime::isIntegerType(argument->type))
      expressions.set(value, Expression::scalar(index));
    result.arguments.push_back(std::move(*argument));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

bool FunctionDescriber::visit(memref::AllocOp op) {
  MemRefType type = op.getType();
  auto shape = expressions.get(op.getMixedSizes());
  if (!shape || !type.getLayout().isIdentity())
    return false;
  std::optional<runtime::Argument> array = describeType(type);
  if (!array)
    return false;
  LaunchArgument view;
  view.kind = LaunchArgument::Kind::Temporary;
  view.index = static_cast<int64_t>(result.temporaries.size());
  view.shape = *shape;
  view.strides = getStrides(*shape);
  result.temporaries.push_back({array->type, std::move(*shape)});
  arguments[op] = std::move(view);
  return true;
}

/// Returns the bytes of elements as arrays store them, little-endian.
static std::string getBytes(DenseElementsAttr elements, int64_t elementBytes) {
  std::string bytes;
  auto add = [&](const APInt &bits) {
    APInt whole = bits.zextOrTrunc(unsigned(8 * elementBytes));
    for (int64_t i = 0; i < elementBytes; ++i)
      bytes += char(whole.extractBitsAsZExtValue(8, unsigned(8 * i)));
  };
  if (isa<FloatType>(elements.getElementType()))
    for (const APFloat &element : elements.getValues<APFloat>())
      add(element.bitcastToAPInt());
  else
    for (const APInt &element : elements.getValues<APInt>())
      add(element);
  return bytes;
}

/// Describes a constant array as a temporary that is initialised with the
/// constant's elements.
bool FunctionDescriber::visit(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  auto elements =
      dyn_cast_if_present<DenseElementsAttr>(global.getConstantInitValue());
  std::optional<runtime::Argument> array = describeType(op.getType());
  if (!elements || !array || isa<ComplexType>(elements.getElementType()) ||
      !op.getType().getLayout().isIdentity())
    return false;
  runtime::Temporary temporary{array->type, {}};
  for (int64_t extent : op.getType().getShape())
    temporary.shape.push_back(Expression::constant(extent));
  temporary.content = getBytes(elements, runtime::getByteSize(temporary.type));
  LaunchArgument view;
  view.kind = LaunchArgument::Kind::Temporary;
  view.index = static_cast<int64_t>(result.temporaries.size());
  view.shape = temporary.shape;
  view.strides = getStrides(view.shape);
  result.temporaries.push_back(std::move(temporary));
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::DimOp op) {
  auto source = arguments.find(op.getSource());
  std::optional<int64_t> dim = op.getConstantIndex();
  if (source == arguments.end() || !dim ||
      *dim >= static_cast<int64_t>(source->second.shape.size()))
    return false;
  expressions.set(op, source->second.shape[*dim]);
  return true;
}

bool FunctionDescriber::visit(memref::CastOp op) {
  auto source = arguments.find(op.getSource());
  if (source == arguments.end() || !isa<MemRefType>(op.getType()))
    return false;
  LaunchArgument view = source->second;
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::SubViewOp op) {
  auto source = arguments.find(op.getSource());
  auto offsets = expressions.get(op.getMixedOffsets());
  auto sizes = expressions.get(op.getMixedSizes());
  auto steps = expressions.get(op.getMixedStrides());
  if (source == arguments.end() || !offsets || !sizes || !steps)
    return false;
  LaunchArgument view = source->second;
  std::vector<Expression> strides;
  strides.swap(view.strides);
  view.shape.clear();
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (size_t dim = 0; dim < strides.size(); ++dim) {
    view.offset = combine(
        Expression::Kind::Add, view.offset,
        combine(Expression::Kind::Multiply, (*offsets)[dim], strides[dim]));
    if (dropped.test(dim))
      continue;
    view.shape.push_back((*sizes)[dim]);
    view.strides.push_back(
        combine(Expression::Kind::Multiply, strides[dim], (*steps)[dim]));
  }
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::ExpandShapeOp op) {
  auto source = arguments.find(op.getSrc());
  auto shape = expressions.get(op.getMixedOutputShape());
  if (source == arguments.end() || !shape)
    return false;
  LaunchArgument view = source->second;
  std::vector<Expression> strides(shape->size(), Expression::constant(1));
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    Expression stride = view.strides[dim];
    for (int64_t part : llvm::reverse(group)) {
      strides[part] = stride;
      stride = combine(Expression::Kind::Multiply, stride, (*shape)[part]);
    }
  }
  view.shape = std::move(*shape);
  view.strides = std::move(strides);
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::CollapseShapeOp op) {
  auto source = arguments.find(op.getSrc());
  if (source == arguments.end())
    return false;
  LaunchArgument view = source->second;
  std::vector<Expression> shape, strides;
  for (const ReassociationIndices &group : op.getReassociationIndices()) {
    Expression size = Expression::constant(1);
    for (int64_t part : group)
      size = combine(Expression::Kind::Multiply, size, view.shape[part]);
    shape.push_back(std::move(size));
    strides.push_back(view.strides[group.back()]);
  }
  view.shape = std::move(shape);
  view.strides = std::move(strides);
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::ReinterpretCastOp op) {
  auto source = arguments.find(op.getSource());
  auto offsets = expressions.get(op.getMixedOffsets());
  auto sizes = expressions.get(op.getMixedSizes());
  auto strides = expressions.get(op.getMixedStrides());
  // The address of an argument already includes the offset of its type.
  auto argument = dyn_cast<BlockArgument>(op.getSource());
  bool startsAtZero =
      !argument ||
      cast<MemRefType>(argument.getType()).getStridesAndOffset().second == 0;
  if (source == arguments.end() || !offsets || !sizes || !strides ||
      !startsAtZero)
    return false;
  LaunchArgument view = source->second;
  view.offset = offsets->front();
  view.shape = std::move(*sizes);
  view.strides = std::move(*strides);
  arguments[op] = std::move(view);
  return true;
}

bool FunctionDescriber::visit(memref::TransposeOp op) {
  auto source = arguments.find(op.getIn());
  if (source == arguments.end())
    return false;
  LaunchArgument view = source->second;
  for (auto [dim, expr] : llvm::enumerate(op.getPermutation().getResults())) {
    unsigned from = cast<AffineDimExpr>(expr).getPosition();
    view.shape[dim] = source->second.shape[from];
    view.strides[dim] = source->second.strides[from];
  }
  arguments[op] = std::move(view);
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// Returns a floating-point constant in the form that parseScalar reads.
static std::optional<LaunchArgument> getConstant(Value value) {
  FloatAttr attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  LaunchArgument argument;
  argument.kind = LaunchArgument::Kind::ConstantScalar;
  APFloat exact = attribute.getValue();
  bool losesInfo = false;
  exact.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  SmallString<32> text;
  llvm::raw_svector_ostream(text)
      << llvm::format("%a", exact.convertToDouble());
  argument.text = text.str().str();
  return argument;
}

std::optional<LaunchArgument> FunctionDescriber::getArgument(Value value) {
  if (auto it = arguments.find(value); it != arguments.end())
    return it->second;
  if (std::optional<Expression> expression = expressions.get(value)) {
    LaunchArgument argument;
    argument.kind = LaunchArgument::Kind::Integer;
    argument.value = std::move(*expression);
    return argument;
  }
  return getConstant(value);
}

void FunctionDescriber::noteAccess(const LaunchArgument &argument,
                                   runtime::Access access) {
  if (argument.kind != LaunchArgument::Kind::Array)
    return;
  runtime::Access &known = result.arguments[argument.index].access;
  if (used.insert(argument.index).second)
    known = access;
  else if (known == runtime::Access::Read && access != runtime::Access::Read)
    known = runtime::Access::ReadWrite;
}

bool FunctionDescriber::visit(LaunchOp op) {
  auto kernel = llvm::find_if(metadata.kernels,
                              [&](const runtime::KernelMetadata &kernel) {
                                return kernel.name == op.getKernel();
                              });
  if (kernel == metadata.kernels.end())
    return false;
  runtime::Launch launch;
  launch.kernel = kernel->name;
  for (auto [value, expected] :
       llvm::zip_equal(op.getArguments(), kernel->arguments)) {
    std::optional<LaunchArgument> argument = getArgument(value);
    if (!argument)
      return false;
    bool isConstant = argument->kind == LaunchArgument::Kind::Temporary &&
                      !result.temporaries[argument->index].content.empty();
    if (isConstant && expected.access != runtime::Access::Read)
      return false;
    noteAccess(*argument, expected.access);
    launch.arguments.push_back(std::move(*argument));
  }
  if (!op.getGrid().empty()) {
    Expression one = Expression::constant(1);
    launch.grid = {one, one, one};
    for (auto [extent, value] : llvm::zip(*launch.grid, op.getGrid())) {
      std::optional<Expression> expression = expressions.get(value);
      if (!expression)
        return false;
      extent = std::move(*expression);
    }
  }
  result.launches.push_back(std::move(launch));
  return true;
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// Requires a condition. The conditions of a conjunction are added separately,
/// so that an error names the one that does not hold.
void FunctionDescriber::require(const Expression &condition, StringRef text) {
  if (condition.kind == Expression::Kind::Multiply) {
    for (const Expression &factor : condition.operands)
      require(factor, text);
    return;
  }
  bool isKnown = condition.kind == Expression::Kind::Constant;
  if (!isKnown || condition.value == 0)
    result.requirements.push_back({condition, text.str()});
}

bool FunctionDescriber::visit(cf::AssertOp op) {
  std::optional<Expression> condition = expressions.get(op.getArg());
  if (condition)
    require(*condition, op.getMsg());
  return condition.has_value();
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

bool FunctionDescriber::visit(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<memref::AllocOp, memref::GetGlobalOp, memref::DimOp, memref::CastOp,
            memref::SubViewOp, memref::ExpandShapeOp, memref::CollapseShapeOp,
            memref::ReinterpretCastOp, memref::TransposeOp, LaunchOp,
            cf::AssertOp>([&](auto op) { return visit(op); })
      // Allocations of a call are freed at its end, so that a deallocation
      // needs no entry.
      .Case<memref::DeallocOp>([](auto) { return true; })
      .Case<func::ReturnOp>([](auto op) { return op.getNumOperands() == 0; })
      .Default([&](Operation *op) {
        return expressions.visit(op) ||
               (op->getNumResults() == 1 && getConstant(op->getResult(0)));
      });
}

bool FunctionDescriber::visitBody() {
  if (!llvm::hasSingleElement(function.getBody())) {
    problem = "expected one block";
    return false;
  }
  for (Operation &op : function.getBody().front())
    if (!visit(&op)) {
      warn(&op);
      return false;
    }
  return true;
}

void FunctionDescriber::warn(Operation *op) {
  op->emitWarning("expected a list of launches of '")
      << function.getSymName() << "' (launches, memref.alloc, views, sizes), "
      << "got '" << op->getName()
      << "' that such a list cannot say; the function is in none of the "
         "results";
}

std::optional<runtime::HostFunction> FunctionDescriber::describe() {
  result.name = function.getSymName().str();
  if (addArguments() && visitBody())
    return std::move(result);
  if (!problem.empty())
    function.emitWarning(problem) << "; the function is in none of the results";
  return std::nullopt;
}

bool tile::launchesKernels(Operation *op) {
  return isa<func::FuncOp>(op) && op->walk([](LaunchOp) {
                                      return WalkResult::interrupt();
                                    }).wasInterrupted();
}

void tile::describeHostFunctions(ModuleOp module,
                                 runtime::ModuleMetadata &metadata) {
  for (auto function : module.getOps<func::FuncOp>())
    if (launchesKernels(function))
      if (std::optional<runtime::HostFunction> described =
              FunctionDescriber(function, metadata).describe())
        metadata.functions.push_back(std::move(*described));
}
