// Gradient.cpp - kernels that compute derivatives of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Gradient/Gradient.h"

#include "AddToGradients.h"
#include "ArgumentRoles.h"
#include "AscendingLoops.h"
#include "CountedLoops.h"
#include "Coverage.h"
#include "CustomDerivative.h"
#include "CustomFunction.h"
#include "Dependence.h"
#include "FinalMaxima.h"
#include "HoistLoads.h"
#include "LaunchFunction.h"
#include "LoadOnce.h"
#include "MaskedFactors.h"
#include "Owners/AddTemporaries.h"
#include "Owners/KeptResults.h"
#include "Owners/KernelPlan.h"
#include "Owners/OwnerKernel.h"
#include "Owners/RecordPlan.h"
#include "Owners/StoredOutputs.h"
#include "Owners/ZeroKernels.h"
#include "RepeatedValues.h"
#include "SavedOutputs.h"
#include "SegmentedLoops.h"
#include "SharedElements.h"
#include "ShiftInvariance.h"
#include "SimplifyGradient.h"
#include "Sums/HoistFactors.h"
#include "Sums/MatmulSums.h"
#include "Sums/SplitSums.h"
#include "Sums/SumsLast.h"
#include "ViewedLoads.h"

#include "tile/Gradient/DerivativeInterfaces.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/DiscardableAttrs.h"
#include "tile/IR/OrientMatmuls.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tile;

namespace {
/// Builds the kernel of the derivatives, step by step. `kernel` is a copy of
/// the original one, which becomes that of the derivatives; `host` passes its
/// arguments.
class GradientKernel : LoopStates {
public:
  /// The loops at `segmented`, in the order of the program, are split.
  GradientKernel(KernelOp original, const ArgumentRoles &roles,
                 const GradientOptions &options, ArrayRef<unsigned> segmented)
      : original(original), roles(roles), options(options),
        segmented(segmented) {}

  FailureOr<Operation *> build();

  /// Returns the loops that keep too much, because of which nothing was built.
  ArrayRef<unsigned> getLongLoops() const { return longLoops; }

private:
  Operation *getOriginal(Operation *combined) const override {
    return originals.lookup(combined);
  }
  FailureOr<Value> createArray(Operation *loop, Value trips,
                               Type type) override;
  Value addArray(Type type, Value rows);
  void keepResults(std::vector<KernelPlan> &plans);
  void storeOutputs(std::vector<KernelPlan> &plans);
  bool readsForOutputs(const KernelPlan &plan);

  LogicalResult derive();
  void splitLoops();
  Value passLength(Value length);
  bool keepsTooMuch(Value most, Type type);
  FailureOr<Operation *> finish();
  LogicalResult splitKernel();
  LogicalResult verifyAtomics();
  void recordSchedule();
  unsigned getGradient(unsigned input);
  SmallVector<unsigned> listGradients();
  llvm::StringSet<> listGradientNames();
  void findCoverage();
  void launchZeros(ZeroKernels &zeros);
  void takeOtherSizes();
  bool mustSplit();
  Operation *finishHost();
  std::string getKernelName(const KernelPlan &plan);

  bool isForward() const { return options.mode == DerivativeMode::forward; }
  LogicalResult verifyArrays();
  LogicalResult cloneKernel();
  void addArguments(ArrayRef<unsigned> arguments, StringRef suffix);
  LogicalResult findActive();
  LogicalResult linearize();
  void findUpdates();
  LogicalResult transpose();
  SmallVector<unsigned> listWritten();
  void findOwnWrites();
  void eraseWrites();

