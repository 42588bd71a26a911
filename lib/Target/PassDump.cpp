// PassDump.cpp - the IR after each pass, as files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassDump.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tile;

bool DumpDirectory::create() {
  std::error_code code = llvm::sys::fs::create_directories(path);
  if (!code && !llvm::sys::fs::is_directory(path))
    code = std::make_error_code(std::errc::not_a_directory);
  if (code)
    error = "cannot make directory '" + path + "': " + code.message();
  return !code;
}

bool DumpDirectory::write(StringRef name, StringRef contents) {
  if (!isActive())
    return true;
  SmallString<128> file(path);
  llvm::sys::path::append(file, name);
  std::error_code code;
  llvm::raw_fd_ostream stream(file, code);
  if (!code) {
    stream << contents;
    stream.close();
    code = stream.error();
    stream.clear_error();
  }
  if (code)
    error = ("cannot write '" + file + "': " + code.message()).str();
  return !code;
}

namespace tile {
struct PassDump : PassInstrumentation {
  PassDump(DumpDirectory &directory, std::vector<PassText> *kept)
      : directory(directory), kept(kept) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    StringRef name = pass->getArgument();
    if (name.empty()) // An adaptor: its passes get separate calls.
      return;
    PassText after{name.str(), "", ""};
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && symbol.getNameAttr())
      after.kernel = symbol.getName().str();
    llvm::raw_string_ostream stream(after.text);
    op->print(stream, OpPrintingFlags().useLocalScope());
    stream << "\n";
    std::string file =
        llvm::formatv("{0,0+2}_{1}", ++directory.numPasses, name);
    if (!after.kernel.empty())
      file += "_" + after.kernel;
    directory.write(file + ".mlir", after.text);
    if (kept)
      kept->push_back(std::move(after));
  }

  DumpDirectory &directory;
  std::vector<PassText> *kept;
};
} // namespace tile

void DumpDirectory::addTo(PassManager &passes, std::vector<PassText> *kept) {
  if (!isActive() && !kept)
    return;
  // Files are numbered in the order in which passes run, so passes run one at a
  // time.
  passes.getContext()->disableMultithreading();
  passes.addInstrumentation(std::make_unique<PassDump>(*this, kept));
}
