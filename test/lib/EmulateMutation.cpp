// EmulateMutation.cpp - runs a kernel after phase 8 on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments are determined by the index of the launch: random normal
// arrays; extents that no tile divides or for which the assumptions of the
// specialized variant hold; and scalars that make loops run from one iteration
// to more than two passes over a circular buffer of seven stages.

#include "EmulateMutation.h"
#include "CompileAlone.h"
#include "LaunchArguments.h"

using namespace mlir;
using namespace tile;
using namespace tile::runtime;

/// The assumptions of a specialized variant hold for extents that are multiples
/// of 16; the other extents are odd.
static const test::LaunchShape kShapes[] = {
    {400, 67, 0, 0}, {397, 67, 1, 0},  {400, 2, 0, 1},
    {397, 1, 1, 1},  {400, 461, 0, 2}, {397, 461, 1, 2},
};

/// Runs one launch of a single block, because shared memory belongs to a block.
/// Returns the contents of the arrays after the launch, and stores the finding,
/// if there is one, in `finding`. Returns nothing if the launch does not
/// fulfill the predicates of the entry point.
static std::optional<std::vector<char>> runOne(EmulatorProgram &program,
                                               const test::LaunchShape &shape,
                                               std::string &finding) {
  const KernelMetadata &kernel = program.getMetadata().kernels.front();
  const EntryPoint &entry = kernel.entries.front();
  test::LaunchArguments arguments(kernel, shape);
  bool hasScalars =
      llvm::any_of(kernel.arguments, [](const Argument &argument) {
        return argument.kind == Argument::Kind::Scalar;
      });
  // Without scalars, launches differ only by size and seed: two seeds are
  // enough.
  if (!hasScalars && shape.seed > 1)
    return std::nullopt;
  if (!llvm::all_of(entry.predicates, [&](const Predicate &p) {
        return holds(p, arguments.facts);
      }))
    return std::nullopt;
  EmulatorRun run = arguments.getRun(entry.symbol);
  llvm::Expected<emulator::Outcome> outcome = program.runOnce(run, shape.seed);
  if (!outcome)
    finding = llvm::toString(outcome.takeError());
  else if (!outcome->findings.empty())
    finding = std::string(getName(outcome->findings.front().kind)) + ": " +
              outcome->findings.front().message;
  else if (!outcome->isClean())
    finding = "not run to its end " + outcome->refusal;
  return arguments.getResult();
}

tile::test::Results tile::test::emulateRight(ModuleOp module, StringRef name,
                                             std::string &problem) {
  auto program = compileAlone(module, name);
  if (!program) {
    problem = "does not compile " + llvm::toString(program.takeError());
    return {};
  }
  Results results;
  bool isRun = false;
  for (const test::LaunchShape &shape : kShapes) {
    std::string finding;
    results.push_back(runOne(**program, shape, finding));
    if (!finding.empty()) {
      problem = finding;
      results.back().reset();
    }
    isRun |= results.back().has_value();
  }
  if (isRun)
    problem.clear();
  else if (problem.empty())
    problem = "no launch fits";
  return results;
}

std::string tile::test::emulateWrong(ModuleOp module, StringRef name,
                                     const Results &right) {
  auto program = compileAlone(module, name);
  if (!program)
    return "does not compile " + llvm::toString(program.takeError());
  for (auto [shape, expected] : llvm::zip(kShapes, right)) {
    if (!expected)
      continue;
    std::string finding;
    auto result = runOne(**program, shape, finding);
    if (finding.empty() && result != expected)
      finding = "wrong values";
    if (!finding.empty())
      return finding;
  }
  return "";
}
