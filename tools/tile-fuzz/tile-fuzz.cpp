// tile-fuzz - runs random programs on all machines, and compares the results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile-fuzz --seed=1 --count=1000      runs the programs of seeds 1 to 1000
//   tile-fuzz --with=tile.fft,tile.lu    runs the programs of seeds 1 to 100
//                                        that contain tile.fft or tile.lu
//   tile-fuzz --seed=17 program.mlir     runs one program, with the arguments
//                                        of seed 17
//
// The expected values are computed in float64 (Evaluate.h). The exit status is
// 1 if a program failed, and 2 if the command is invalid. With --keep, programs
// that failed are written to files. tile-reduce can shrink such a program, with
// the last form of the command as its test.

#include "../CommandLine.h"
#include "Evaluate.h"
#include "Generate.h"
#include "Launch.h"
#include "Levels.h"
#include "Workers.h"

#include "tile/Analysis/Architecture.h"
#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"
#include "tile/Registration.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace cl = llvm::cl;

static cl::OptionCategory category("tile-fuzz options");
static cl::opt<std::string> input(cl::Positional, cl::desc("[PROGRAM.mlir]"),
                                  cl::cat(category));
static cl::opt<uint64_t> seedOption("seed", cl::desc("the first seed"),
                                    cl::init(1), cl::cat(category));
static cl::opt<uint64_t> countOption("count", cl::desc("how many programs"),
                                     cl::init(100), cl::cat(category));
static cl::opt<double>
    secondsOption("seconds", cl::desc("begin no program after this time"),
                  cl::init(0), cl::cat(category));
static cl::list<std::string>
    machinesOption("on", cl::CommaSeparated,
                   cl::desc("where to run: cpu, cpu-decomposed, or the "
                            "emulator of an architecture "
                            "(cpu,cpu-decomposed,sm_80,sm_90a)"),
                   cl::cat(category));
static cl::opt<std::string>
    keepOption("keep", cl::desc("write programs that fail into this folder"),
               cl::value_desc("DIR"), cl::cat(category));
static cl::opt<unsigned> jobsOption("jobs", cl::desc("processes at a time (2)"),
                                    cl::init(2), cl::cat(category));
static cl::opt<bool>
    plantOption("plant-error",
                cl::desc("expect one wrong number of each program: a test of "
                         "this tool"),
                cl::Hidden, cl::cat(category));
static cl::opt<bool>
    levelsOption("levels",
                 cl::desc("run each program on the emulators once more, from "
                          "its text after one of the passes"),
                 cl::cat(category));
static cl::list<std::string> withOption(
    "with", cl::CommaSeparated,
    cl::desc("leave out programs whose text has none of these words"),
    cl::value_desc("WORD"), cl::cat(category));
static cl::opt<bool> printOption("print",
                                 cl::desc("print the programs, run nothing"),
                                 cl::cat(category));

namespace {
/// Collects the diagnostics of a context as text.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext &context)
      : handler(&context, [this](Diagnostic &diagnostic) {
          llvm::raw_string_ostream os(text);
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            os << diagnostic.getLocation() << ": " << diagnostic << "\n";
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};

/// A program with its arguments, and the comparison of its results.
class Trial {
public:
  Trial(MLIRContext &context, StringRef text, uint64_t seed)
      : context(context), text(text), seed(seed) {}

  /// Returns an empty string if all machines agree with the evaluation.
  std::string run(ArrayRef<std::string> machines, Comparison &counts);

private:
  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(text, ParserConfig(&context), "program");
  }
  std::string runOn(StringRef machine, Launch &launch,
                    const std::vector<ArgumentValue> &expected,
                    Comparison &counts);
  std::string runOnCpu(ModuleOp module, HostEffort effort, Launch &launch,
                       const std::vector<ArgumentValue> &expected,
                       Comparison &counts);
  std::string runDecomposed(Launch &launch,
                            const std::vector<ArgumentValue> &expected,
                            Comparison &counts);
  std::string runOnEmulator(ModuleOp module, StringRef arch, Launch &launch,
                            const std::vector<ArgumentValue> &expected,
                            Comparison &counts);
  std::string runFromLevel(StringRef arch, Launch &launch,
                           const std::vector<ArgumentValue> &expected,
                           Comparison &counts);

  MLIRContext &context;
  StringRef text;
  uint64_t seed;
};
} // namespace

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
    std::vector<void *> parameters = launch.getParameters(memory);
    EmulatorRun run;
    run.entry = entry.symbol;
    run.grid = launch.getGrid();
    run.arrays = describeArrays(launch, memory);
    Workspaces workspaces = makeWorkspaces(kernel, facts);
    appendParameters(workspaces, parameters);
    for (std::vector<uint64_t> &words : workspaces.memory)
      run.arrays.push_back(describeBytes(words));
    run.parameters = parameters.data();
    run.seed = seed;
    run.threads = 1;
    llvm::Expected<EmulatorProfile> done = (*program)->run(run);
    if (!done)
      return entry.symbol + ": " + llvm::toString(done.takeError());
    std::string problem = launch.compare(memory, expected, counts);
    if (!problem.empty())
      return entry.symbol + ": " + problem;
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
  if (machine == "cpu")
    return runOnCpu(*parse(), HostEffort::kFull, launch, expected, counts);
  if (machine == "cpu-decomposed")
    return runDecomposed(launch, expected, counts);
  std::string problem =
      runOnEmulator(*parse(), machine, launch, expected, counts);
  if (problem.empty() && levelsOption)
    problem = runFromLevel(machine, launch, expected, counts);
  return problem;
}

