// tile-compile - compiles a tile program to PTX, cubin and launcher metadata
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0, all outputs are written; 1, no file is changed.

#include "../CommandLine.h"
#include "../Toolkit.h"
#include "OutputFiles.h"
#include "ReportHtml.h"
#include "tile/Import/CudaTile.h"
#include "tile/Registration.h"
#include "tile/Target/AssembleCubin.h"
#include "tile/Target/CodeGenPrepare.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/Differentiate.h"
#include "tile/Target/EmitHeader.h"
#include "tile/Target/ParseProgram.h"
#include "tile/Target/TuningFile.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tile;
namespace cl = llvm::cl;

namespace {
enum class Emit {
  kSource,
  kMLIR,
  kLLVM,
  kPTX,
  kCubin,
  kFatbin,
  kHeader,
  kMetadata,
  kReport,
  kHtml
};

/// Options of the command line. They are members of a structure and not global
/// variables, so that only this tool has them.
struct Options {
  cl::OptionCategory category{"tile-compile options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("IN.mlir"),
                             cl::cat(category)};
  cl::opt<std::string> output{
      "o",
      cl::desc("the output, - is standard output; default: IN in the current "
               "folder, with the extension of what is written"),
      cl::value_desc("OUT"), cl::cat(category)};
  cl::list<std::string> archs{
      "arch", cl::desc("architecture: sm_80, ...; several for a fatbin"),
      cl::value_desc("NAME"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<Emit> emit{
      "emit", cl::desc("what to write"), cl::init(Emit::kCubin),
      cl::values(
          clEnumValN(Emit::kSource, "source",
                     "the tile program, with what --gradient adds"),
          clEnumValN(Emit::kMLIR, "mlir", "the module in the LLVM dialect"),
          clEnumValN(Emit::kLLVM, "llvm", "optimised LLVM IR"),
          clEnumValN(Emit::kPTX, "ptx", "PTX"),
          clEnumValN(Emit::kCubin, "cubin",
                     "a cubin, and its metadata beside it (default)"),
          clEnumValN(Emit::kFatbin, "fatbin",
                     "cubins of several architectures, and the metadata"),
          clEnumValN(Emit::kHeader, "header",
                     "a C header with one launch function a kernel"),
          clEnumValN(Emit::kMetadata, "metadata", "what a launcher needs"),
          clEnumValN(Emit::kReport, "report", "what was decided, for people"),
          clEnumValN(Emit::kHtml, "html",
                     "the report, the program and its phases as a page")),
      cl::cat(category)};
  cl::opt<std::string> kernel{"kernel", cl::desc("compile this kernel only"),
                              cl::value_desc("NAME"), cl::cat(category)};
  cl::opt<std::string> gradient{
      "gradient", cl::ValueOptional,
      cl::desc(
          "add derivatives of kernels, with options of -tile-gradient, such "
          "as \"kernel=f wrt=x,y mode=forward\""),
      cl::value_desc("OPTIONS"), cl::cat(category)};
  cl::opt<WarpTilingOptions> tiling{
      "tiling",
      cl::desc("options of -tile-warp-tiling, such as \"warps=2,4 stages=3\""),
      cl::value_desc("OPTIONS"), cl::cat(category)};
  cl::opt<std::string> tuning{
      "tuning", cl::desc("take tilings and blocks from a file of tuning"),
      cl::value_desc("FILE"), cl::cat(category)};
  cl::opt<std::string> tuningKey{
      "tuning-key",
      cl::desc("of the entries of --tuning those with this key, as JSON"),
      cl::value_desc("KEY"), cl::cat(category)};
  cl::opt<std::string> dumpDirectory{
      "dump-dir", cl::desc("put the IR after each pass, and the results, here"),
      cl::value_desc("DIR"), cl::cat(category)};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("the path of ptxas"),
                             cl::value_desc("PATH"), cl::cat(category)};
  cl::opt<std::string> libdevice{"libdevice",
                                 cl::desc("the path of libdevice.10.bc"),
                                 cl::value_desc("PATH"), cl::cat(category)};
  cl::opt<int> ptxVersion{
      "ptx-version", cl::desc("PTX version times ten; 0 is the least needed"),
      cl::value_desc("NN"), cl::init(0), cl::cat(category)};
  cl::opt<bool> lineTables{"line-tables",
                           cl::desc("write lines of the program into the code"),
                           cl::init(true), cl::cat(category)};
  cl::opt<bool> reportAsJson{"json", cl::desc("--emit=report as JSON"),
                             cl::cat(category)};
  cl::opt<std::string> profile{
      "profile",
      cl::desc("for --emit=html: what tile-run --profile-json wrote"),
      cl::value_desc("FILE"), cl::cat(category)};
};
} // namespace

static bool fail(const llvm::Twine &message) {
  llvm::errs() << "tile-compile: error: " << message << "\n";
  return false;
}

/// Reports an error without a location as an error of the command.
static LogicalResult reportWithoutLocation(Diagnostic &diagnostic) {
  if (!isa<UnknownLoc>(diagnostic.getLocation()) ||
      diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  fail(diagnostic.str());
  return success();
}

//===----------------------------------------------------------------------===//
// Where the output goes
//===----------------------------------------------------------------------===//

static llvm::StringRef getExtension(const Options &options) {
  switch (options.emit) {
  case Emit::kSource:
  case Emit::kMLIR:
    return "mlir";
  case Emit::kLLVM:
    return "ll";
  case Emit::kPTX:
    return "ptx";
  case Emit::kCubin:
    return "cubin";
  case Emit::kFatbin:
    return "fatbin";
  case Emit::kHeader:
    return "h";
  case Emit::kMetadata:
    return "json";
  case Emit::kReport:
    // The report's name must differ from the name of the metadata file.
    return options.reportAsJson ? "report.json" : "report.txt";
  case Emit::kHtml:
    return "html";
  }
  llvm_unreachable("all that can be emitted is listed");
}

static bool isBinary(Emit emit) {
  return emit == Emit::kCubin || emit == Emit::kFatbin;
}

/// Chooses the output if none is given: a file in the current folder, as other
/// compilers do. If the program comes from standard input, text goes to
/// standard output.
static bool chooseOutput(Options &options) {
  if (options.output.getNumOccurrences())
    return true;
  if (options.input == "-") {
    options.output = "-";
    return !isBinary(options.emit) ||
           fail("expected -o OUT for a binary of what is read from standard "
                "input, found none");
  }
  llvm::SmallString<128> path = llvm::sys::path::filename(options.input);
  llvm::sys::path::replace_extension(path, getExtension(options));
  options.output = std::string(path);
  return true;
}

//===----------------------------------------------------------------------===//
// From options to a compiled module
//===----------------------------------------------------------------------===//

static CompileStage getStage(Emit emit) {
  switch (emit) {
  case Emit::kMLIR:
    return CompileStage::kLLVMDialect;
  case Emit::kLLVM:
  case Emit::kPTX:
    return CompileStage::kPTX;
  default:
    return CompileStage::kCubin;
  }
}

static CompileOptions getCompileOptions(const Options &options,
                                        llvm::StringRef arch) {
  CompileOptions result;
  result.pipeline.arch = arch.str();
  result.stage = getStage(options.emit);
  result.cubinIsOptional = options.emit == Emit::kMetadata ||
                           options.emit == Emit::kReport ||
                           options.emit == Emit::kHtml;
  result.pipeline.tiling = options.tiling.getValue();
  result.ptxVersion = options.ptxVersion;
  result.lineTables = options.lineTables;
  result.keepLLVMIR = options.emit == Emit::kLLVM;
  result.keepReport =
      options.emit == Emit::kReport || options.emit == Emit::kHtml;
  result.keepPhases = options.emit == Emit::kHtml;
  result.ptxas = findToolkitPart(ToolkitPart::kPtxas, options.ptxas);
  result.libdevice =
      findToolkitPart(ToolkitPart::kLibdevice, options.libdevice);
  result.dumpDirectory = options.dumpDirectory;
  if (!result.dumpDirectory.empty() && options.archs.size() > 1) {
    llvm::SmallString<128> directory(result.dumpDirectory);
    llvm::sys::path::append(directory, arch);
    result.dumpDirectory = std::string(directory);
  }
  return result;
}

/// Reads the tiling for the kernels of `module` from --tuning, and sets their
/// block sizes.
static FailureOr<WarpTilingOptions>
readTuning(ModuleOp module, const Options &options, llvm::StringRef arch) {
  const Architecture *architecture = setTargetArchitecture(module, arch);
  if (!architecture)
    return failure();
  auto buffer = llvm::MemoryBuffer::getFile(options.tuning, /*IsText=*/true);
  if (!buffer)
    return failure(!fail("cannot read '" + options.tuning +
                         "': " + buffer.getError().message()));
  llvm::Expected<TuningFile> file = parseTuningFile(**buffer);
  if (!file)
    return failure(!fail(llvm::toString(file.takeError())));
  return applyTuning(module, *file, architecture->name, options.tuningKey);
}

/// Adds the derivatives that --gradient requests.
static LogicalResult addGradient(ModuleOp module, const Options &options) {
  if (!options.gradient.getNumOccurrences())
    return success();
  std::unique_ptr<Pass> gradient = createGradientPass();
  auto onError = [&](const llvm::Twine &message) -> LogicalResult {
    std::string problem = message.str();
    return failure(!fail("expected options of -tile-gradient, got '" +
                         options.gradient +
                         "': " + llvm::StringRef(problem).rtrim()));
  };
  if (failed(gradient->initializeOptions(options.gradient, onError)))
    return failure();
  return addDerivatives(module, std::move(gradient));
}

static FailureOr<CompiledModule>
compileFor(ModuleOp module, const Options &options, llvm::StringRef arch) {
  if (!options.kernel.empty() && failed(keepKernel(module, options.kernel)))
    return failure();
  if (options.emit == Emit::kSource)
    return CompiledModule();
  CompileOptions compileOptions = getCompileOptions(options, arch);
  if (!options.tuning.empty()) {
    FailureOr<WarpTilingOptions> tiling = readTuning(module, options, arch);
    if (failed(tiling))
      return failure();
    compileOptions.pipeline.tiling = *tiling;
  }
  return compile(module, compileOptions);
}

//===----------------------------------------------------------------------===//
// From compiled modules to files
//===----------------------------------------------------------------------===//

/// Adds a binary and, if it is a file, its metadata as STEM.json next to it.
static bool addBinary(const Options &options, std::string binary,
                      runtime::ModuleMetadata metadata, OutputFiles &files) {
  files.add(options.output, std::move(binary));
  if (OutputFiles::isStream(options.output))
    return true;
  llvm::SmallString<128> path(options.output);
  llvm::sys::path::replace_extension(path, "json");
  if (path == options.output)
    return fail("expected an output of another name than the metadata, '" +
                path + "'");
  for (runtime::KernelMetadata &kernel : metadata.kernels)
    kernel.binary = llvm::sys::path::filename(options.output).str();
  files.add(path, toJson(metadata));
  return true;
}

static bool addFatbin(const Options &options,
                      llvm::ArrayRef<CompiledModule> modules,
                      MLIRContext *context, OutputFiles &files) {
  std::vector<FatbinImage> images;
  runtime::ModuleMetadata metadata;
  for (const CompiledModule &module : modules) {
    images.push_back({module.architecture, module.cubin});
    llvm::append_range(metadata.kernels, module.metadata.kernels);
  }
  FailureOr<std::string> fatbin =
      joinFatbin(UnknownLoc::get(context), images,
                 findToolkitPart(ToolkitPart::kFatbinary));
  return succeeded(fatbin) &&
         addBinary(options, std::move(*fatbin), metadata, files);
}

static std::string printModule(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

static std::string printReport(const Options &options,
                               const CompiledModule &compiled) {
  if (!options.reportAsJson)
    return toText(compiled.report);
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}\n", toJson(compiled.report));
  return text;
}

/// Adds the HTML page; returns false after an error about the profile.
static bool addPage(const Options &options, const CompiledModule &compiled,
                    OutputFiles &files) {
  Page page{options.input, compiled.report, compiled.ptx, compiled.phases, {}};
  if (!options.profile.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(options.profile, /*IsText=*/true);
    if (!buffer)
      return fail("cannot read '" + options.profile +
                  "': " + buffer.getError().message());
    auto profile = parseProfile((*buffer)->getBuffer());
    if (!profile)
      return fail("expected a profile of tile-run --profile-json in '" +
                  options.profile +
                  "': " + llvm::toString(profile.takeError()));
    page.profile = std::move(*profile);
  }
  files.add(options.output, toHtml(page));
  return true;
}

/// Returns the prefix of the names in a header.
static llvm::StringRef getHeaderName(const Options &options) {
  if (options.output != "-")
    return llvm::sys::path::stem(options.output);
  return options.input != "-" ? llvm::sys::path::stem(options.input)
                              : "program";
}

static bool addOutputs(const Options &options, ModuleOp module,
                       CompiledModule &compiled, OutputFiles &files) {
  switch (options.emit) {
  case Emit::kSource:
  case Emit::kMLIR:
    files.add(options.output, printModule(module));
    break;
  case Emit::kLLVM:
    files.add(options.output, std::move(compiled.llvmIR));
    break;
  case Emit::kPTX:
    files.add(options.output, std::move(compiled.ptx));
    break;
  case Emit::kHeader:
    files.add(options.output, emitHeader(compiled.metadata, compiled.cubin,
                                         getHeaderName(options)));
    break;
  case Emit::kMetadata:
    files.add(options.output, toJson(compiled.metadata));
    break;
  case Emit::kReport:
    files.add(options.output, printReport(options, compiled));
    break;
  case Emit::kHtml:
    return addPage(options, compiled, files);
  default:
    return addBinary(options, std::move(compiled.cubin),
                     std::move(compiled.metadata), files);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

/// Checks that the options are compatible.
static bool verifyOptions(const Options &options) {
  if (options.archs.size() > 1 && options.emit != Emit::kFatbin)
    return fail("expected one --arch unless --emit=fatbin, got " +
                llvm::Twine(options.archs.size()));
  if (llvm::is_contained(options.archs, ""))
    return fail("expected --arch=NAME, such as sm_90a, got none");
  if (options.reportAsJson && options.emit != Emit::kReport)
    return fail("expected --json with --emit=report alone");
  if (!options.tuning.empty() && options.tiling.getNumOccurrences())
    return fail("expected --tiling or --tuning, got both");
  if (options.tuning.empty() && !options.tuningKey.empty())
    return fail("expected --tuning-key with --tuning=FILE alone");
  if (!options.profile.empty() && options.emit != Emit::kHtml)
    return fail("expected --profile with --emit=html alone");
  return true;
}

static bool run(const Options &options) {
  if (!verifyOptions(options))
    return false;
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCudaTileFormat(registry);
  // The context has threads: the variants of a kernel are compiled in parallel.
  // Neither context nor module is destroyed at the end of the process.
  MLIRContext &context = *new MLIRContext(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context, llvm::errs());
  ScopedDiagnosticHandler ofCommand(&context, reportWithoutLocation);
  DropRepeatedDiagnostics once(&context);

  OwningOpRef<ModuleOp> module = parseProgram(options.input, &context);
  if (!module || failed(addGradient(*module, options)))
    return false;
  std::vector<std::string> archs(options.archs.begin(), options.archs.end());
  if (archs.empty())
    archs.push_back("");
  std::vector<CompiledModule> modules;
  for (const std::string &arch : archs) {
    OwningOpRef<ModuleOp> copy =
        archs.size() > 1 ? module->clone() : std::move(module);
    FailureOr<CompiledModule> compiled = compileFor(*copy, options, arch);
    if (failed(compiled))
      return false;
    modules.push_back(std::move(*compiled));
    if (archs.size() == 1)
      module = std::move(copy);
  }
  OutputFiles files(options.input);
  bool isComplete = options.emit == Emit::kFatbin
                        ? addFatbin(options, modules, &context, files)
                        : addOutputs(options, *module, modules.front(), files);
  (void)module.release();
  return isComplete && (files.write() || fail(files.error));
}

int main(int argc, char **argv) {
  llvm::InitLLVM initialization(argc, argv);
  nameTool("tile-compile");
  Options options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv, "compiles tile programs to PTX, cubin and metadata\n");
  llvm::CrashRecoveryContext::Enable();
  limitCodeGenPrepare();
  if (options.input.empty())
    return refuseCommand("tile-compile", "expected a program, IN.mlir or - for "
                                         "standard input, found none");
  return chooseOutput(options) && run(options) ? 0 : 1;
}
