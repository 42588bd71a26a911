// DamagedText.cpp - compiles damaged programs by the whole compiler
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../../../tools/Toolkit.h"
#include "../DamageText.h"
#include "Sweep.h"

#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SourceMgr.h"

#include <unistd.h>

using namespace mlir;
using namespace tile;
using llvm::StringRef;

/// Ends with an error if LLVM rejects PTX in a string of the program, which
/// tile-compile reports as a diagnostic. LLVM's other fatal errors are crashes.
static void onFatalError(void *, const char *reason, bool) {
  if (!StringRef(reason).contains("inline asm"))
    return;
  llvm::errs() << "error: " << reason << "\n";
  _exit(1);
}

/// Compiles as `tile-compile --emit=ptx` and `--emit=report` do, in one thread.
/// Writes to `result` if the text is a program.
static bool compileText(const DialectRegistry &dialects, StringRef text,
                        StringRef arch, llvm::raw_ostream &result) {
  MLIRContext context(dialects, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  llvm::ScopedFatalErrorHandler onError(onFatalError);
  OwningOpRef<ModuleOp> module = parseProgram(
      llvm::MemoryBuffer::getMemBufferCopy(text, "damaged.mlir"), &context);
  if (!module)
    return false;
  result << "a program";
  result.flush();
  CompileOptions options;
  options.pipeline.arch = arch.str();
  options.libdevice = findToolkitPart(ToolkitPart::kLibdevice);
  options.stage = CompileStage::kPTX;
  options.keepReport = true;
  FailureOr<CompiledModule> compiled = tile::compile(*module, options);
  if (failed(compiled))
    return false;
  (void)toText(compiled->report);
  (void)toJson(compiled->metadata);
  return true;
}

void tile::fuzz::sweepDamagedText(Sweep &sweep, StringRef name,
                                  StringRef program,
                                  llvm::ArrayRef<std::string> archs,
                                  unsigned seed, unsigned count) {
  for (unsigned number = seed; number < seed + count; ++number) {
    std::string text = damageText(program, number);
    for (StringRef arch : archs) {
      Outcome outcome = sweep.run(
          (name + "-" + llvm::Twine(number) + "-" + arch).str(),
          ("tile-compile %s --emit=report -o - --arch=" + arch).str(), text,
          [&](llvm::raw_ostream &result) {
            return compileText(sweep.getDialects(), text, arch, result);
          });
      if (outcome.ending == Ending::kDiagnostic && outcome.result.empty())
        break; // no program for any architecture
    }
  }
}
