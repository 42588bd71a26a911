// Trial.cpp - runs one program on all machines, and compares the results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Trial.h"

#include "Levels.h"

#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"
#include "tile/Registration.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

DiagnosticText::DiagnosticText(MLIRContext &context)
    : handler(&context, [this](Diagnostic &diagnostic) {
        llvm::raw_string_ostream os(text);
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
          os << diagnostic.getLocation() << ": " << diagnostic << "\n";
        return success();
      }) {}

OwningOpRef<ModuleOp> Trial::parse() {
  return parseSourceString<ModuleOp>(text, ParserConfig(&context), "program");
}

/// A kernel's workspaces, and their addresses for a launch.
struct Workspaces {
  std::vector<std::vector<uint64_t>> memory;
  std::vector<void *> addresses;
};

/// Allocates the workspaces of a kernel.
/// @pre The kernel expects workspaces that are zero, as for ordered updates.
static Workspaces
makeWorkspaces(const runtime::KernelMetadata &kernel,
               const std::vector<runtime::ArgumentFacts> &facts) {
  Workspaces workspaces;
  for (const runtime::HiddenArgument &hidden : kernel.hiddenArguments) {
    assert(hidden.zero && "a workspace of anything");
    int64_t bytes = *runtime::evaluate(hidden.bytes, facts);
    workspaces.memory.emplace_back(llvm::divideCeil(bytes, sizeof(uint64_t)));
  }
  for (std::vector<uint64_t> &memory : workspaces.memory)
    workspaces.addresses.push_back(memory.data());
  return workspaces;
}

/// Appends the addresses of the workspaces to the parameters of a launch.
static void appendParameters(Workspaces &workspaces,
                             std::vector<void *> &parameters) {
  for (void *&address : workspaces.addresses)
    parameters.push_back(&address);
}

std::string Trial::runOnCpu(ModuleOp module, HostEffort effort, Launch &launch,
                            const std::vector<ArgumentValue> &expected,
                            Comparison &counts) {
  auto program = CpuProgram::compile(module, effort);
  if (!program)
    return "does not compile " + llvm::toString(program.takeError());
  std::vector<ArrayMemory> memory = launch.copyArrays();
  std::vector<void *> parameters = launch.getParameters(memory);
  Workspaces workspaces = makeWorkspaces(
      (*program)->getMetadata().kernels.front(), launch.getFacts(memory));
  appendParameters(workspaces, parameters);
  if (llvm::Error error =
          (*program)->run("f", parameters.data(), launch.getGrid(), 1))
    return llvm::toString(std::move(error));
  return launch.compare(memory, expected, counts);
}

/// Runs the program without composite operations, if it has any.
std::string Trial::runDecomposed(Launch &launch,
                                 const std::vector<ArgumentValue> &expected,
                                 Comparison &counts) {
  OwningOpRef<ModuleOp> module = parse();
  FailureOr<bool> isDecomposed = decomposeProgram(*module);
  if (failed(isDecomposed))
    return "cannot be decomposed";
  if (!*isDecomposed)
    return "";
  return runOnCpu(*module, HostEffort::kLittle, launch, expected, counts);
}

/// Describes the memory that a kernel may access on the emulator: each array,
/// without its guards.
static std::vector<EmulatorArray>
describeArrays(const Launch &launch, std::vector<ArrayMemory> &memory) {
  std::vector<EmulatorArray> arrays;
  for (auto [index, array] : llvm::enumerate(memory)) {
    EmulatorArray description;
    description.elementBytes = getElementBytes(array.type.getElementType());
    description.first = launch.getFirst(memory, index) -
                        array.getLow() * description.elementBytes;
    description.size = array.getSpan() * description.elementBytes;
    description.extents = array.sizes;
    for (int64_t stride : array.strides)
      description.strides.push_back(std::abs(stride) *
                                    description.elementBytes);
    arrays.push_back(std::move(description));
  }
  return arrays;
}

static EmulatorArray describeBytes(std::vector<uint64_t> &words) {
  EmulatorArray array;
  array.first = words.data();
  array.size = words.size() * sizeof(uint64_t);
  return array;
}

/// Runs an entry point, and returns the arrays after the run.
static llvm::Expected<std::vector<ArrayMemory>>
runEntry(EmulatorProgram &program, const runtime::KernelMetadata &kernel,
         StringRef entry, Launch &launch, uint64_t seed) {
  std::vector<ArrayMemory> memory = launch.copyArrays();
  std::vector<void *> parameters = launch.getParameters(memory);
  EmulatorRun run;
  run.entry = entry.str();
  run.grid = launch.getGrid();
  run.arrays = describeArrays(launch, memory);
  Workspaces workspaces = makeWorkspaces(kernel, launch.getFacts(memory));
  appendParameters(workspaces, parameters);
  for (std::vector<uint64_t> &words : workspaces.memory)
    run.arrays.push_back(describeBytes(words));
  run.parameters = parameters.data();
  run.seed = seed;
  run.threads = 1;
  llvm::Expected<EmulatorProfile> done = program.run(run);
  if (!done)
    return done.takeError();
  return memory;
}

