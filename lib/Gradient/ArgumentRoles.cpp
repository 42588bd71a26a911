// ArgumentRoles.cpp - arguments of a kernel to differentiate, and to do so by
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArgumentRoles.h"
#include "Dependence.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tile;

std::string tile::getArgumentName(KernelOp kernel, unsigned argument) {
  auto name = kernel.getArgAttrOfType<StringAttr>(argument, kArgumentNameAttr);
  return name ? name.str() : std::to_string(argument);
}

FailureOr<std::string> tile::findDerivativeName(KernelOp kernel,
                                                DerivativeMode mode) {
  bool isForward = mode == DerivativeMode::forward;
  std::string name =
      (kernel.getSymName() + (isForward ? "__tangent" : "__adjoint")).str();
  if (SymbolTable::lookupSymbolIn(kernel->getParentOp(), name))
    return kernel->emitError("expected no kernel '")
           << name << "', which is the name of the new one";
  return name;
}

std::string tile::getInputName(KernelOp kernel, unsigned gradients) {
  std::string name = getArgumentName(kernel, gradients);
  return name.substr(0, name.size() - kGradientSuffix.size());
}

bool tile::isAddition(Operation *op) {
  std::optional<AtomicKind> kind;
  if (auto scatter = dyn_cast<ScatterOp>(op))
    kind = scatter.getKind();
  else if (auto update = dyn_cast<AtomicRMWOp>(op))
    kind = update.getKind();
  return kind == AtomicKind::add && op->use_empty();
}

/// Adds the accesses to an array, and to its views.
static void addAccesses(Value array, ArrayAccess &access) {
  for (Operation *user : array.getUsers()) {
    if (auto view = dyn_cast<ViewLikeOpInterface>(user)) {
      addAccesses(view.getViewDest(), access);
      continue;
    }
    auto memory = dyn_cast<MemoryEffectOpInterface>(user);
    if (!memory)
      continue;
    access.reads |=
        memory.getEffectOnValue<MemoryEffects::Read>(array).has_value() &&
        !isAddition(user);
    access.writes |=
        memory.getEffectOnValue<MemoryEffects::Write>(array).has_value();
  }
}

ArrayAccess tile::getArrayAccess(Value array) {
  ArrayAccess access;
  addAccesses(array, access);
  return access;
}

bool tile::isReadOnlyArgument(Value array) {
  auto argument = dyn_cast<BlockArgument>(array);
  return argument && isa<KernelOp>(argument.getOwner()->getParentOp()) &&
         !getArrayAccess(argument).writes;
}

static bool isDifferentiableArray(KernelOp kernel, unsigned argument) {
  Type type = kernel.getArgumentTypes()[argument];
  return isa<MemRefType>(type) && isDifferentiable(type);
}

/// Finds an argument by its name or its index.
static std::optional<unsigned> findArgument(KernelOp kernel, StringRef name) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (name == getArgumentName(kernel, i) || name == std::to_string(i))
      return i;
  return std::nullopt;
}

/// Finds the arguments of one role, which are inputs or outputs. `role` is for
/// errors.
static FailureOr<SmallVector<unsigned>>
findArguments(KernelOp kernel, ArrayRef<std::string> names, bool isInput,
              StringRef role) {
  SmallVector<unsigned> found;
  for (const std::string &name : names) {
    std::optional<unsigned> argument = findArgument(kernel, name);
    if (!argument)
      return kernel->emitError("expected an argument ")
             << role << ", got '" << name
             << "', which the kernel does not have";
    if (!isDifferentiableArray(kernel, *argument))
      return kernel->emitError("expected an array of floating-point or complex "
                               "elements ")
             << role << ", got '" << name << "' of type "
             << kernel.getArgumentTypes()[*argument];
    ArrayAccess access = getArrayAccess(kernel.getArgument(*argument));
    if (access.reads && access.writes)
      return kernel->emitError("expected an array ")
             << role << " that is either read or written, got '" << name
             << "', which the kernel reads and writes";
    if (isInput ? !access.reads : !access.writes)
      return kernel->emitError("expected an array ")
             << role << " that the kernel " << (isInput ? "reads" : "writes")
             << ", got '" << name << "'";
    found.push_back(*argument);
  }
  llvm::sort(found);
  found.erase(llvm::unique(found), found.end());
  return found;
}

/// Lists the arrays that have a role by the way in which they are accessed.
static SmallVector<unsigned> listByAccess(KernelOp kernel, bool isInput) {
  SmallVector<unsigned> found;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    if (!isDifferentiableArray(kernel, i))
      continue;
    ArrayAccess access = getArrayAccess(kernel.getArgument(i));
    if (access.reads == isInput && access.writes == !isInput)
      found.push_back(i);
  }
  return found;
}

static SmallVector<Value> getValues(KernelOp kernel,
                                    ArrayRef<unsigned> arguments) {
  return llvm::map_to_vector(arguments, [&](unsigned argument) -> Value {
    return kernel.getArgument(argument);
  });
}

