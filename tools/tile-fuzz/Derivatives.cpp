// Derivatives.cpp - compares kernels of derivatives with dual numbers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Derivatives.h"

#include "Random.h"

#include "tile/Gradient/Gradient.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// Returns the error without names and numbers, at most as long as `reason`.
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

/// Names the arguments a0, a1, ..., unless they have names.
static void nameArguments(KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (!kernel.getArgAttr(i, kArgumentNameAttr))
      kernel.setArgAttr(
          i, kArgumentNameAttr,
          StringAttr::get(kernel.getContext(), "a" + std::to_string(i)));
}

static StringRef getName(KernelOp kernel, unsigned argument) {
  return cast<StringAttr>(kernel.getArgAttr(argument, kArgumentNameAttr))
      .getValue();
}

namespace {
/// An argument of a kernel of derivatives: the original one that it is or
/// belongs to, and what it holds of it.
struct DerivativeArgument {
  enum Role { original, tangent, cotangent, gradient } role;
  unsigned of;
};
} // namespace

static std::vector<DerivativeArgument> readArguments(KernelOp original,
                                                     Operation *op) {
  auto derivative = cast<KernelOp>(op);
  using Role = DerivativeArgument::Role;
  std::vector<DerivativeArgument> arguments;
  for (unsigned i = 0; i < derivative.getNumArguments(); ++i) {
    auto [name, suffix] = getName(derivative, i).split("__");
    unsigned of = 0;
    while (getName(original, of) != name)
      ++of;
    arguments.push_back({suffix == "tangent"     ? Role::tangent
                         : suffix == "cotangent" ? Role::cotangent
                         : suffix == "gradient"  ? Role::gradient
                                                 : Role::original,
                         of});
  }
  return arguments;
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

/// A kernel of derivatives in a module of its own, as the kernel `f`.
class Derivative {
public:
  Derivative(KernelOp original, Operation *derivative)
      : arguments(readArguments(original, derivative)) {
    OpBuilder builder(original.getContext());
    module = ModuleOp::create(builder, original.getLoc());
    builder.setInsertionPointToStart(module->getBody());
    kernel = cast<KernelOp>(builder.clone(*derivative));
    kernel.setSymName("f");
  }

  KernelOp getKernel() { return kernel; }
  ArrayRef<DerivativeArgument> getArguments() const { return arguments; }
  std::string print() {
    std::string text;
    llvm::raw_string_ostream os(text);
    module->print(os);
    return text;
  }

  /// Lists the arguments of the original kernel to which arguments with a role
  /// belong.
  SmallVector<unsigned> list(DerivativeArgument::Role role) const {
    SmallVector<unsigned> found;
    for (const DerivativeArgument &argument : arguments)
      if (argument.role == role)
        found.push_back(argument.of);
    return found;
  }

  /// Makes a launch from that of the original kernel. `find` returns the
  /// elements of an argument; null for those of the original argument.
  Launch makeLaunch(
      const Launch &original,
      llvm::function_ref<const Vector *(DerivativeArgument)> find) const {
    std::vector<Launch::Copy> copies;
    for (const DerivativeArgument &argument : arguments)
      copies.push_back({argument.of, find(argument)});
    return Launch(original, copies);
  }

private:
  std::vector<DerivativeArgument> arguments;
  OwningOpRef<ModuleOp> module;
  KernelOp kernel;
};
} // namespace