std::string Trial::run(ArrayRef<std::string> machines, Comparison &counts) {
  DiagnosticText diagnostics(context);
  OwningOpRef<ModuleOp> module = parse();
  if (!module)
    return "expected a valid program, got\n" + diagnostics.text;
  auto kernel = module->lookupSymbol<KernelOp>("f");
  if (!kernel)
    return "expected a kernel called 'f'";
  Launch launch(kernel, seed);
  std::vector<ArgumentValue> expected = launch.getValues();
  if (failed(evaluate(kernel, expected, launch.getGrid())))
    return "cannot be evaluated:\n" + diagnostics.text;
  if (plantOption)
    plantError(expected);
  for (const std::string &machine : machines) {
    std::string problem = runOn(machine, launch, expected, counts);
    if (!problem.empty())
      return machine + ": " + problem + "\n" + diagnostics.text;
  }
  return "";
}

/// Writes a program that failed, with the reason in comments.
static void keep(StringRef program, uint64_t seed, StringRef problem) {
  if (keepOption.empty())
    return;
  std::string path = keepOption + "/" + std::to_string(seed) + ".mlir";
  std::error_code error = llvm::sys::fs::create_directories(keepOption);
  llvm::raw_fd_ostream file(path, error);
  if (error) {
    llvm::errs() << "tile-fuzz: error: expected to write '" << path
                 << "': " << error.message() << "\n";
    return;
  }
  file << "// tile-fuzz --seed=" << seed << " " << path << "\n";
  for (StringRef rest = problem.trim(); !rest.empty();) {
    auto [line, next] = rest.split('\n');
    file << "// " << line << "\n";
    rest = next;
  }
  file << program;
}

/// Returns the machines of --on, or all if it is not given.
static std::vector<std::string> getMachines() {
  if (machinesOption.empty())
    return {"cpu", "cpu-decomposed", "sm_80", "sm_90a"};
  return {machinesOption.begin(), machinesOption.end()};
}

/// Checks that --on names machines, and reports an error if not.
static bool checkMachines() {
  for (StringRef machine : machinesOption) {
    if (machine == "cpu" || machine == "cpu-decomposed" ||
        findArchitecture(machine))
      continue;
    llvm::errs() << "tile-fuzz: error: expected --on=cpu, --on=cpu-decomposed "
                    "or an architecture of the emulator, "
                 << listArchitectures() << ", got '" << machine << "'\n";
    return false;
  }
  return true;
}

/// Reports a failure, and keeps its program.
static void report(StringRef program, uint64_t seed, StringRef problem) {
  llvm::errs() << "seed " << seed << ": " << problem.trim() << "\n";
  keep(program, seed, problem);
}

/// Runs one program in a context of its own, as the compiler does for a user.
static TrialResult runProgram(const DialectRegistry &registry,
                              StringRef program, uint64_t seed) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  TrialResult result;
  std::string problem =
      Trial(context, program, seed).run(getMachines(), result.counts);
  result.isRight = problem.empty();
  if (!result.isRight)
    report(program, seed, problem);
  return result;
}

static int runFile(const DialectRegistry &registry) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file) {
    llvm::errs() << "tile-fuzz: error: expected to read '" << input
                 << "': " << file.getError().message() << "\n";
    return 2;
  }
  TrialResult result = runProgram(registry, (*file)->getBuffer(), seedOption);
  if (result.isRight)
    llvm::outs() << "right: " << result.counts.exact << " numbers exactly, "
                 << result.counts.bounded << " within a bound, "
                 << result.counts.unknown << " not known\n";
  return !result.isRight;
}

static bool isWanted(StringRef program) {
  return withOption.empty() ||
         llvm::any_of(withOption, [&](const std::string &word) {
           return program.contains(word);
         });
}

static void printPrograms() {
  for (uint64_t n = 0; n < countOption; ++n) {
    std::string program = generateProgram(seedOption + n);
    if (isWanted(program))
      llvm::outs() << "// seed " << seedOption + n << "\n" << program << "\n";
  }
}

static int runSeeds(const DialectRegistry &registry) {
  WorkerOptions options;
  options.firstSeed = seedOption;
  options.count = countOption;
  options.seconds = secondsOption;
  options.jobs = std::max(1u, jobsOption.getValue());
  auto start = std::chrono::steady_clock::now();
  Summary summary = runTrials(
      options,
      [&](uint64_t seed) {
        std::string program = generateProgram(seed);
        TrialResult leftOut;
        leftOut.isRun = false;
        return isWanted(program) ? runProgram(registry, program, seed)
                                 : leftOut;
      },
      [&](uint64_t seed, const std::string &why) {
        report(generateProgram(seed), seed, why);
      });
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - start;
  llvm::outs() << summary.numRun << " programs from seed " << seedOption << ", "
               << summary.numFailed
               << " failed; numbers compared: " << summary.counts.exact
               << " exactly, " << summary.counts.bounded << " within a bound, "
               << summary.counts.unknown << " not known; "
               << llvm::format("%.1f", summary.numRun / passed.count())
               << " programs a second\n";
  return summary.numFailed != 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  nameTool("tile-fuzz");
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "random tile programs, run and compared\n");
  // Workers add more than one to a seed, also to the last one; this must not
  // overflow.
  constexpr uint64_t kEnd = uint64_t(1) << 63;
  if (input.empty() &&
      (countOption > kEnd || seedOption > kEnd - countOption)) {
    llvm::errs() << "tile-fuzz: error: expected seeds below 2^63, got --seed="
                 << seedOption << " and --count=" << countOption << "\n";
    return 2;
  }
  if (!checkMachines())
    return 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  if (!input.empty())
    return runFile(registry);
  if (printOption) {
    printPrograms();
    return 0;
  }
  return runSeeds(registry);
}