static void keepThoseIn(const ValueSet &values, KernelOp kernel,
                        SmallVector<unsigned> &arguments) {
  llvm::erase_if(arguments, [&](unsigned argument) {
    return !values.contains(kernel.getArgument(argument));
  });
}

/// Keeps the inputs that an output depends on.
static void keepNeeded(KernelOp kernel, ArgumentRoles &roles) {
  keepThoseIn(
      Dependence(kernel).findDependencies(getValues(kernel, roles.outputs)),
      kernel, roles.inputs);
}

/// Notes the first operation that makes integers or conditions of values that
/// depend on an input, since these carry no dependence.
static void noteIntegers(InFlightDiagnostic &error, KernelOp kernel,
                         ArrayRef<unsigned> inputs) {
  ValueSet dependents =
      Dependence(kernel).findDependents(getValues(kernel, inputs));
  auto isDependent = [&](Value value) {
    return dependents.contains(value) && !isa<MemRefType>(value.getType());
  };
  kernel.walk([&](Operation *op) {
    bool ends =
        llvm::any_of(op->getOperands(), isDependent) &&
        llvm::any_of(op->getResults(), [](Value result) {
          return !isDifferentiable(result.getType()) && !result.use_empty();
        });
    if (ends)
      error.attachNote(op->getLoc())
          << "'" << op->getName()
          << "' has integers or conditions as results, on which no derivative "
             "depends";
    return ends ? WalkResult::interrupt() : WalkResult::advance();
  });
}

/// Keeps the outputs that depend on an input: the derivatives of others are
/// zero, and would not be written. If `isNamed`, all of them must be kept.
static LogicalResult keepDependent(KernelOp kernel, bool isNamed,
                                   ArgumentRoles &roles) {
  ValueSet dependents =
      Dependence(kernel).findDependents(getValues(kernel, roles.inputs));
  for (unsigned output : roles.outputs)
    if (isNamed && !dependents.contains(kernel.getArgument(output))) {
      InFlightDiagnostic error =
          kernel->emitError("expected outputs that depend on an input, got '")
          << getArgumentName(kernel, output) << "', whose derivative is zero";
      noteIntegers(error, kernel, roles.inputs);
      return error;
    }
  keepThoseIn(dependents, kernel, roles.outputs);
  return success();
}

/// Emits an error about a role that no array has, with the reasons why arrays
/// that are accessed as it requires do not have it.
static InFlightDiagnostic reportNoArray(KernelOp kernel, bool isInput,
                                        StringRef message) {
  InFlightDiagnostic error = kernel->emitError(message);
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    auto type = dyn_cast<MemRefType>(kernel.getArgumentTypes()[i]);
    ArrayAccess access = getArrayAccess(kernel.getArgument(i));
    std::string name = getArgumentName(kernel, i);
    bool isAccessed = isInput ? access.reads : access.writes;
    if (!type || !isAccessed)
      continue;
    if (!isDifferentiable(type))
      error << "; '" << name << "' has elements of " << type.getElementType();
    else if (access.reads && access.writes)
      error.attachNote(kernel.getLoc())
          << "the kernel reads and writes '" << name << "'";
    else
      error << "; '" << name << "' has no influence on an output";
  }
  return error;
}

FailureOr<ArgumentRoles> tile::findRoles(KernelOp kernel,
                                         const GradientOptions &options) {
  ArgumentRoles roles;
  auto find = [&](ArrayRef<std::string> names, bool isInput,
                  SmallVector<unsigned> &arguments) -> LogicalResult {
    if (names.empty()) {
      arguments = listByAccess(kernel, isInput);
    } else {
      FailureOr<SmallVector<unsigned>> found =
          findArguments(kernel, names, isInput,
                        isInput ? "to differentiate by" : "to differentiate");
      if (failed(found))
        return failure();
      arguments = *found;
    }
    return success();
  };
  if (failed(find(options.inputs, true, roles.inputs)) ||
      failed(find(options.outputs, false, roles.outputs)))
    return failure();
  FailureOr<SmallVector<unsigned>> saved = findArguments(
      kernel, options.saved, /*isInput=*/false, "to load values from");
  if (failed(saved))
    return failure();
  roles.saved = *saved;
  if (roles.outputs.empty())
    return reportNoArray(
        kernel, /*isInput=*/false,
        "expected an array of floating-point or complex elements "
        "that the kernel only writes, to differentiate, got none");
  SmallVector<unsigned> candidates(roles.inputs);
  if (options.inputs.empty())
    keepNeeded(kernel, roles);
  if (roles.inputs.empty()) {
    InFlightDiagnostic error =
        reportNoArray(kernel, /*isInput=*/true,
                      "expected an array of floating-point or complex elements "
                      "that the kernel only reads and that an output depends "
                      "on, to differentiate by, got none");
    noteIntegers(error, kernel, candidates);
    return error;
  }
  if (failed(keepDependent(kernel, !options.outputs.empty(), roles)))
    return failure();
  return roles;
}
