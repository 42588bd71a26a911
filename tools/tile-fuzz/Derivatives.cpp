// Derivatives.cpp - compares kernels of derivatives with dual numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Derivatives.h"

#include "Random.h"

#include "tile/Gradient/Gradient.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

using Values = std::vector<ArgumentValue>;

//===----------------------------------------------------------------------===//
// Kernels of derivatives
//===----------------------------------------------------------------------===//

/// Returns the error without names and digits, at most as long as `reason`.
static void normalize(StringRef error, std::array<char, 160> &reason) {
  std::string text;
  bool isQuoted = false;
  for (char c : error) {
    if (c == '\'')
      isQuoted = !isQuoted;
    if (!isQuoted && !(llvm::isDigit(c) && StringRef(text).ends_with("#")))
      text += llvm::isDigit(c) ? '#' : c;
  }
  text.resize(std::min(text.size(), reason.size() - 1));
  llvm::copy(text, reason.begin());
}

/// Checks that errors are at a line of the program, and records the first one.
static std::string readRefusal(StringRef errors,
                               std::array<char, 160> &reason) {
  StringRef first = errors.split('\n').first;
  if (!first.consume_front("loc(\"program\":"))
    return "expected a refusal at a line of the program, got '" + first.str() +
           "'";
  normalize(first.split("): ").second, reason);
  return "";
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

/// Names the arguments a0, a1, ..., unless they have names.
static void nameArguments(KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (!kernel.getArgAttr(i, kArgumentNameAttr))
      kernel.setArgAttr(
          i, kArgumentNameAttr,
          StringAttr::get(kernel.getContext(), "a" + std::to_string(i)));
}

static StringRef getName(FunctionOpInterface function, unsigned argument) {
  return cast<StringAttr>(function.getArgAttr(argument, kArgumentNameAttr))
      .getValue();
}

namespace {
/// An argument of a kernel of derivatives, or of a function: the original one
/// that it is or belongs to, and its role; or an extent of the grid.
struct DerivativeArgument {
  enum Role { original, tangent, cotangent, gradient, extent } role;
  unsigned of;
};
} // namespace

static DerivativeArgument readArgument(KernelOp original, StringRef text) {
  using Role = DerivativeArgument::Role;
  if (text.consume_front("grid_"))
    return {Role::extent, static_cast<unsigned>(text.front() - 'x')};
  auto [name, suffix] = text.split("__");
  unsigned of = 0;
  while (getName(original, of) != name)
    ++of;
  return {suffix == "tangent"     ? Role::tangent
          : suffix == "cotangent" ? Role::cotangent
          : suffix == "gradient"  ? Role::gradient
                                  : Role::original,
          of};
}

/// Whether a kernel stores to an array.
static bool isWritten(KernelOp kernel, unsigned argument) {
  return llvm::any_of(kernel.getArgument(argument).getUsers(),
                      [](Operation *op) { return isa<StoreOp>(op); });
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

static bool isFinite(WideComplex x) {
  return std::isfinite(x.real()) && std::isfinite(x.imag());
}

/// Draws a value that the type can represent.
static WideComplex draw(Type type, Random &random) {
  Type part = getPartType(type);
  auto drawPart = [&] { return Wide(roundTo(random.normal(), part)); };
  Wide re = drawPart();
  return part == type ? WideComplex(re) : WideComplex(re, drawPart());
}

using Vector = std::vector<WideComplex>;

/// Draws a value for each element of an array.
static Vector drawVector(const ArrayValue &array, Random &random) {
  Vector vector;
  for (size_t n = 0; n < array.elements.size(); ++n)
    vector.push_back(draw(array.element, random));
  return vector;
}

static Vector getTangents(const ArrayValue &array) {
  Vector vector;
  for (const Element &element : array.elements)
    vector.push_back(element.dual.tangent);
  return vector;
}

static Vector getElements(const ArrayValue &array) {
  Vector vector;
  for (const Element &element : array.elements)
    vector.push_back(element.dual.value);
  return vector;
}

/// Derivatives below this share of the norms of their factors are zero: they
/// are what rounding leaves of terms that cancel.
static constexpr Wide kZero = 1e-16L;

static Wide getNorm(ArrayRef<WideComplex> vector) {
  Wide norm = 0;
  for (WideComplex element : vector)
    norm = std::hypot(norm, std::abs(element));
  return norm;
}

/// An inner product of vectors of pairs, and the sum of the absolute values of
/// its terms.
struct InnerProduct {
  Wide value = 0, scale = 0;

  void add(ArrayRef<WideComplex> a, ArrayRef<WideComplex> b) {
    for (auto [x, y] : llvm::zip_equal(a, b)) {
      // The result of an element without weight may be anything.
      if (x == WideComplex(0) || y == WideComplex(0))
        continue;
      Wide term = (std::conj(x) * y).real();
      value += term;
      scale += std::abs(term);
    }
  }
};

/// Returns the accepted error of derivatives relative to their norm. Values are
/// not rounded here, but the constants of a rule are rounded to its type.
static Wide getTolerance(KernelOp kernel) {
  Wide tolerance = 1e-12L;
  auto add = [&](Type type) {
    Type part = getPartType(getElementTypeOrSelf(type));
    if (part.isF32())
      tolerance = std::max(tolerance, 1e-5L);
    else if (isa<FloatType>(part) && !part.isF64())
      tolerance = std::max(tolerance, 0.05L);
  };
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      add(type);
  });
  return tolerance;
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

namespace {
/// The kernel on dual numbers in a direction.
class Direction {
public:
  /// Draws a direction for each of `inputs`.
  Direction(KernelOp kernel, const Launch &launch, ArrayRef<unsigned> inputs,
            uint64_t seed)
      : kernel(kernel), launch(launch) {
    Values values = launch.getValues();
    for (unsigned input : inputs) {
      Random random(mixSeed(seed, 1000 + input));
      directions[input] = drawVector(*values[input].array, random);
    }
  }

  const Vector &get(unsigned input) const { return directions.at(input); }
  Wide getNorm() const {
    Wide norm = 0;
    for (const auto &[input, direction] : directions)
      norm = std::hypot(norm, ::getNorm(direction));
    return norm;
  }

  /// Makes the direction zero at elements for which `vector` is not finite.
  /// Returns whether there are any.
  bool clearWhereNotFinite(unsigned input, const Vector &vector) {
    bool isChanged = false;
    for (auto [own, other] : llvm::zip_equal(directions[input], vector))
      if (!isFinite(other)) {
        own = 0;
        isChanged = true;
      }
    return isChanged;
  }

  /// Returns the arguments after the kernel has run; nothing if an operation
  /// cannot be evaluated.
  std::optional<Values> run() const {
    Values values = launch.getValues();
    for (const auto &[input, direction] : directions)
      for (auto [element, tangent] :
           llvm::zip_equal(values[input].array->elements, direction))
        element.dual.tangent = tangent;
    if (failed(evaluateDuals(kernel, values, launch.getGrid())))
      return std::nullopt;
    return values;
  }

private:
  KernelOp kernel;
  const Launch &launch;
  std::map<unsigned, Vector> directions;
};

/// The derivatives of a kernel, in a module of their own: a kernel, or a
/// function that launches kernels.
class Derivative {
public:
  /// Builds the derivatives of a kernel that is the only one of its module;
  /// nothing, after an error, if they are refused.
  static std::optional<Derivative> build(KernelOp original,
                                         const GradientOptions &options) {
    FailureOr<Operation *> built = buildGradient(original, options);
    if (failed(built))
      return std::nullopt;
    return Derivative(original, *built);
  }

  bool isFunction() const { return isa<func::FuncOp>(root); }
  std::string getText() { return print(*module); }

  /// Lists the arguments of the original kernel to which arguments with a role
  /// belong.
  SmallVector<unsigned> list(DerivativeArgument::Role role) const {
    SmallVector<unsigned> found;
    for (const DerivativeArgument &argument : arguments)
      if (argument.role == role)
        found.push_back(argument.of);
    return found;
  }

  /// Runs the derivatives without rounding. `find` returns the elements of an
  /// argument; null for those of the original argument. Returns whether all
  /// operations can be evaluated.
  bool run(const Launch &original,
           llvm::function_ref<const Vector *(DerivativeArgument)> find);

  /// Returns the array of an argument after the run.
  const ArrayValue &get(DerivativeArgument::Role role, unsigned of) const {
    auto isWanted = [&](const DerivativeArgument &argument) {
      return argument.role == role && argument.of == of;
    };
    return *values[llvm::find_if(arguments, isWanted) - arguments.begin()]
                .array;
  }

  /// Runs the launches of the last run on all machines, and returns why one of
  /// them is wrong, or an empty string.
  std::string runOnMachines(uint64_t seed, const TrialOptions &options,
                            Comparison &counts);

private:
  Derivative(KernelOp original, Operation *built) : root(built) {
    auto function = cast<FunctionOpInterface>(built);
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      arguments.push_back(readArgument(original, getName(function, i)));
    OpBuilder builder(original.getContext());
    module = ModuleOp::create(builder, original.getLoc());
    Block &from = *original->getBlock();
    for (Operation &op : llvm::make_early_inc_range(from))
      if (&op != original)
        op.moveBefore(module->getBody(), module->getBody()->end());
  }

  Operation *root;
  std::vector<DerivativeArgument> arguments;
  OwningOpRef<ModuleOp> module;
  Values values;
  std::vector<std::pair<KernelOp, Launch>> launches;
};
} // namespace

bool Derivative::run(
    const Launch &original,
    llvm::function_ref<const Vector *(DerivativeArgument)> find) {
  Values all = original.getValues();
  values.clear();
  launches.clear();
  for (const DerivativeArgument &argument : arguments) {
    ArgumentValue value;
    if (argument.role == DerivativeArgument::extent)
      value.scalar = Element::ofInteger(original.getGrid()[argument.of]);
    else
      value = all[argument.of];
    if (const Vector *elements = find(argument))
      for (auto [element, number] :
           llvm::zip_equal(value.array->elements, *elements))
        element = Element::ofDual(ComplexDual(number));
    values.push_back(std::move(value));
  }
  auto record = [&](KernelOp kernel, const Values &arguments,
                    const std::array<int64_t, 3> &grid) {
    // A launcher does nothing for an empty grid.
    if (!llvm::is_contained(grid, 0))
      launches.emplace_back(kernel, Launch(kernel, arguments, grid));
  };
  if (auto function = dyn_cast<func::FuncOp>(root))
    return succeeded(evaluateFunction(function, values, record));
  record(cast<KernelOp>(root), values, original.getGrid());
  return succeeded(
      evaluateDuals(cast<KernelOp>(root), values, original.getGrid()));
}

std::string Derivative::runOnMachines(uint64_t seed,
                                      const TrialOptions &options,
                                      Comparison &counts) {
  for (auto &[kernel, launch] : launches) {
    OpBuilder builder(kernel.getContext());
    OwningOpRef<ModuleOp> alone = ModuleOp::create(builder, kernel.getLoc());
    builder.setInsertionPointToStart(alone->getBody());
    auto copy = cast<KernelOp>(builder.clone(*kernel));
    copy.setSymName("f");
    std::string program = print(*alone);
    std::string problem = Trial(*kernel.getContext(), program, seed, options)
                              .run(copy, launch, counts);
    if (!problem.empty())
      return problem + "\n" + program;
  }
  return "";
}

static std::string cannotEvaluate(StringRef what, DiagnosticText &errors,
                                  Derivative *derivative = nullptr) {
  return "expected " + what.str() + " that can be evaluated, got\n" +
         errors.text + (derivative ? derivative->getText() : "");
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// Compares the tangents of an output, which the tangent kernel has written,
/// with those of dual numbers; returns the difference if there is one. `zero`
/// is an error that is accepted, besides one relative to the norm.
static std::string compareTangents(const ArrayValue &found,
                                   const ArrayValue &expected, Wide tolerance,
                                   Wide zero, DerivativeResult &result) {
  if (found.isWritten != expected.isWritten)
    return "expected tangents at the elements that the kernel writes";
  Vector values = getElements(found), wanted = getTangents(expected);
  Wide error = 0, norm = 0;
  std::string worst;
  Wide most = 0;
  for (size_t n = 0; n < values.size(); ++n) {
    if (!expected.isWritten[n])
      continue;
    if (!isFinite(wanted[n]) || found.elements[n].isUnknown()) {
      ++result.numNotFinite;
      continue;
    }
    ++result.numCompared;
    result.numNonzero += wanted[n] != WideComplex(0);
    Wide difference = std::abs(values[n] - wanted[n]);
    error = std::hypot(error, difference);
    norm = std::hypot(norm, std::abs(wanted[n]));
    if (difference > most || std::isnan(difference)) {
      most = difference;
      llvm::raw_string_ostream os(worst = "");
      auto print = [&](WideComplex x) {
        os << llvm::format("%.12g%+.12gi", double(x.real()), double(x.imag()));
      };
      os << "the tangent at distance " << n << ": expected ";
      print(wanted[n]);
      os << ", got ";
      print(values[n]);
    }
  }
  if (error <= tolerance * norm + zero)
    return "";
  llvm::raw_string_ostream os(worst);
  os << llvm::format("; error %.3g of a norm of %.3g", double(error),
                     double(norm));
  return worst;
}

/// Draws weights of the elements of an output that are written and have finite
/// derivatives; the others are zero.
static Vector drawWeights(const ArrayValue &output, uint64_t seed) {
  Random random(seed);
  Vector weights = drawVector(output, random);
  for (auto [n, tangent] : llvm::enumerate(getTangents(output)))
    if (!output.isWritten[n] || !isFinite(tangent))
      weights[n] = 0;
  return weights;
}

/// Compares <J v, w> with <v, J^T w>; returns the difference if there is one.
static std::string compareProducts(const Direction &direction,
                                   const Values &expected,
                                   const std::map<unsigned, Vector> &weights,
                                   const std::map<unsigned, Vector> &gradients,
                                   Wide tolerance, DerivativeResult &result) {
  InnerProduct left, right;
  Wide norm = 0;
  for (const auto &[output, weight] : weights) {
    left.add(getTangents(*expected[output].array), weight);
    norm = std::hypot(norm, getNorm(weight));
  }
  for (const auto &[input, gradient] : gradients)
    right.add(direction.get(input), gradient);
  Wide scale = std::max(left.scale, right.scale);
  Wide error = std::abs(left.value - right.value);
  result.hasInnerProduct = std::isfinite(scale) && scale > 0;
  if (!result.hasInnerProduct ||
      error <= tolerance * scale + kZero * direction.getNorm() * norm)
    return "";
  std::string problem;
  llvm::raw_string_ostream os(problem);
  os << llvm::format("gradients: expected <J v, w> = %.15g, got <v, J^T w> = "
                     "%.15g, error %.3g\n",
                     double(left.value), double(right.value),
                     double(error / scale));
  return problem;
}

std::string DerivativeTrial::runTangent(KernelOp kernel,
                                        DerivativeResult &result,
                                        Comparison &counts) {
  DiagnosticText errors(context);
  std::optional<Derivative> derivative =
      Derivative::build(kernel, {DerivativeMode::forward, {}, {}, false});
  if (!derivative) {
    result.tangent = DerivativeOutcome::refused;
    return readRefusal(errors.text, result.whyNoTangent);
  }
  result.tangent = DerivativeOutcome::built;
  SmallVector<unsigned> inputs, outputs;
  for (unsigned argument : derivative->list(DerivativeArgument::tangent))
    (isWritten(kernel, argument) ? outputs : inputs).push_back(argument);
  Launch launch(kernel, seed, /*sharesMemory=*/false);
  Direction direction(kernel, launch, inputs, seed);
  std::optional<Values> expected = direction.run();
  if (!expected)
    return cannotEvaluate("a program", errors);
  auto find = [&](DerivativeArgument argument) {
    bool isInput = argument.role == DerivativeArgument::tangent &&
                   llvm::is_contained(inputs, argument.of);
    return isInput ? &direction.get(argument.of) : nullptr;
  };
  if (!derivative->run(launch, find))
    return cannotEvaluate("a tangent kernel", errors, &*derivative);
  for (unsigned output : outputs) {
    std::string problem =
        compareTangents(derivative->get(DerivativeArgument::tangent, output),
                        *(*expected)[output].array, getTolerance(kernel),
                        kZero * direction.getNorm(), result);
    if (!problem.empty())
      return "argument " + std::to_string(output) + ": " + problem + "\n" +
             derivative->getText();
  }
  std::string problem = derivative->runOnMachines(seed, options, counts);
  return problem.empty() ? "" : "tangents: " + problem;
}

/// Builds the adjoint of a kernel: without atomic operations, else with them.
/// Nothing if it is refused; `problem` is set if that is not at a line of the
/// program.
static std::optional<Derivative> buildAdjoint(KernelOp kernel,
                                              DiagnosticText &errors,
                                              DerivativeResult &result,
                                              std::string &problem) {
  std::optional<Derivative> derivative =
      Derivative::build(kernel, {DerivativeMode::reverse, {}, {}, false});
  if (derivative) {
    result.adjoint = derivative->isFunction() ? DerivativeOutcome::function
                                              : DerivativeOutcome::built;
    return derivative;
  }
  result.adjoint = DerivativeOutcome::refused;
  problem = readRefusal(errors.text, result.whyNoAdjoint);
  derivative =
      Derivative::build(kernel, {DerivativeMode::reverse, {}, {}, true});
  if (derivative)
    result.adjoint = DerivativeOutcome::atomic;
  return derivative;
}

std::string DerivativeTrial::runAdjoint(KernelOp kernel,
                                        DerivativeResult &result,
                                        Comparison &counts) {
  DiagnosticText errors(context);
  std::string problem;
  std::optional<Derivative> derivative =
      buildAdjoint(kernel, errors, result, problem);
  if (!derivative || !problem.empty())
    return problem;
  SmallVector<unsigned> inputs = derivative->list(DerivativeArgument::gradient);
  Launch launch(kernel, seed, /*sharesMemory=*/false);
  Direction direction(kernel, launch, inputs, seed);
  std::optional<Values> expected = direction.run();
  if (!expected)
    return cannotEvaluate("a program", errors);
  // The weights are zero where the output has no finite derivative, and the
  // gradients are zero before the launch.
  std::map<unsigned, Vector> weights, zeros;
  for (unsigned output : derivative->list(DerivativeArgument::cotangent))
    weights[output] =
        drawWeights(*(*expected)[output].array, mixSeed(seed, 2000 + output));
  for (unsigned input : inputs)
    zeros[input].resize(direction.get(input).size());
  auto find = [&](DerivativeArgument argument) -> const Vector * {
    return argument.role == DerivativeArgument::cotangent
               ? &weights[argument.of]
           : argument.role == DerivativeArgument::gradient ? &zeros[argument.of]
                                                           : nullptr;
  };
  if (!derivative->run(launch, find))
    return cannotEvaluate("an adjoint kernel", errors, &*derivative);
  std::map<unsigned, Vector> gradients;
  bool isChanged = false;
  for (unsigned input : inputs) {
    gradients[input] =
        getElements(derivative->get(DerivativeArgument::gradient, input));
    isChanged |= direction.clearWhereNotFinite(input, gradients[input]);
  }
  if (isChanged)
    expected = direction.run();
  problem = compareProducts(direction, *expected, weights, gradients,
                            getTolerance(kernel), result);
  if (!problem.empty())
    return problem + derivative->getText();
  TrialOptions own = options;
  own.repeats &= result.adjoint != DerivativeOutcome::atomic;
  problem = derivative->runOnMachines(seed, own, counts);
  return problem.empty() ? "" : "gradients: " + problem;
}

std::string DerivativeTrial::run(DerivativeResult &result, Comparison &counts) {
  DiagnosticText errors(context);
  context
      .loadDialect<affine::AffineDialect, arith::ArithDialect,
                   complex::ComplexDialect, math::MathDialect, scf::SCFDialect,
                   func::FuncDialect, memref::MemRefDialect>();
  OwningOpRef<ModuleOp> module = Trial(context, text, seed, options).parse();
  if (!module)
    return "expected a valid program, got\n" + errors.text;
  PassManager passes(&context);
  if (failed(parsePassPipeline("tile-canonical-form", passes)) ||
      failed(passes.run(*module)))
    return "expected a canonical form, got\n" + errors.text;
  auto kernel = module->lookupSymbol<KernelOp>("f");
  if (!kernel)
    return "expected a kernel called 'f'";
  nameArguments(kernel);
  std::string problem = runTangent(kernel, result, counts);
  return problem.empty() ? runAdjoint(kernel, result, counts) : problem;
}

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

void DerivativeSummary::add(const DerivativeResult &result) {
  if (result.tangent == DerivativeOutcome::none)
    return;
  ++numRun;
  numTangents += result.tangent == DerivativeOutcome::built;
  numAdjoints += result.adjoint == DerivativeOutcome::built;
  numAtomic += result.adjoint == DerivativeOutcome::atomic;
  numFunctions += result.adjoint == DerivativeOutcome::function;
  numInnerProducts += result.hasInnerProduct;
  numCompared += result.numCompared;
  numNonzero += result.numNonzero;
  numNotFinite += result.numNotFinite;
  if (result.whyNoTangent.front())
    ++whyNoTangent[result.whyNoTangent.data()];
  if (result.whyNoAdjoint.front())
    ++whyNoAdjoint[result.whyNoAdjoint.data()];
}

void DerivativeSummary::print(llvm::raw_ostream &os) const {
  os << "tangents of " << numTangents << " programs, gradients of "
     << numAdjoints << ", of " << numAtomic << " more by atomic operations, of "
     << numFunctions << " by functions; compared: " << numInnerProducts
     << " inner products, " << numCompared << " tangents, of which "
     << numNonzero << " are not zero, " << numNotFinite << " not finite\n";
  auto printReasons = [&](StringRef what,
                          const std::map<std::string, uint64_t> &reasons) {
    for (const auto &[reason, count] : reasons)
      os << "no " << what << " of " << count << " ("
         << llvm::format("%.1f", 100.0 * count / numRun) << " %): " << reason
         << "\n";
  };
  printReasons("tangents", whyNoTangent);
  printReasons("gradients", whyNoAdjoint);
}
