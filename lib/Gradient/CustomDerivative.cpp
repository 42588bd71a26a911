// CustomDerivative.cpp - derivatives that the author of a kernel states
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CustomDerivative.h"

#include "ArgumentRoles.h"
#include "Owners/OwnerKernel.h"
#include "SimplifyGradient.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// The kinds of arguments of a custom derivative, in their order.
enum class Role { own, seed, result };

/// The role of an argument, and the argument of the kernel that it belongs to.
struct Part {
  Role role;
  unsigned owner;

  bool operator<(const Part &other) const {
    return std::tie(role, owner) < std::tie(other.role, other.owner);
  }
};

/// Verifies the kernel that an attribute of `kernel` names, and copies it.
class CustomDerivative {
public:
  CustomDerivative(KernelOp kernel, const GradientOptions &options)
      : kernel(kernel), options(options),
        isForward(options.mode == DerivativeMode::forward),
        attribute(isForward ? kCustomTangentAttr : kCustomAdjointAttr) {}

  FailureOr<KernelOp> build();

private:
  LogicalResult findCustom();
  LogicalResult findParts();
  FailureOr<Part> findPart(unsigned argument);
  LogicalResult verifyPart(unsigned argument, Part part);
  LogicalResult verifyOwner(Part part);
  LogicalResult verifyAccess(unsigned argument, Part part);
  LogicalResult verifyGrid();
  LogicalResult verifyRequest();
  LogicalResult verifyRequested(ArrayRef<std::string> names, Role role);
  LogicalResult eraseOthers(KernelOp copy);
  bool isNamed(ArrayRef<std::string> names, unsigned owner) const;

  /// Whether owners of arguments with a role are inputs, not outputs.
  bool areInputs(Role role) const { return (role == Role::seed) == isForward; }
  StringRef getSuffix(Role role) const {
    if (role == Role::own)
      return "";
    return isForward            ? "__tangent"
           : role == Role::seed ? "__cotangent"
                                : kGradientSuffix;
  }
  std::string getName(Part part) const {
    return getArgumentName(kernel, part.owner) + getSuffix(part.role).str();
  }
  ArrayRef<std::string> getRequested(Role role) const {
    return areInputs(role) ? options.inputs : options.outputs;
  }

  KernelOp kernel, custom;
  const GradientOptions &options;
  bool isForward;
  StringRef attribute;
  SmallVector<Part> parts;
};
} // namespace

LogicalResult CustomDerivative::findCustom() {
  auto symbol = kernel->getAttrOfType<FlatSymbolRefAttr>(attribute);
  if (!symbol)
    return kernel->emitError("expected '")
           << attribute << "' of '" << kernel.getSymName()
           << "', whose derivative in the other mode is stated by '"
           << (isForward ? kCustomAdjointAttr : kCustomTangentAttr)
           << "', got none";
  Operation *found =
      SymbolTable::lookupSymbolIn(kernel->getParentOp(), symbol.getAttr());
  custom = dyn_cast_or_null<KernelOp>(found);
  if (custom && custom != kernel)
    return success();
  InFlightDiagnostic error = kernel->emitError("expected '")
                             << attribute << "' to name another kernel of the "
                             << "module, got " << symbol << ", ";
  if (custom)
    return error << "the kernel itself";
  if (!found)
    return error << "which the module does not have";
  return error << "a '" << found->getName() << "'";
}

/// Reads the role of an argument from its name.
FailureOr<Part> CustomDerivative::findPart(unsigned argument) {
  auto name = custom.getArgAttrOfType<StringAttr>(argument, kArgumentNameAttr);
  for (Role role : {Role::own, Role::seed, Role::result})
    for (unsigned owner = 0; name && owner < kernel.getNumArguments(); ++owner)
      // The seed and the result of an argument have one name in forward mode.
      if (Part part{role, owner};
          name == getName(part) &&
          (role != Role::seed || !isForward ||
           !getArrayAccess(kernel.getArgument(owner)).writes))
        return part;
  InFlightDiagnostic error =
      custom->emitError("expected the name ('")
      << kArgumentNameAttr << "') of argument " << argument << " of '"
      << custom.getSymName() << "' to be that of an argument of '"
      << kernel.getSymName() << "', alone or followed by '"
      << getSuffix(Role::seed);
  if (!isForward)
    error << "' or '" << getSuffix(Role::result);
  if (name)
    error << "', got '" << name.getValue() << "'";
  else
    error << "', got none";
  return failure();
}

