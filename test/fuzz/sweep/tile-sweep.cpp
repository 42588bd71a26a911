// tile-sweep - runs the compiler on many small inputs, each in its own process
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// test/fuzz/Inputs/sweep.py runs it on many programs.

#include "Sweep.h"

#include "tile/Registration.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tile::fuzz;
namespace cl = llvm::cl;

//===----------------------------------------------------------------------===//
// Sweep
//===----------------------------------------------------------------------===//

Sweep::Sweep(std::string keep, Limits limits)
    : keep(std::move(keep)), limits(limits) {
  tile::registerAllDialects(dialects);
}

/// Returns the line that identifies a failure: the assertion, LLVM's error, or
/// the last line.
static llvm::StringRef getReason(llvm::StringRef messages) {
  llvm::StringRef last;
  for (llvm::StringRef line : llvm::split(messages, '\n')) {
    if (line.contains("Assertion") || line.contains("LLVM ERROR"))
      return line;
    if (!line.trim().empty())
      last = line;
  }
  return last;
}

Outcome Sweep::run(llvm::StringRef name, llvm::StringRef command,
                   llvm::StringRef input,
                   llvm::function_ref<bool(llvm::raw_ostream &)> work) {
  Outcome outcome = runIsolated(work, limits);
  ++endings[outcome.ending];
  slowest = std::max(slowest, outcome.seconds);
  if (isRight(outcome.ending))
    return outcome;
  llvm::SmallString<128> path(keep);
  llvm::sys::path::append(path, name + ".mlir");
  std::error_code code;
  llvm::raw_fd_ostream file(path, code);
  if (!code)
    file << "// RUN: " << command << "\n" << input << "\n";
  llvm::outs() << "failed: " << getName(outcome.ending) << " in "
               << llvm::format("%.1f", outcome.seconds) << " s: " << path
               << ": " << getReason(outcome.messages) << "\n";
  return outcome;
}

bool Sweep::finish() const {
  bool allRight = true;
  llvm::outs() << "ended:";
  for (auto [ending, count] : endings) {
    llvm::outs() << " " << count << " " << getName(ending) << ",";
    allRight &= isRight(ending);
  }
  llvm::outs() << llvm::format(" slowest %.1f s\n", slowest);
  return allRight;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

int main(int argc, char **argv) {
  cl::opt<std::string> what{cl::Positional, cl::Required,
                            cl::desc("passes|text")};
  cl::opt<std::string> input{cl::Positional, cl::Required, cl::desc("IN.mlir")};
  cl::list<std::string> archs{"arch", cl::desc("an architecture; repeated"),
                              cl::OneOrMore};
  cl::opt<std::string> keep{"keep", cl::Required,
                            cl::desc("directory for what fails")};
  cl::opt<unsigned> seconds{"seconds", cl::init(10),
                            cl::desc("processor time of a case")};
  cl::opt<unsigned> megabytes{"megabytes", cl::init(2000),
                              cl::desc("memory of a case")};
  cl::opt<unsigned> seed{"seed", cl::init(1), cl::desc("text: the first seed")};
  cl::opt<unsigned> count{"count", cl::init(1), cl::desc("text: how many")};
  cl::list<std::string> steps{
      "step", cl::desc("passes: what makes the next level, in order")};
  cl::list<std::string> passes{"pass",
                               cl::desc("passes: what is tried on each")};
  tile::registerAllPasses();
  tile::registerAllPipelines();
  // --help lists the passes.
  mlir::PassPipelineCLParser listed("", "passes that may be tried");
  cl::ParseCommandLineOptions(argc, argv,
                              "many small inputs through the compiler\n");
  auto file = llvm::MemoryBuffer::getFile(input);
  if (!file) {
    llvm::errs() << "tile-sweep: error: cannot read '" << input
                 << "': " << file.getError().message() << "\n";
    return 1;
  }
  llvm::sys::fs::create_directories(keep);
  llvm::StringRef name = llvm::sys::path::stem(input);
  Sweep sweep(keep, {seconds, megabytes});
  if (what == "text") {
    sweepDamagedText(sweep, name, (*file)->getBuffer(), archs, seed, count);
  } else if (what == "passes") {
    for (llvm::StringRef arch : archs)
      sweepPasses(sweep, name, (*file)->getBuffer(), arch, steps, passes);
  } else {
    llvm::errs() << "tile-sweep: error: expected 'passes' or 'text', got '"
                 << what << "'\n";
    return 1;
  }
  return sweep.finish() ? 0 : 1;
}
