// Phases.cpp - compiles a document in an editor, and collects the diagnostics
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Phases.h"

#include "ParsedText.h"
#include "tile/Analysis/HostCode.h"
#include "tile/IR/Tile.h"
#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"
#include "tile/VerifyTarget/VerifyTarget.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tile;
using namespace tile::lspserver;
namespace lsp = llvm::lsp;

namespace {
/// Converts the diagnostics of one program to those of the protocol.
struct Collector {
  ParsedText &text;
  const lsp::URIForFile &uri;
  std::vector<lsp::Diagnostic> &diagnostics;
  /// The range of diagnostics without a location in the document.
  lsp::Range elsewhere = {};
  bool onlyErrors = false;

  void add(Diagnostic &diagnostic);
  lsp::Range getRange(Location loc) {
    return text.findRange(loc).value_or(elsewhere);
  }
};
} // namespace

static lsp::DiagnosticSeverity getSeverity(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return lsp::DiagnosticSeverity::Error;
  case DiagnosticSeverity::Warning:
    return lsp::DiagnosticSeverity::Warning;
  case DiagnosticSeverity::Remark:
  case DiagnosticSeverity::Note:
    return lsp::DiagnosticSeverity::Information;
  }
  llvm_unreachable("all severities are listed");
}

void Collector::add(Diagnostic &diagnostic) {
  if (onlyErrors && diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  lsp::Diagnostic result;
  result.range = getRange(diagnostic.getLocation());
  result.severity = getSeverity(diagnostic.getSeverity());
  result.source = "tile";
  result.category = "Phases";
  result.message = diagnostic.str();
  std::vector<lsp::DiagnosticRelatedInformation> notes;
  for (Diagnostic &note : diagnostic.getNotes())
    notes.emplace_back(lsp::Location(uri, getRange(note.getLocation())),
                       note.str());
  if (!notes.empty())
    result.relatedInformation = std::move(notes);
  diagnostics.push_back(std::move(result));
}

/// Returns the module's kernels that can be compiled separately; a variant is
/// compiled with its kernel.
static SmallVector<std::string> getKernelNames(ModuleOp module) {
  SmallVector<std::string> names;
  for (Operation &op : module.getOps())
    if (isKernel(&op) && !op.hasAttr(kGeneralOfAttr))
      names.push_back(SymbolTable::getSymbolName(&op).str());
  return names;
}

static bool hasKernels(ModuleOp module) {
  return module
      ->walk([](Operation *op) {
        return isKernel(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Compiles a module; diagnostics go to the context's handlers.
static LogicalResult compileModule(ModuleOp module, llvm::StringRef arch) {
  CompileOptions options;
  options.stage = CompileStage::kLLVMDialect;
  if (!module->hasAttr(kTargetAttr))
    options.pipeline.arch = arch.str();
  FailureOr<CompiledModule> compiled = compile(module, options);
  return success(succeeded(compiled) &&
                 succeeded(verifyTarget(module, *compiled->architecture)));
}

/// Compiles the kernels together. If one has an error, also compiles each
/// separately, because that error may hide errors of other kernels.
static void compileKernels(ModuleOp module, llvm::StringRef arch,
                           Collector &collector) {
  SmallVector<std::string> names = getKernelNames(module);
  auto compileCopy = [&](ArrayRef<std::string> kernels) {
    OwningOpRef<ModuleOp> copy = module.clone();
    if (!kernels.empty())
      collector.elsewhere =
          collector.text.findRange(module.lookupSymbol(kernels[0])->getLoc())
              .value_or(lsp::Range());
    if (kernels.size() == 1 && failed(keepKernel(*copy, kernels[0])))
      return failure();
    return compileModule(*copy, arch);
  };
  if (succeeded(compileCopy(names)) || names.size() < 2)
    return;
  // Remarks about a kernel that is compiled separately, for example about
  // functions that it does not call, may be wrong for the whole module.
  collector.onlyErrors = true;
  for (const std::string &name : names)
    (void)compileCopy(name);
}

/// Enables remarks as diagnostics, for the passes that match the regular
/// expression `passes`. MLIR has a filter for each kind of remarks; all get the
/// same.
static void showRemarks(MLIRContext &context, const std::string &passes) {
  if (passes.empty())
    return;
  remark::RemarkCategories categories{passes, passes, passes, passes, passes};
  (void)remark::enableOptimizationRemarks(
      context, /*streamer=*/nullptr,
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
      /*printAsEmitRemarks=*/true);
}

std::vector<lsp::Diagnostic> lspserver::runPhases(const lsp::URIForFile &uri,
                                                  llvm::StringRef text,
                                                  const Settings &settings) {
  std::vector<lsp::Diagnostic> diagnostics;
  DialectRegistry registry;
  registerAllDialects(registry);
  for (const std::string &part : splitPrograms(text)) {
    // Uses one thread, as an editor's machine has other work.
    MLIRContext context(registry, MLIRContext::Threading::DISABLED);
    context.printOpOnDiagnostic(false);
    ParsedText parsed(part, uri.file(), &context);
    if (!parsed.isValid())
      continue;
    OwningOpRef<ModuleOp> module = parsed.takeModule();
    if (!hasKernels(*module))
      continue;
    Collector collector{parsed, uri, diagnostics};
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { collector.add(diagnostic); });
    // Variants of a kernel cause the same diagnostics, as do callers of a
    // function.
    DropRepeatedDiagnostics once(&context);
    showRemarks(context, settings.remarks);
    compileKernels(*module, settings.arch, collector);
  }
  return diagnostics;
}
