// tile-fuzz - runs random programs on all machines, and compares the results
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   tile-fuzz --seed=1 --count=1000      runs the programs of seeds 1 to 1000
//   tile-fuzz --with=tile.fft,tile.lu    runs the programs of seeds 1 to 100
//                                        that contain tile.fft or tile.lu
//   tile-fuzz --seed=17 program.mlir     runs one program, with the arguments
//                                        of seed 17
//   tile-fuzz --derivatives              compares the derivatives of programs
//                                        with dual numbers (Derivatives.h)
//
// The expected values are computed in float64 (Evaluate.h). The exit status is
// 1 if a program failed, and 2 if the command is invalid. With --keep, programs
// that failed are written to files. tile-reduce can shrink such a program, with
// the last form of the command as its test.

#include "../CommandLine.h"
#include "Generate.h"
#include "Trial.h"
#include "Workers.h"

#include "tile/Analysis/Architecture.h"
#include "tile/Registration.h"

#include "mlir/IR/MLIRContext.h"
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
                   cl::desc("where to run: cpu, cpu-decomposed, the emulator "
                            "of an architecture, or evaluator, for no other "
                            "machine "
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
static cl::opt<bool>
    derivativesOption("derivatives",
                      cl::desc("compare the kernels of -tile-gradient with "
                               "dual numbers"),
                      cl::cat(category));
static cl::list<std::string> withOption(
    "with", cl::CommaSeparated,
    cl::desc("leave out programs whose text has none of these words"),
    cl::value_desc("WORD"), cl::cat(category));
static cl::opt<bool> printOption("print",
                                 cl::desc("print the programs, run nothing"),
                                 cl::cat(category));

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
  file << "// tile-fuzz " << (derivativesOption ? "--derivatives " : "")
       << "--seed=" << seed << " " << path << "\n";
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
        machine == "evaluator" || findArchitecture(machine))
      continue;
    llvm::errs() << "tile-fuzz: error: expected --on=cpu, --on=cpu-decomposed, "
                    "--on=evaluator or an architecture of the emulator, "
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
  TrialOptions options{getMachines(), levelsOption, plantOption,
                       /*repeats=*/derivativesOption,
                       /*mayExceedMachine=*/derivativesOption};
  std::string problem =
      derivativesOption
          ? DerivativeTrial(context, program, seed, options)
                .run(result.derivatives, result.counts)
          : Trial(context, program, seed, options).run(result.counts);
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
  if (result.isRight && derivativesOption) {
    DerivativeSummary summary;
    summary.add(result.derivatives);
    summary.print(llvm::outs());
  }
  return !result.isRight;
}

static std::string generate(uint64_t seed) {
  return derivativesOption ? generateDifferentiable(seed)
                           : generateProgram(seed);
}

static bool isWanted(StringRef program) {
  return withOption.empty() ||
         llvm::any_of(withOption, [&](const std::string &word) {
           return program.contains(word);
         });
}

static void printPrograms() {
  for (uint64_t n = 0; n < countOption; ++n) {
    std::string program = generate(seedOption + n);
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
        std::string program = generate(seed);
        TrialResult leftOut;
        leftOut.isRun = false;
        return isWanted(program) ? runProgram(registry, program, seed)
                                 : leftOut;
      },
      [&](uint64_t seed, const std::string &why) {
        report(generate(seed), seed, why);
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
  if (derivativesOption)
    summary.derivatives.print(llvm::outs());
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