  KernelOp original, kernel;
  const ArgumentRoles &roles;
  const GradientOptions &options;
  ArrayRef<unsigned> segmented;
  SmallVector<unsigned> longLoops;
  std::string name;
  std::optional<LaunchFunction> host;
  /// The values that the host passes for the arguments of the kernel.
  SmallVector<Value> passed;
  /// The number of arguments, before arrays of states are added.
  unsigned numArguments;
  /// The loop of the original values, for each loop with tangents.
  llvm::DenseMap<Operation *, Operation *> originals;
  /// The array of tangents, cotangents or gradients of each argument.
  llvm::MapVector<Value, Value> derivatives;
  /// The indices of arguments, and of the arrays of their derivatives.
  SmallVector<std::pair<unsigned, unsigned>> sameShapes;
  SmallVector<FinalMaximum> maxima;
  ValueSet active;
  /// The operations by which the original kernel writes, if the derivative
  /// does, too.
  llvm::DenseSet<Operation *> ownWrites;
  llvm::DenseMap<Value, GradientUpdate> updates;
  /// Arguments that are gradients of which not all elements may be stored, with
  /// the condition of the host that all are; it may be null.
  llvm::MapVector<unsigned, Value> uncovered;
};
} // namespace

/// Clones the kernel under the name of the new one.
LogicalResult GradientKernel::cloneKernel() {
  FailureOr<std::string> found = findDerivativeName(original, options.mode);
  if (failed(found))
    return failure();
  name = *found;
  OpBuilder builder(original->getContext());
  builder.setInsertionPointAfter(original);
  kernel = cast<KernelOp>(builder.clone(*original));
  kernel.setSymName(name);
  kernel->removeAttr(kDecisionsAttr);
  return success();
}

/// Adds an array of derivatives for each argument, after all arguments.
void GradientKernel::addArguments(ArrayRef<unsigned> arguments,
                                  StringRef suffix) {
  Builder builder(kernel.getContext());
  for (unsigned argument : arguments) {
    auto attributes =
        cast_or_null<DictionaryAttr>(kernel.getArgAttrDict(argument));
    NamedAttrList own(attributes);
    own.set(kArgumentNameAttr,
            builder.getStringAttr(getArgumentName(kernel, argument) + suffix));
    unsigned index = kernel.getNumArguments();
    (void)kernel.insertArgument(index, kernel.getArgumentTypes()[argument],
                                own.getDictionary(kernel.getContext()),
                                kernel.getArgument(argument).getLoc());
    derivatives[kernel.getArgument(argument)] = kernel.getArgument(index);
    sameShapes.emplace_back(argument, index);
  }
}

/// Finds the values that depend on an input and that an output depends on.
LogicalResult GradientKernel::findActive() {
  auto list = [&](ArrayRef<unsigned> arguments) {
    SmallVector<Value> values;
    for (unsigned argument : arguments)
      values.push_back(kernel.getArgument(argument));
    return values;
  };
  SmallVector<Value> constants = listShifts(kernel);
  for (FinalMaximum maximum : maxima)
    constants.push_back(maximum.shift);
  FailureOr<ValueSet> found = ::tile::findActive(
      kernel, list(roles.inputs), list(roles.outputs), constants);
  if (failed(found))
    return failure();
  active = *found;
  for (unsigned argument : roles.inputs)
    if (!active.contains(kernel.getArgument(argument)))
      return original->emitError("expected outputs that depend on '")
             << getArgumentName(kernel, argument)
             << "', got none: its gradient is zero";
  return success();
}

LogicalResult GradientKernel::linearize() {
  TangentBuilder builder(kernel.getContext(), active, isForward());
  for (auto [argument, derivative] : derivatives)
    builder.setTangent(argument, derivative);
  if (failed(builder.linearize(kernel.getBody().front())))
    return failure();
  originals = builder.getOriginals();
  eraseWrites();
  return success();
}

/// Decides how each gradient is updated.
void GradientKernel::findUpdates() {
  for (unsigned argument : roles.inputs) {
    Value array = kernel.getArgument(argument);
    updates[derivatives.lookup(array)] =
        findUpdate(kernel, array).value_or(GradientUpdate::atomic);
  }
}

LogicalResult GradientKernel::transpose() {
  SmallVector<Value> seeds;
  for (auto [argument, derivative] : derivatives)
    seeds.push_back(derivative);
  ValueSet tangents = Dependence(kernel).findDependents(seeds);
  TransposeBuilder builder(kernel.getContext(), tangents, updates, this);
  FailureOr<TransposeBuilder::Operations> linear =
      builder.transpose(kernel.getBody().front());
  if (failed(linear))
    return failure();
  builder.eraseLinear(*linear);
  restoreResults(maxima);
  loadSavedOutputs(kernel, llvm::map_to_vector(roles.saved, [&](unsigned i) {
                     return kernel.getArgument(i);
                   }));
  return success();
}

