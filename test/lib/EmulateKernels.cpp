// EmulateKernels.cpp - reports findings of the emulator in kernels as
// diagnostics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs every kernel of a module that has been through the phases, under several
// schedules, and reports each finding at its line (a race at both accesses).
// Tests match the findings with `expected-error`; a kernel without one must
// have no findings. A finding that only some of the schedules show is an error,
// and so are results that depend on the schedule.

#include "CompileAlone.h"
#include "LaunchArguments.h"

#include "tile/IR/Tile.h"
#include "tile/Registration.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <tuple>

using namespace mlir;
using namespace tile;

/// Dynamic extents are 64 and integer scalars 3. Arrays are aligned to 256
/// bytes, so that assumptions about alignment hold.
static constexpr test::LaunchShape kShape = {64, 3, 0, 0};

namespace {
/// A finding as it is reported. The order of two accesses depends on the
/// schedule, so the error is reported at the later line and the note at the
/// earlier one.
struct Report {
  LocationAttr place;
  std::string message;
  /// The location of the note; null if there is no note.
  LocationAttr other;
  std::string otherMessage;

  bool operator==(const Report &report) const {
    return std::tie(place, message, other, otherMessage) ==
           std::tie(report.place, report.message, report.other,
                    report.otherMessage);
  }
};

/// Findings and results of one kernel under all schedules.
struct Results {
  std::vector<Report> reports;
  std::vector<uint64_t> cleanSeeds;
  bool isSame = true;
  /// Why the kernel did not run; empty if it did.
  std::string refusal;
};
} // namespace

static StringRef getVerb(emulator::AccessMode mode) {
  switch (mode) {
  case emulator::AccessMode::Read:
    return "read";
  case emulator::AccessMode::Write:
    return "write";
  case emulator::AccessMode::ReadWrite:
    return "atomic";
  }
  llvm_unreachable("all modes are listed");
}

/// Converts a text "FILE:LINE:COLUMN" to a location.
static LocationAttr parsePlace(MLIRContext *context, StringRef place) {
  auto [rest, column] = place.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  unsigned numbers[2];
  if (line.getAsInteger(10, numbers[0]) || column.getAsInteger(10, numbers[1]))
    return UnknownLoc::get(context);
  return FileLineColLoc::get(context, file, numbers[0], numbers[1]);
}

static std::string describeAccess(const emulator::Party &party) {
  return "with this " + std::string(party.isAsync ? "asynchronous " : "") +
         getVerb(party.mode).str();
}

static bool isBefore(LocationAttr a, LocationAttr b) {
  auto first = dyn_cast<FileLineColLoc>(a),
       second = dyn_cast<FileLineColLoc>(b);
  return first && second &&
         std::make_pair(first.getLine(), first.getColumn()) <
             std::make_pair(second.getLine(), second.getColumn());
}

static Report describe(MLIRContext *context, const emulator::Finding &finding,
                       ArrayRef<emulator::Site> sites) {
  auto getPlace = [&](const emulator::Party &party) -> LocationAttr {
    if (party.site == emulator::kNoSite)
      return UnknownLoc::get(context);
    return parsePlace(context, sites[party.site].location);
  };
  Report report = {getPlace(finding.party),
                   std::string(getName(finding.kind)) + ": " + finding.message,
                   {},
                   {}};
  if (finding.kind != emulator::FindingKind::Race)
    return report;
  report.other = getPlace(finding.other);
  report.otherMessage = describeAccess(finding.other);
  if (isBefore(report.place, report.other)) {
    std::swap(report.place, report.other);
    report.otherMessage = describeAccess(finding.party);
  }
  return report;
}

static void emit(const Report &report) {
  InFlightDiagnostic error = emitError(report.place, report.message);
  if (report.other)
    error.attachNote(Location(report.other)) << report.otherMessage;
}

/// Returns the grid that the kernel declares, or one block if it declares none.
static std::array<int64_t, 3>
getGrid(const runtime::KernelMetadata &kernel,
        const std::vector<runtime::ArgumentFacts> &facts) {
  std::array<int64_t, 3> grid = {1, 1, 1};
  for (int axis = 0; kernel.grid && axis < 3; ++axis)
    if (auto extent = runtime::evaluate((*kernel.grid)[axis], facts))
      grid[axis] = *extent;
  return grid;
}

static void addOutcome(MLIRContext *context, const emulator::Outcome &outcome,
                       uint64_t seed, ArrayRef<emulator::Site> sites,
                       Results &results) {
  if (!outcome.refusal.empty())
    results.refusal = outcome.refusal;
  if (outcome.findings.empty())
    results.cleanSeeds.push_back(seed);
  for (const emulator::Finding &finding : outcome.findings) {
    Report report = describe(context, finding, sites);
    if (!llvm::is_contained(results.reports, report))
      results.reports.push_back(std::move(report));
  }
}

static Results runAll(MLIRContext *context, EmulatorProgram &program,
                      int64_t schedules) {
  const runtime::KernelMetadata &kernel = program.getMetadata().kernels.front();
  Results results;
  std::vector<char> first;
  for (int64_t seed = 0; seed < schedules && results.refusal.empty(); ++seed) {
    test::LaunchArguments arguments(kernel, kShape);
    EmulatorRun run = arguments.getRun(kernel.entries.front().symbol);
    run.grid = getGrid(kernel, arguments.facts);
    llvm::Expected<emulator::Outcome> outcome = program.runOnce(run, seed);
    if (!outcome) {
      results.refusal = llvm::toString(outcome.takeError());
      break;
    }
    addOutcome(context, *outcome, seed, program.getSites(), results);
    if (seed == 0)
      first = arguments.getResult();
    results.isSame &= first == arguments.getResult();
  }
  return results;
}

static void emit(KernelOp kernel, const Results &results) {
  for (const Report &report : results.reports)
    emit(report);
  if (!results.refusal.empty())
    kernel.emitError("expected a kernel that runs, got: ") << results.refusal;
  else if (results.reports.empty() && !results.isSame)
    kernel.emitError("expected the same results under all schedules");
  else if (!results.reports.empty() && !results.cleanSeeds.empty())
    kernel.emitError("expected a finding under every schedule, got none under "
                     "seed ")
        << results.cleanSeeds.front();
}

namespace {
struct EmulateKernels : PassWrapper<EmulateKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EmulateKernels)

  EmulateKernels() = default;
  EmulateKernels(const EmulateKernels &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-tile-emulate"; }
  StringRef getDescription() const final {
    return "report what the emulator finds in each kernel";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    // The dialects of the lowering, which runs inside this pass, are included.
    registerAllDialects(registry);
  }

  void runOnOperation() final {
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (failed(emulate(kernel)))
        return signalPassFailure();
  }

  LogicalResult emulate(KernelOp kernel) {
    auto program = test::compileAlone(getOperation(), kernel.getSymName());
    if (!program) {
      llvm::consumeError(program.takeError());
      return failure();
    }
    emit(kernel, runAll(&getContext(), **program, schedules));
    return success();
  }

  Option<int64_t> schedules{*this, "schedules", llvm::cl::init(8),
                            llvm::cl::desc("how many seeds, from 0")};
};
} // namespace

namespace tile::test {
void registerEmulateKernels() { PassRegistration<EmulateKernels>(); }
} // namespace tile::test