/// Verifies that the kernel accesses the owner of an argument as the role
/// requires.
LogicalResult CustomDerivative::verifyOwner(Part part) {
  BlockArgument owner = kernel.getArgument(part.owner);
  std::string name = getName(part),
              ownerName = getName({Role::own, part.owner});
  ArrayAccess access = getArrayAccess(owner);
  if (part.role == Role::own) {
    if (!access.writes)
      return success();
    return custom->emitError("expected arguments that '")
           << kernel.getSymName() << "' does not write, got '" << name
           << "', whose elements a derivative is not given: it computes again "
              "what it needs of them";
  }
  bool isInput = areInputs(part.role);
  bool isArray =
      isa<MemRefType>(owner.getType()) && isDifferentiable(owner.getType());
  if (isArray && (isInput ? access.reads && !access.writes : access.writes))
    return success();
  return custom->emitError()
         << "expected '" << name
         << "' to belong to an array of floating-point or complex elements "
            "that '"
         << kernel.getSymName() << "' "
         << (isInput ? "reads and does not write" : "writes") << ", got '"
         << ownerName << "' of type " << owner.getType()
         << (!isArray        ? ""
             : access.writes ? ", which it writes"
             : access.reads  ? ", which it reads"
                             : ", which it does not access");
}

LogicalResult CustomDerivative::verifyAccess(unsigned argument, Part part) {
  BlockArgument value = custom.getArgument(argument);
  Type expected = kernel.getArgumentTypes()[part.owner];
  if (value.getType() != expected)
    return custom->emitError("expected '")
           << getName(part) << "' to have the type of '"
           << getName({Role::own, part.owner}) << "' of '"
           << kernel.getSymName() << "', " << expected << ", got "
           << value.getType();
  bool isResult = part.role == Role::result;
  if (getArrayAccess(value).writes == isResult)
    return success();
  return custom->emitError("expected a kernel that ")
         << (isResult ? "writes '" : "does not write '") << getName(part)
         << "', got one that does" << (isResult ? " not" : "");
}

LogicalResult CustomDerivative::verifyPart(unsigned argument, Part part) {
  if (failed(verifyOwner(part)) || failed(verifyAccess(argument, part)))
    return failure();
  if (parts.empty() || parts.back() < part)
    return success();
  return custom->emitError("expected the arguments of '")
         << kernel.getSymName() << "', then the arrays '"
         << getSuffix(Role::seed) << "', then '" << getSuffix(Role::result)
         << "', each once and in the order of the kernel's, got '"
         << getName(part) << "' after '" << getName(parts.back()) << "'";
}

/// Finds the roles of all arguments. There must be a seed and a result.
LogicalResult CustomDerivative::findParts() {
  for (unsigned i = 0; i < custom.getNumArguments(); ++i) {
    FailureOr<Part> part = findPart(i);
    if (failed(part) || failed(verifyPart(i, *part)))
      return failure();
    parts.push_back(*part);
  }
  for (Role role : {Role::seed, Role::result})
    if (llvm::none_of(parts, [&](Part part) { return part.role == role; }))
      return custom->emitError("expected an argument of the custom derivative "
                               "of '")
             << kernel.getSymName() << "' whose name ends in '"
             << getSuffix(role) << "' and that it "
             << (role == Role::result ? "writes" : "reads") << ", got none";
  return success();
}

/// A derivative runs on the grid of its kernel.
LogicalResult CustomDerivative::verifyGrid() {
  if (custom.getGrid().has_value() == kernel.getGrid().has_value())
    return success();
  return custom->emitError("expected the custom derivative of '")
         << kernel.getSymName() << "', which "
         << (kernel.getGrid() ? "states its grid, to state one, got none"
                              : "states no grid, to state none, got one");
}

