// CustomFunction.cpp - functions on tiles whose author states their derivatives
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CustomFunction.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"

using namespace mlir;
using namespace tile;

static func::FuncOp findFunction(Operation *from, FlatSymbolRefAttr symbol) {
  return SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(from, symbol);
}

/// Appends to `types` those of `from` whose values have tangents.
static void appendDifferentiable(SmallVector<Type> &types, TypeRange from) {
  for (Type type : from)
    if (isDifferentiable(type))
      types.push_back(type);
}

/// Returns the type of a function that states a derivative of `function`.
static FunctionType getCustomType(func::FuncOp function, bool isForward) {
  TypeRange arguments = function.getArgumentTypes();
  TypeRange results = function.getResultTypes();
  SmallVector<Type> taken(arguments), returned;
  appendDifferentiable(taken, isForward ? arguments : results);
  appendDifferentiable(returned, isForward ? results : arguments);
  return FunctionType::get(function.getContext(), taken, returned);
}

static LogicalResult verifyNoArrays(func::FuncOp function) {
  if (llvm::none_of(function.getArgumentTypes(), llvm::IsaPred<MemRefType>))
    return success();
  return function.emitError("expected a function of tiles and scalars, to have "
                            "a custom derivative, got one of type ")
         << function.getFunctionType();
}

/// Returns the function that `attribute` of `function` names.
static FailureOr<func::FuncOp>
findNamed(func::CallOp call, func::FuncOp function, StringRef attribute) {
  auto symbol = function ? function->getAttrOfType<FlatSymbolRefAttr>(attribute)
                         : FlatSymbolRefAttr();
  if (!symbol)
    return call.emitError("expected a call that is inlined, or of a function "
                          "with '")
           << attribute << "', on which a gradient depends, got "
           << call.getCalleeAttr();
  if (func::FuncOp found = findFunction(function, symbol))
    return found;
  return function.emitError("expected '")
         << attribute << "' of '" << function.getSymName()
         << "' to name a function of the module, got " << symbol;
}

FailureOr<func::FuncOp> tile::findCustomFunction(func::CallOp call,
                                                 bool isForward) {
  StringRef attribute = isForward ? kCustomTangentAttr : kCustomAdjointAttr;
  func::FuncOp function = findFunction(call, call.getCalleeAttr());
  FailureOr<func::FuncOp> custom = findNamed(call, function, attribute);
  if (failed(custom) || failed(verifyNoArrays(function)))
    return failure();
  FunctionType expected = getCustomType(function, isForward);
  if (custom->getFunctionType() == expected)
    return custom;
  return custom->emitError("expected '")
         << custom->getSymName() << "', the '" << attribute << "' of '"
         << function.getSymName() << "', to have the type " << expected
         << ", got " << custom->getFunctionType();
}

static LogicalResult inlineOne(func::CallOp call) {
  func::FuncOp function = findFunction(call, call.getCalleeAttr());
  InlinerInterface interface(call.getContext());
  InlinerConfig config;
  bool canInline = function && function.getBody().hasOneBlock();
  if (!canInline || failed(inlineCall(interface, config.getCloneCallback(),
                                      call, function, &function.getBody())))
    return call.emitError("expected a call that can be inlined (a function "
                          "whose body is one block, not recursive), got ")
           << call.getCalleeAttr();
  call.erase();
  return success();
}

LogicalResult tile::inlineCalls(KernelOp kernel) {
  // More rounds mean that a function calls itself.
  constexpr int kMostRounds = 16;
  for (int round = 0;; ++round) {
    SmallVector<func::CallOp> calls;
    kernel.walk([&](func::CallOp call) { calls.push_back(call); });
    if (calls.empty())
      return success();
    if (round == kMostRounds)
      return calls.front().emitError(
                 "expected functions that do not call themselves, got ")
             << calls.front().getCalleeAttr();
    for (func::CallOp call : calls)
      if (failed(inlineOne(call)))
        return failure();
  }
}