/// Verifies that arrays are read or written, not both, since what the kernel
/// does with them is not repeated, and that programs store each element of an
/// output once.
LogicalResult GradientKernel::verifyArrays() {
  for (BlockArgument argument : original.getArguments()) {
    ArrayAccess access = getArrayAccess(argument);
    if (access.reads && access.writes)
      return original->emitError("expected arrays that are either read or "
                                 "written, got '")
             << getArgumentName(original, argument.getArgNumber())
             << "', which the kernel reads and writes: elements before a write "
                "are lost when derivatives need them";
  }
  for (unsigned argument : roles.outputs)
    if (failed(verifyStoredOnce(original, original.getArgument(argument))))
      return failure();
  return success();
}

/// Lists the arguments that are arrays which the original kernel writes.
SmallVector<unsigned> GradientKernel::listWritten() {
  return llvm::to_vector(llvm::make_filter_range(
      llvm::seq(original.getNumArguments()), [&](unsigned argument) {
        return getArrayAccess(original.getArgument(argument)).writes;
      }));
}

/// Finds the writes to stay. Copies of loops, which are made from now on, have
/// further ones.
void GradientKernel::findOwnWrites() {
  if (!options.storesOutputs)
    return;
  for (unsigned argument : listWritten())
    ownWrites.insert_range(kernel.getArgument(argument).getUsers());
}

/// Erases the operations that write arrays of the original kernel, except saved
/// outputs and those to stay. No other operation reads these.
void GradientKernel::eraseWrites() {
  // Tangents are computed by the operations that compute the values.
  if (isForward() && options.storesOutputs)
    return;
  for (unsigned argument : listWritten())
    if (!llvm::is_contained(roles.saved, argument))
      ::tile::eraseWrites(kernel.getArgument(argument), ownWrites);
}

/// Attribute of a loop, and of its copies: the position of the loop in the
/// program.
constexpr StringLiteral kPositionAttr = "position";

/// Returns the type of an array of values of a type, for programs and
/// iterations.
static MemRefType getStatesType(Type type) {
  SmallVector<int64_t> shape(2, ShapedType::kDynamic);
  if (auto tile = dyn_cast<TileType>(type))
    llvm::append_range(shape, tile.getShape());
  return MemRefType::get(shape, getElementType(type));
}