static std::string cannotEvaluate(StringRef what, DiagnosticText &errors,
                                  Derivative *derivative = nullptr) {
  return "expected " + what.str() + " that can be evaluated, got\n" +
         errors.text + (derivative ? derivative->print() : "");
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
    if (!isFinite(wanted[n])) {
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

std::string DerivativeTrial::runTangent(KernelOp kernel,
                                        DerivativeResult &result,
                                        Comparison &counts) {
  DiagnosticText errors(context);
  FailureOr<Operation *> built =
      buildGradient(kernel, {DerivativeMode::forward, {}, {}, false});
  if (failed(built)) {
    result.tangent = DerivativeOutcome::refused;
    return readRefusal(errors.text, result.whyNoTangent);
  }
  result.tangent = DerivativeOutcome::built;
  Derivative derivative(kernel, *built);
  (*built)->erase();

  Launch launch(kernel, seed, /*sharesMemory=*/false);
  SmallVector<unsigned> inputs, outputs;
  for (unsigned argument : derivative.list(DerivativeArgument::tangent))
    (isWritten(kernel, argument) ? outputs : inputs).push_back(argument);
  Direction direction(kernel, launch, inputs, seed);
  std::optional<Values> expected = direction.run();
  if (!expected)
    return cannotEvaluate("a program", errors);

  Launch tangentLaunch =
      derivative.makeLaunch(launch, [&](DerivativeArgument argument) {
        bool isInput = argument.role == DerivativeArgument::tangent &&
                       llvm::is_contained(inputs, argument.of);
        return isInput ? &direction.get(argument.of) : nullptr;
      });
  Values values = tangentLaunch.getValues();
  if (failed(evaluateDuals(derivative.getKernel(), values,
                           tangentLaunch.getGrid())))
    return cannotEvaluate("a tangent kernel", errors, &derivative);
  for (auto [argument, value] :
       llvm::zip_equal(derivative.getArguments(), values)) {
    if (!llvm::is_contained(outputs, argument.of))
      continue;
    std::string problem = compareTangents(
        *value.array, *(*expected)[argument.of].array, getTolerance(kernel),
        kZero * direction.getNorm(), result);
    if (!problem.empty())
      return "argument " + std::to_string(argument.of) + ": " + problem + "\n" +
             derivative.print();
  }
  std::string program = derivative.print();
  std::string problem = Trial(context, program, seed, options)
                            .run(derivative.getKernel(), tangentLaunch, counts);
  return problem.empty() ? "" : "tangents: " + problem + "\n" + program;
}

std::string DerivativeTrial::runAdjoint(KernelOp kernel,
                                        DerivativeResult &result,
                                        Comparison &counts) {
  DiagnosticText errors(context);
  FailureOr<Operation *> built =
      buildGradient(kernel, {DerivativeMode::reverse, {}, {}, false});
  result.adjoint = DerivativeOutcome::built;
  if (failed(built)) {
    result.adjoint = DerivativeOutcome::refused;
    std::string problem = readRefusal(errors.text, result.whyNoAdjoint);
    if (!problem.empty())
      return problem;
    built = buildGradient(kernel, {DerivativeMode::reverse, {}, {}, true});
    if (failed(built))
      return "";
    result.adjoint = DerivativeOutcome::atomic;
  }
  if (isa<func::FuncOp>(*built)) {
    result.adjoint = DerivativeOutcome::function;
    return "";
  }
  Derivative derivative(kernel, *built);
  (*built)->erase();

  Launch launch(kernel, seed, /*sharesMemory=*/false);
  Direction direction(kernel, launch,
                      derivative.list(DerivativeArgument::gradient), seed);
  std::optional<Values> expected = direction.run();
  if (!expected)
    return cannotEvaluate("a program", errors);
  // The weights are zero where the output has no finite derivative, and the
  // gradients are zero before the launch.
  std::map<unsigned, Vector> weights, zeros;
  for (unsigned output : derivative.list(DerivativeArgument::cotangent)) {
    Random random(mixSeed(seed, 2000 + output));
    const ArrayValue &array = *(*expected)[output].array;
    weights[output] = drawVector(array, random);
    for (auto [n, tangent] : llvm::enumerate(getTangents(array)))
      if (!array.isWritten[n] || !isFinite(tangent))
        weights[output][n] = 0;
  }
  for (unsigned input : derivative.list(DerivativeArgument::gradient))
    zeros[input].resize(direction.get(input).size());

  Launch adjointLaunch = derivative.makeLaunch(
      launch, [&](DerivativeArgument argument) -> const Vector * {
        switch (argument.role) {
        case DerivativeArgument::cotangent:
          return &weights[argument.of];
        case DerivativeArgument::gradient:
          return &zeros[argument.of];
        default:
          return nullptr;
        }
      });
  Values values = adjointLaunch.getValues();
  if (failed(evaluateDuals(derivative.getKernel(), values,
                           adjointLaunch.getGrid())))
    return cannotEvaluate("an adjoint kernel", errors, &derivative);
  bool isChanged = false;
  std::map<unsigned, Vector> gradients;
  for (auto [argument, value] :
       llvm::zip_equal(derivative.getArguments(), values))
    if (argument.role == DerivativeArgument::gradient) {
      gradients[argument.of] = getElements(*value.array);
      isChanged |=
          direction.clearWhereNotFinite(argument.of, gradients[argument.of]);
    }
  if (isChanged)
    expected = direction.run();

  InnerProduct left, right;
  Wide weightNorm = 0;
  for (const auto &[output, weight] : weights) {
    left.add(getTangents(*(*expected)[output].array), weight);
    weightNorm = std::hypot(weightNorm, getNorm(weight));
  }
  for (const auto &[input, gradient] : gradients)
    right.add(direction.get(input), gradient);
  Wide scale = std::max(left.scale, right.scale);
  result.hasInnerProduct = std::isfinite(scale) && scale > 0;
  Wide accepted =
      getTolerance(kernel) * scale + kZero * direction.getNorm() * weightNorm;
  if (result.hasInnerProduct &&
      !(std::abs(left.value - right.value) <= accepted)) {
    std::string problem;
    llvm::raw_string_ostream os(problem);
    os << llvm::format("gradients: expected <J v, w> = %.15g, got <v, J^T w> = "
                       "%.15g, error %.3g\n",
                       double(left.value), double(right.value),
                       double(std::abs(left.value - right.value) / scale));
    os << derivative.print();
    return problem;
  }
  std::string program = derivative.print();
  TrialOptions own = options;
  own.repeats &= result.adjoint != DerivativeOutcome::atomic;
  std::string problem = Trial(context, program, seed, own)
                            .run(derivative.getKernel(), adjointLaunch, counts);
  return problem.empty() ? "" : "gradients: " + problem + "\n" + program;
}

std::string DerivativeTrial::run(DerivativeResult &result, Comparison &counts) {
  DiagnosticText errors(context);
  context.loadDialect<arith::ArithDialect, complex::ComplexDialect,
                      math::MathDialect, scf::SCFDialect, func::FuncDialect,
                      memref::MemRefDialect>();
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
     << numFunctions
     << " by functions, which are not run; compared: " << numInnerProducts
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