static bool haveSameBytes(ArrayRef<ArrayMemory> a, ArrayRef<ArrayMemory> b) {
  return llvm::all_of(llvm::zip_equal(a, b), [](auto pair) {
    auto &[first, second] = pair;
    size_t bytes =
        first.getSpan() * getElementBytes(first.type.getElementType());
    return std::equal(first.bytes.begin() + first.begin,
                      first.bytes.begin() + first.begin + bytes,
                      second.bytes.begin() + second.begin);
  });
}

/// Runs each entry point that the arguments allow, under a schedule that
/// depends on the seed.
std::string Trial::runOnEmulator(ModuleOp module, StringRef arch,
                                 Launch &launch,
                                 const std::vector<ArgumentValue> &expected,
                                 Comparison &counts) {
  auto program = EmulatorProgram::compile(module, arch);
  if (!program)
    return "does not compile " + llvm::toString(program.takeError());
  const runtime::KernelMetadata &kernel =
      (*program)->getMetadata().kernels.front();
  for (const runtime::EntryPoint &entry : kernel.entries) {
    std::vector<ArrayMemory> memory = launch.copyArrays();
    std::vector<runtime::ArgumentFacts> facts = launch.getFacts(memory);
    if (!llvm::all_of(entry.predicates, [&](const runtime::Predicate &p) {
          return runtime::holds(p, facts);
        }))
      continue;
    auto run = [&](uint64_t schedule) {
      return runEntry(**program, kernel, entry.symbol, launch, schedule);
    };
    llvm::Expected<std::vector<ArrayMemory>> done = run(seed);
    if (!done)
      return entry.symbol + ": " + llvm::toString(done.takeError());
    std::string problem = launch.compare(*done, expected, counts);
    if (!problem.empty())
      return entry.symbol + ": " + problem;
    if (!options.repeats)
      continue;
    llvm::Expected<std::vector<ArrayMemory>> again = run(seed + 1);
    if (!again)
      return entry.symbol + ": " + llvm::toString(again.takeError());
    if (!haveSameBytes(*done, *again))
      return entry.symbol + ": expected the same bits from two runs";
  }
  return "";
}

std::string Trial::runFromLevel(StringRef arch, Launch &launch,
                                const std::vector<ArgumentValue> &expected,
                                Comparison &counts) {
  Resumed resumed = resumeFromText(parse(), arch, seed);
  std::string problem = resumed.module ? runOnEmulator(*resumed.module, arch,
                                                       launch, expected, counts)
                                       : "does not compile";
  return problem.empty()
             ? ""
             : "from the text after " + resumed.pass + ": " + problem;
}

/// Changes the first expected value that is known by slightly more than its
/// error, and removes its alternative values.
static void plantError(std::vector<ArgumentValue> &expected) {
  for (ArgumentValue &argument : expected) {
    if (!argument.array)
      continue;
    ArrayValue &array = *argument.array;
    for (size_t distance = 0; distance < array.elements.size(); ++distance) {
      Element &element = array.elements[distance];
      if (!array.isWritten[distance] || element.isUnknown() ||
          std::isnan(element.value))
        continue;
      array.others.erase(distance);
      element.integer ^= 1;
      element.value +=
          3 * element.error + 0x1p-20 * std::fabs(element.value) + 0x1p-20;
      return;
    }
  }
}

std::string Trial::runOn(StringRef machine, Launch &launch,
                         const std::vector<ArgumentValue> &expected,
                         Comparison &counts) {
  if (machine == "evaluator")
    return "";
  if (machine == "cpu")
    return runOnCpu(*parse(), HostEffort::kFull, launch, expected, counts);
  if (machine == "cpu-decomposed")
    return runDecomposed(launch, expected, counts);
  std::string problem =
      runOnEmulator(*parse(), machine, launch, expected, counts);
  if (problem.empty() && options.hasLevels)
    problem = runFromLevel(machine, launch, expected, counts);
  return problem;
}

std::string Trial::run(Comparison &counts) {
  DiagnosticText diagnostics(context);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return "expected a valid program, got\n" + diagnostics.text;
  auto kernel = module->lookupSymbol<KernelOp>("f");
  if (!kernel)
    return "expected a kernel called 'f'";
  Launch launch(kernel, seed);
  return run(kernel, launch, counts);
}

/// Whether errors are that a program needs more shared memory, or more
/// instructions, than an architecture has.
static bool exceedsMachine(StringRef error) {
  return error.contains(" bytes of shared memory on sm_") ||
         error.contains(" instructions a thread at most");
}

std::string Trial::run(KernelOp kernel, Launch &launch, Comparison &counts) {
  DiagnosticText diagnostics(context);
  if (!parse())
    return "expected a program that survives printing, got\n" +
           diagnostics.text;
  std::vector<ArgumentValue> expected = launch.getValues();
  if (failed(evaluate(kernel, expected, launch.getGrid())))
    return "cannot be evaluated:\n" + diagnostics.text;
  if (options.plantsError)
    plantError(expected);
  for (const std::string &machine : options.machines) {
    size_t before = diagnostics.text.size();
    std::string problem = runOn(machine, launch, expected, counts);
    StringRef errors = StringRef(diagnostics.text).drop_front(before);
    if (options.mayExceedMachine && exceedsMachine(errors))
      continue;
    if (!problem.empty())
      return machine + ": " + problem + "\n" + diagnostics.text;
  }
  return "";
}