/// Returns the length of a segment, a value of the host, as one of the kernel.
Value GradientKernel::passLength(Value length) {
  std::optional<int64_t> constant = getConstantIntValue(length);
  if (!constant) {
    unsigned index = kernel.getNumArguments();
    (void)kernel.insertArgument(index, length.getType(), DictionaryAttr(),
                                kernel.getLoc());
    passed.push_back(length);
    host->setCount(index, length);
    return kernel.getArgument(index);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  return arith::ConstantIndexOp::create(builder, kernel.getLoc(), *constant);
}

/// Splits the loops at `segmented`, and marks all others.
void GradientKernel::splitLoops() {
  SmallVector<scf::ForOp> loops;
  kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
  for (auto [position, loop] : llvm::enumerate(loops)) {
    ImplicitLocOpBuilder b(loop.getLoc(), loop);
    if (!llvm::is_contained(segmented, position)) {
      loop->setAttr(kPositionAttr, b.getIndexAttr(position));
      continue;
    }
    // The first derivation has found a range, too.
    std::optional<HostRange> range = host->getRange(countTrips(b, loop));
    Value most = toIndex(host->getBuilder(), range->high);
    splitIntoSegments(
        loop, passLength(createSegmentLength(host->getBuilder(), most)));
  }
}

/// Whether a loop of `most` iterations, of which each keeps a value of a type,
/// is split: if this is requested, or if the values of a program are known to
/// take more than 1 MiB.
bool GradientKernel::keepsTooMuch(Value most, Type type) {
  constexpr int64_t kMostBytes = 1 << 20;
  std::optional<int64_t> trips = getConstantIntValue(most);
  if (!trips || options.keepsSegments)
    return options.keepsSegments;
  auto tile = dyn_cast<TileType>(type);
  int64_t elements = tile ? tile.getNumElements() : 1;
  int64_t bytes = elements * getElementBytes(getElementType(type));
  return *trips > kMostBytes / bytes;
}

FailureOr<Value> GradientKernel::createArray(Operation *loop, Value trips,
                                             Type type) {
  std::optional<HostRange> range = host->getRange(trips);
  if (!range)
    return loop->emitError(
               "expected a loop whose number of iterations is bounded by the "
               "arguments and the grid of the kernel, since its derivative "
               "needs the values that it carries in each iteration (a ")
           << type << ")";
  ImplicitLocOpBuilder &b = host->getBuilder();
  Value most = toIndex(b, range->high);
  auto position = loop->getAttrOfType<IntegerAttr>(kPositionAttr);
  if (position && keepsTooMuch(most, type))
    longLoops.push_back(position.getInt());
  return addArray(type, most);
}

/// Adds an array of values of a type, `rows` for each program, as an argument.
Value GradientKernel::addArray(Type type, Value rows) {
  ImplicitLocOpBuilder &b = host->getBuilder();
  Value programs = host->getGrid()[0];
  for (Value extent : host->getGrid().drop_front())
    programs = arith::MulIOp::create(b, programs, extent);
  MemRefType array = getStatesType(type);
  passed.push_back(host->allocate(array, {programs, rows}));
  unsigned index = kernel.getNumArguments();
  (void)kernel.insertArgument(index, array, DictionaryAttr(), kernel.getLoc());
  return kernel.getArgument(index);
}

/// Adds, if loops become axes, a kernel that stores the results of the loops
/// before them, which each program of such an axis would compute again. All
/// other kernels load them.
void GradientKernel::keepResults(std::vector<KernelPlan> &plans) {
  llvm::SetVector<Value> results;
  for (const KernelPlan &plan : plans)
    if (plan.promotesLoops)
      results.insert_range(listLoopResults(getPromotedLoop(kernel, plan)));
  if (results.empty())
    return;
  plans.insert(plans.begin(), KernelPlan());
  plans.front().keepsValues = true;
  for (Value value : results)
    keepResult(value, addArray(value.getType(), arith::ConstantIndexOp::create(
                                                    host->getBuilder(), 1)));
}

/// Makes one kernel store the outputs, too: one that runs each program and
/// need not read more for them, or else one more.
void GradientKernel::storeOutputs(std::vector<KernelPlan> &plans) {
  if (!options.storesOutputs)
    return;
  auto found = llvm::find_if(
      plans, [](const KernelPlan &plan) { return plan.runsPrograms(); });
  if (found == plans.end() || readsForOutputs(*found))
    found = plans.insert(plans.begin(), KernelPlan());
  found->storesOutputs = true;
}

/// Whether the kernel of a plan would read more to store the outputs.
bool GradientKernel::readsForOutputs(const KernelPlan &plan) {
  SmallVector<unsigned> others = listGradients();
  llvm::erase_if(others, [&](unsigned array) { return plan.updates(array); });
  return ::tile::readsForOutputs(kernel, listWritten(), others);
}

/// Returns the argument that is the array of gradients of an input.
unsigned GradientKernel::getGradient(unsigned input) {
  Value array = derivatives.lookup(kernel.getArgument(input));
  return cast<BlockArgument>(array).getArgNumber();
}

/// Lists the arguments that are arrays of gradients.
SmallVector<unsigned> GradientKernel::listGradients() {
  return llvm::map_to_vector(
      roles.inputs, [&](unsigned argument) { return getGradient(argument); });
}

/// Returns the name of the kernel of a plan: that of the derivative, followed
/// by the names of the inputs that the plan is for.
std::string GradientKernel::getKernelName(const KernelPlan &plan) {
  if (plan.keepsValues)
    return name + "__results";
  if (plan.isOriginal())
    return name + "__outputs";
  SmallVector<unsigned> arrays(plan.summed);
  llvm::append_range(arrays, plan.serial);
  llvm::append_range(arrays, plan.copied);
  if (arrays.empty())
    return name + "__programs";
  std::string result = name + "_";
  for (unsigned array : arrays)
    result += "_" + getInputName(kernel, array);
  return result;
}

/// Builds a kernel for each plan, in place of the whole kernel.
LogicalResult GradientKernel::splitKernel() {
  WholeKernel whole{kernel,          {}, numArguments, kernel.getNumArguments(),
                    listGradients(), {}, {},           listAxes(original)};
  for (unsigned argument : roles.inputs)
    if (readsToEnd(original, argument))
      whole.extensible.push_back(getGradient(argument));
  if (options.storesOutputs)
    whole.outputs = listWritten();
  SmallVector<unsigned> exclusive, shared;
  for (unsigned gradient : whole.gradients) {
    GradientUpdate update = updates.lookup(kernel.getArgument(gradient));
    (update == GradientUpdate::atomic ? shared : exclusive).push_back(gradient);
  }
  FailureOr<std::vector<KernelPlan>> plans =
      planKernels(kernel, exclusive, shared, whole.outputs, whole.axes, *host);
  if (failed(plans))
    return failure();
  for (const KernelPlan &plan : *plans) {
    // Programs that update one after the other add to the array.
    for (unsigned gradient : plan.serial)
      uncovered[gradient] = Value();
    // A kernel stores the sum of all copies of each element.
    for (unsigned gradient : plan.copied)
      uncovered.erase(gradient);
  }
  ZeroKernels zeros(kernel, name, *host);
  launchZeros(zeros);
  keepResults(*plans);
  storeOutputs(*plans);
  whole.passed = passed;
  for (const KernelPlan &plan : *plans)
    buildOwnerKernel(whole, plan, getKernelName(plan), *host, zeros);
  kernel->erase();
  return success();
}

/// Decides for each gradient whether it must be filled with zeros: not if the
/// updates store each element, which is decided here or by the host.
void GradientKernel::findCoverage() {
  if (options.accumulates)
    return;
  for (unsigned argument : roles.inputs) {
    unsigned gradient = getGradient(argument);
    GradientUpdate update = updates.lookup(kernel.getArgument(gradient));
    // An owner stores the sum of a gradient that is not added atomically.
    bool isStored =
        update == GradientUpdate::store ||
        (update == GradientUpdate::atomic && !options.allowsAtomics);
    Value covered = isStored ? getCoverage(kernel, argument, *host) : Value();
    if (!covered || getConstantIntValue(covered) != -1)
      uncovered[gradient] = covered;
  }
}

/// Fills gradients with zeros before all other launches, unless these add to
/// them.
void GradientKernel::launchZeros(ZeroKernels &zeros) {
  if (options.accumulates)
    return;
  for (unsigned gradient : listGradients())
    if (!getArrayAccess(kernel.getArgument(gradient)).writes)
      uncovered[gradient] = Value();
  for (auto &[gradient, covered] : uncovered)
    zeros.launch(host->getArgument(gradient), covered);
}

/// Verifies that the updates that stay atomic are of elements that atomic
/// operations can add.
LogicalResult GradientKernel::verifyAtomics() {
  for (unsigned gradient : listGradients())
    for (AtomicRMWOp update : listUpdates(kernel, gradient)) {
      Type element = getElementType(update.getValue().getType());
      if (!canAddAtomically(element))
        return emitError(update.getLoc(),
                         "expected a load of elements that can be added "
                         "atomically, got ")
               << element;
    }
  return success();
}

/// Replaces an array of which only the sizes are used by one of the same shape.
static void replaceSizes(Value array, Value other) {
  if (llvm::all_of(array.getUsers(), llvm::IsaPred<memref::DimOp>))
    array.replaceAllUsesWith(other);
}

/// Takes the sizes of arguments of which only these are needed from the arrays
/// of their derivatives. A kernel that accesses an argument keeps its sizes,
/// which show that accesses are in bounds.
void GradientKernel::takeOtherSizes() {
  for (auto [argument, derivative] : sameShapes)
    replaceSizes(kernel.getArgument(argument), kernel.getArgument(derivative));
}

/// Returns the function that launches the kernels.
Operation *GradientKernel::finishHost() {
  for (auto [argument, derivative] : sameShapes)
    replaceSizes(host->getArgument(argument), host->getArgument(derivative));
  return host->finish(original.getNumArguments());
}

/// Records how the kernel, which is not split, computes the gradients.
void GradientKernel::recordSchedule() {
  KernelPlan plan;
  SmallVector<unsigned> atomics;
  for (unsigned gradient : listGradients())
    (listUpdates(kernel, gradient).empty() ? plan.exclusive : atomics)
        .push_back(gradient);
  recordPlan(kernel, plan);
  recordAtomics(kernel, atomics);
  recordKeptValues(kernel, numArguments, kernel.getNumArguments());
}

/// Whether several kernels compute the derivative: owners of gradients, or one
/// for the outputs. A kernel with atomic updates stays as it is.
bool GradientKernel::mustSplit() {
  if (isForward() || options.allowsAtomics)
    return false;
  bool isShared = llvm::any_of(updates, [](const auto &update) {
    return update.second == GradientUpdate::atomic;
  });
  KernelPlan all;
  all.exclusive = listGradients();
  return isShared || (options.storesOutputs && readsForOutputs(all));
}

/// Returns the derivative: the kernel, or, if it needs arrays or several
/// kernels, the function that launches them.
FailureOr<Operation *> GradientKernel::finish() {
  bool isSplit = mustSplit();
  takeOtherSizes();
  if (!isSplit && !isForward())
    recordSchedule();
  if (!isSplit && uncovered.empty() && !host->hasArrays()) {
    host->erase();
    eraseUnusedArguments(kernel, original.getNumArguments(), passed);
    return kernel.getOperation();
  }
  if (isSplit) {
    if (failed(splitKernel()))
      return failure();
    return finishHost();
  }
  if (failed(verifyAtomics()))
    return failure();
  ZeroKernels zeros(kernel, name, *host);
  launchZeros(zeros);
  kernel.setSymName(name + "__programs");
  eraseUnusedArguments(kernel, kernel.getNumArguments(), passed);
  ValueRange extents;
  if (!kernel.getGrid())
    extents = host->getGrid();
  host->launch(kernel, extents, passed);
  return finishHost();
}

/// Returns the names of the arrays of gradients.
llvm::StringSet<> GradientKernel::listGradientNames() {
  llvm::StringSet<> names;
  for (unsigned argument : roles.inputs)
    names.insert((getArgumentName(original, argument) + kGradientSuffix).str());
  return names;
}

FailureOr<Operation *> GradientKernel::build() {
  if (failed(cloneKernel()))
    return failure();
  if (isForward()) {
    addArguments(roles.inputs, "__tangent");
    addArguments(roles.outputs, "__tangent");
  } else {
    addArguments(roles.outputs, "__cotangent");
    addArguments(roles.inputs, kGradientSuffix);
  }
  host.emplace(kernel, name);
  numArguments = kernel.getNumArguments();
  for (unsigned i = 0; i < numArguments; ++i)
    passed.push_back(host->getArgument(i));
  FailureOr<Operation *> result = failure();
  if (failed(derive()))
    longLoops.clear();
  else if (longLoops.empty())
    result = finish();
  if (failed(result)) {
    host->erase();
    kernel->erase();
  } else if (options.accumulates) {
    addToGradients(*result, listGradientNames());
  }
  return result;
}

LogicalResult GradientKernel::derive() {
  if (!isForward())
    loadViews(kernel);
  // Their cotangents are then added up by the loops.
  kernel.walk([](scf::ForOp loop) { hoistLoads(loop); });
  if (!isForward()) {
    // Copies of loads in counted loops are no other loads.
    findUpdates();
    findCoverage();
    countIterations(kernel);
    splitLoops();
  }
  findOwnWrites();
  maxima = useFinalMaxima(kernel);
  if (failed(findActive()) || failed(verifyArrays()) || failed(linearize()))
    return failure();
  if (!isForward()) {
    if (failed(transpose()) || failed(inlineCalls(kernel)))
      return failure();
    simplifyGradient(kernel);
    ascendLoops(kernel);
    orientMatmuls(kernel);
    chainMatmulSums(kernel);
    loadOnce(kernel);
  } else if (failed(inlineCalls(kernel))) {
    return failure();
  }
  computeBeforeRepetition(kernel);
  splitSums(kernel);
  hoistFactors(kernel);
  dropMasksOfZeros(kernel);
  moveSumsLast(kernel);
  eraseDeadOperations(kernel);
  kernel.walk([](scf::ForOp loop) {
    loop->removeAttr(kPositionAttr);
    loop->removeAttr(kConstantAttr);
  });
  return success();
}

/// Builds the derivative that the author of a kernel states.
static FailureOr<Operation *> buildCustom(KernelOp kernel,
                                          const GradientOptions &options) {
  FailureOr<KernelOp> derivative = buildCustomDerivative(kernel, options);
  if (failed(derivative))
    return failure();
  if (!options.accumulates)
    return derivative->getOperation();
  llvm::StringSet<> gradients;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    gradients.insert(getArgumentName(kernel, i) + kGradientSuffix.str());
  FailureOr<Operation *> sums = addTemporaries(*derivative, gradients);
  if (failed(sums))
    derivative->erase();
  return sums;
}

/// Verifies that the kernel accesses no addresses: these may be of an array
/// that is differentiated, on which nothing would depend.
static LogicalResult verifyNoAddresses(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    if (!isa<ArrayAtOp, memref::ExtractAlignedPointerAsIndexOp>(op))
      return WalkResult::advance();
    return op->emitError("expected arrays that are arguments of the kernel, to "
                         "differentiate, got '")
           << op->getName() << "'";
  });
  return failure(result.wasInterrupted());
}