/// Whether `names`, of a request, has an argument of the kernel by its name or
/// its index. An empty request has all.
bool CustomDerivative::isNamed(ArrayRef<std::string> names,
                               unsigned owner) const {
  return names.empty() ||
         llvm::is_contained(names, getName({Role::own, owner})) ||
         llvm::is_contained(names, std::to_string(owner));
}

/// Verifies that the derivative has an argument for each array that is
/// requested.
LogicalResult CustomDerivative::verifyRequested(ArrayRef<std::string> names,
                                                Role role) {
  for (const std::string &name : names) {
    bool isFound = llvm::any_of(parts, [&](Part part) {
      return part.role == role && isNamed(name, part.owner);
    });
    if (!isFound)
      return custom->emitError("expected an argument '")
             << name << getSuffix(role) << "' of '" << custom.getSymName()
             << "', the custom derivative of '" << kernel.getSymName()
             << "', since the derivative " << (areInputs(role) ? "by" : "of")
             << " '" << name << "' is requested, got none";
  }
  return success();
}

/// Verifies that the derivative gives each requested result, from seeds that
/// are all requested.
LogicalResult CustomDerivative::verifyRequest() {
  for (Role role : {Role::seed, Role::result})
    if (failed(verifyRequested(getRequested(role), role)))
      return failure();
  ArrayRef<std::string> names = getRequested(Role::seed);
  for (Part part : parts)
    if (part.role == Role::seed && !isNamed(names, part.owner))
      return kernel->emitError("expected a request of all derivatives ")
             << (isForward ? "by" : "of")
             << " the arrays that the custom derivative '"
             << custom.getSymName() << "' takes, got one without '"
             << getName({Role::own, part.owner}) << "'; give zeros as its "
             << (isForward ? "tangent" : "cotangent");
  return success();
}

/// Erases the results that are not requested, and what only they need.
LogicalResult CustomDerivative::eraseOthers(KernelOp copy) {
  llvm::BitVector others(copy.getNumArguments());
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (part.role != Role::result ||
        isNamed(getRequested(Role::result), part.owner))
      continue;
    eraseWrites(copy.getArgument(index));
    others.set(index);
  }
  if (others.none())
    return success();
  eraseDeadOperations(copy);
  for (unsigned index : others.set_bits())
    if (!copy.getArgument(index).use_empty())
      return custom->emitError("expected a request of '")
             << getName({Role::own, parts[index].owner})
             << "', too, since the custom derivative also reads '"
             << getName(parts[index]) << "' or uses its sizes";
  SmallVector<Value> passed(copy.getNumArguments());
  eraseUnusedArguments(copy, copy.getNumArguments(), passed);
  return success();
}

FailureOr<KernelOp> CustomDerivative::build() {
  if (failed(findCustom()) || failed(findParts()) || failed(verifyGrid()) ||
      failed(verifyRequest()))
    return failure();
  FailureOr<std::string> name = findDerivativeName(kernel, options.mode);
  if (failed(name))
    return failure();
  OpBuilder builder(kernel->getContext());
  builder.setInsertionPointAfter(kernel);
  auto copy = cast<KernelOp>(builder.clone(*custom));
  copy.setSymName(*name);
  if (succeeded(eraseOthers(copy)))
    return copy;
  copy->erase();
  return failure();
}

bool tile::isCustomDerivative(KernelOp kernel) {
  auto module = kernel->getParentOfType<ModuleOp>();
  return llvm::any_of(module.getOps<KernelOp>(), [&](KernelOp other) {
    return llvm::any_of(
        ArrayRef<StringRef>{kCustomAdjointAttr, kCustomTangentAttr},
        [&](StringRef attribute) {
          auto symbol = other->getAttrOfType<FlatSymbolRefAttr>(attribute);
          return symbol && symbol.getValue() == kernel.getSymName();
        });
  });
}

FailureOr<KernelOp>
tile::buildCustomDerivative(KernelOp kernel, const GradientOptions &options) {
  return CustomDerivative(kernel, options).build();
}
