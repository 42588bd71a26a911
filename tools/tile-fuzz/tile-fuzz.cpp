// tile-fuzz - random tile programs, run in every way there is, and compared
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile-fuzz --seed=1 --count=1000          programs of the seeds 1 to 1000
//   tile-fuzz --seed=17 program.mlir         one program, arguments of seed 17
//
// The numbers of each program are known from an evaluation in float64
// (Evaluate.h). The exit status is 1 if a program failed; with --keep it stands
// in a file, which tile-reduce shrinks with the second form as its test.

#include "Evaluate.h"
#include "Generate.h"
#include "Launch.h"
#include "Random.h"

#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/CpuJit.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
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
                   cl::desc("where to run: cpu, sm_80, sm_90a, ... (all)"),
                   cl::cat(category));
static cl::opt<std::string>
    keepOption("keep", cl::desc("write programs that fail into this folder"),
               cl::value_desc("DIR"), cl::cat(category));
static cl::opt<bool> printOption("print",
                                 cl::desc("print the programs, run nothing"),
                                 cl::cat(category));

namespace {
/// What became of one program on one machine; empty text if all is right.
struct Verdict {
  std::string problem;
  Comparison counts;
};

/// Text of the diagnostics of a context.
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

/// One program with its arguments and what they become.
class Trial {
public:
  Trial(MLIRContext &context, StringRef text, uint64_t seed)
      : context(context), text(text), seed(seed) {}

  /// Empty if all machines agree with the evaluation.
  std::string run(ArrayRef<std::string> machines, Comparison &counts);

private:
  OwningOpRef<ModuleOp> parse() {
    return parseSourceString<ModuleOp>(
        text, ParserConfig(&context), "program");
  }
  std::string runOnCpu(Launch &launch,
                       const std::vector<ArgumentValue> &expected,
                       Comparison &counts);
  std::string compileFor(StringRef arch);

  MLIRContext &context;
  StringRef text;
  uint64_t seed;
};
} // namespace

/// An assertion or an abort of the compiler is a finding, not the end.
static std::string guard(llvm::function_ref<std::string()> run) {
  std::string problem;
  llvm::CrashRecoveryContext recovery;
  if (!recovery.RunSafely([&] { problem = run(); }))
    return "crash";
  return problem;
}

std::string Trial::runOnCpu(Launch &launch,
                            const std::vector<ArgumentValue> &expected,
                            Comparison &counts) {
  OwningOpRef<ModuleOp> module = parse();
  auto program = CpuProgram::compile(*module);
  if (!program)
    return "does not compile " + llvm::toString(program.takeError());
  std::vector<ArrayMemory> memory = launch.copyArrays();
  std::vector<void *> parameters = launch.getParameters(memory);
  if (llvm::Error error =
          (*program)->run("f", parameters.data(), launch.getGrid(), 1))
    return llvm::toString(std::move(error));
  return launch.compare(memory, expected, counts);
}

std::string Trial::compileFor(StringRef arch) {
  OwningOpRef<ModuleOp> module = parse();
  CompileOptions options;
  options.arch = arch.str();
  options.stage = CompileStage::kPTX;
  return succeeded(compile(*module, options)) ? "" : "does not compile";
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
  for (const std::string &machine : machines) {
    std::string problem = guard([&] {
      return machine == "cpu" ? runOnCpu(launch, expected, counts)
                              : compileFor(machine);
    });
    if (!problem.empty())
      return machine + ": " + problem + "\n" + diagnostics.text;
  }
  return "";
}

/// Writes a program that failed, with the reason in comments.
static void keep(StringRef program, uint64_t seed, StringRef problem) {
  if (keepOption.empty())
    return;
  std::string path =
      keepOption + "/" + std::to_string(seed) + ".mlir";
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

/// The machines of --on, all where it is not given.
static std::vector<std::string> getMachines() {
  if (machinesOption.empty())
    return {"cpu", "sm_80", "sm_90a"};
  return {machinesOption.begin(), machinesOption.end()};
}

/// True if the program does what the evaluation says.
static bool runOne(MLIRContext &context, StringRef program, uint64_t seed,
                   Comparison &counts) {
  std::string problem =
      Trial(context, program, seed).run(getMachines(), counts);
  if (problem.empty())
    return true;
  llvm::errs() << "seed " << seed << ": " << StringRef(problem).trim() << "\n";
  keep(program, seed, problem);
  return false;
}

static int runFile(MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(input);
  if (!file) {
    llvm::errs() << "tile-fuzz: error: expected to read '" << input
                 << "': " << file.getError().message() << "\n";
    return 2;
  }
  Comparison counts;
  return !runOne(context, (*file)->getBuffer(), seedOption, counts);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "random tile programs, run and compared\n");
  llvm::CrashRecoveryContext::Enable();
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  if (!input.empty())
    return runFile(context);

  auto start = std::chrono::steady_clock::now();
  auto getSeconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start)
        .count();
  };
  Comparison counts;
  uint64_t numRun = 0, numFailed = 0;
  for (uint64_t seed = seedOption; numRun < countOption; ++seed, ++numRun) {
    if (secondsOption > 0 && getSeconds() > secondsOption)
      break;
    std::string program = generateProgram(seed);
    if (printOption)
      llvm::outs() << "// seed " << seed << "\n" << program << "\n";
    else
      numFailed += !runOne(context, program, seed, counts);
  }
  if (printOption)
    return 0;
  llvm::outs() << numRun << " programs from seed " << seedOption << ", "
               << numFailed << " failed; numbers compared: " << counts.exact
               << " exactly, " << counts.bounded << " within a bound, "
               << counts.unknown << " not known; "
               << llvm::format("%.1f", numRun / getSeconds())
               << " programs a second\n";
  return numFailed != 0;
}