FailureOr<Operation *> tile::buildGradient(KernelOp kernel,
                                           const GradientOptions &options) {
  kernel.getContext()
      ->loadDialect<affine::AffineDialect, arith::ArithDialect,
                    complex::ComplexDialect, func::FuncDialect,
                    math::MathDialect, memref::MemRefDialect,
                    scf::SCFDialect>();
  if (options.accumulates && options.mode == DerivativeMode::forward)
    return kernel.emitError("expected mode=reverse with 'accumulate', which is "
                            "for gradients, got mode=forward");
  if (!options.saved.empty() && options.mode == DerivativeMode::forward)
    return kernel.emitError(
        "expected mode=reverse with 'saved', since tangents "
        "are computed with the outputs, got mode=forward");
  if (!options.saved.empty() && hasCustomDerivative(kernel))
    return kernel.emitError("expected a derivative without 'saved', since its "
                            "author states which arrays it reads, got '")
           << options.saved.front() << "'";
  if (!options.saved.empty() && options.storesOutputs)
    return kernel.emitError("expected a derivative without 'saved', since it "
                            "stores the outputs, got '")
           << options.saved.front() << "'";
  if (options.storesOutputs && hasCustomDerivative(kernel))
    return kernel.emitError("expected a derivative without 'values', since its "
                            "author states it, and it has no outputs");
  if (hasCustomDerivative(kernel))
    return buildCustom(kernel, options);
  if (failed(verifyNoAddresses(kernel)))
    return failure();
  FailureOr<ArgumentRoles> roles = findRoles(kernel, options);
  if (failed(roles))
    return failure();
  // Which loops keep values is known after a derivation only.
  SmallVector<unsigned> segmented;
  while (true) {
    GradientKernel gradient(kernel, *roles, options, segmented);
    FailureOr<Operation *> built = gradient.build();
    if (succeeded(built) || gradient.getLongLoops().empty())
      return built;
    llvm::append_range(segmented, gradient.getLongLoops());
  }
}
