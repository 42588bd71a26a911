// CompileOptions.cpp - reads and checks the options of a compilation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileOptions.h"

#include "tile/Target/LowerUntil.h"
#include "tile/Transforms/TilingOptions.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

static constexpr tile_output kAllOutputs =
    TILE_OUTPUT_METADATA | TILE_OUTPUT_PTX | TILE_OUTPUT_CUBIN |
    TILE_OUTPUT_LLVM_IR | TILE_OUTPUT_REPORT | TILE_OUTPUT_REPORT_JSON |
    TILE_OUTPUT_IR;

/// Limit of the PTX version, above any version that exists.
static constexpr int32_t kMaxPTXVersion = 999;

static std::string toString(const char *text) { return text ? text : ""; }

static tile_status expectThat(bool holds, std::string message) {
  return holds ? TILE_STATUS_OK
               : fail(TILE_STATUS_INVALID_ARGUMENT, std::move(message));
}

static tile_status checkRanges(const tile_compile_options &options) {
  if (tile_status status =
          expectRange("machine", options.machine, TILE_MACHINE_CUDA,
                      TILE_MACHINE_CPU_DECOMPOSED))
    return status;
  if (tile_status status =
          expectRange("outputs", options.outputs, 0, kAllOutputs))
    return status;
  return expectRange("ptx_version", options.ptx_version, 0, kMaxPTXVersion);
}

/// Checks the options that are valid only for some machines.
static tile_status checkMachine(const tile_compile_options &options) {
  bool isCuda = options.machine == TILE_MACHINE_CUDA;
  if (tile_status status =
          expectThat(isCuda || !(options.outputs & ~TILE_OUTPUT_METADATA),
                     concat("expected TILE_OUTPUT_METADATA as the outputs of "
                            "another machine than TILE_MACHINE_CUDA, found ",
                            options.outputs)))
    return status;
  if (tile_status status =
          expectThat(isCuda || !options.tiling,
                     concat("expected a tiling for TILE_MACHINE_CUDA, found '",
                            toString(options.tiling), "' for another machine")))
    return status;
  return expectThat(
      isCuda || options.machine == TILE_MACHINE_EMULATOR || !options.arch,
      concat("expected an architecture for a GPU or the emulator, found '",
             toString(options.arch), "' for the CPU"));
}

/// Checks the options of a request for IR, for which the module is printed
/// instead of being compiled.
static tile_status checkIR(const tile_compile_options &options) {
  bool isIR = options.outputs & TILE_OUTPUT_IR;
  if (tile_status status = expectThat(
          !isIR || options.outputs == TILE_OUTPUT_IR,
          concat("expected TILE_OUTPUT_IR as the only output, found ",
                 options.outputs)))
    return status;
  if (!options.stop_after)
    return TILE_STATUS_OK;
  if (tile_status status = expectThat(
          isIR, concat("expected TILE_OUTPUT_IR with stop_after, found ",
                       options.outputs)))
    return status;
  std::vector<std::string> passes = listPasses();
  return expectThat(llvm::is_contained(passes, options.stop_after),
                    concat("expected stop_after to be one of ",
                           llvm::join(passes, ", "), ", found '",
                           options.stop_after, "'"));
}

static tile_status checkNames(const tile_compile_options &options) {
  if (tile_status status =
          expectThat(!options.kernel || *options.kernel,
                     "expected the name of a kernel, found ''"))
    return status;
  const char *arch = options.arch;
  return expectThat(!arch || findArchitecture(arch),
                    concat("expected an architecture (", listArchitectures(),
                           "), found '", toString(arch), "'"));
}

static tile_status readTiling(const char *text, CompileOptions &options) {
  if (!text)
    return TILE_STATUS_OK;
  WarpTilingOptions tiling;
  std::string error;
  if (failed(parseTilingOptions(text, tiling, error)))
    return fail(TILE_STATUS_INVALID_ARGUMENT, concat("tiling: ", error));
  options.pipeline.tiling = tiling;
  return TILE_STATUS_OK;
}

static CompileStage chooseStage(const Request &request) {
  if (request.wants(TILE_OUTPUT_CUBIN))
    return CompileStage::kCubin;
  return request.wants(kAllOutputs & ~(TILE_OUTPUT_METADATA | TILE_OUTPUT_IR))
             ? CompileStage::kPTX
             : CompileStage::kLLVMDialect;
}

tile_status capi::readRequest(const tile_compile_options *options,
                              Request &request) {
  tile_compile_options given;
  tile_status status = readStruct("tile_compile_options", options, given);
  for (auto check : {checkRanges, checkMachine, checkIR, checkNames})
    if (status == TILE_STATUS_OK)
      status = check(given);
  if (status == TILE_STATUS_OK)
    status = readTiling(given.tiling, request.options);
  if (status != TILE_STATUS_OK)
    return status;
  request.name = given.name ? given.name : "program";
  request.machine = given.machine;
  request.kernel = toString(given.kernel);
  request.lastPass = toString(given.stop_after);
  request.outputs = given.outputs ? given.outputs
                                  : TILE_OUTPUT_METADATA | TILE_OUTPUT_PTX |
                                        TILE_OUTPUT_CUBIN;
  CompileOptions &result = request.options;
  result.pipeline.arch = toString(given.arch);
  result.pipeline.checkBounds = given.check_bounds != 0;
  result.stage = chooseStage(request);
  result.cubinIsOptional = given.cubin_is_optional != 0;
  result.ptxVersion = given.ptx_version;
  result.lineTables = given.no_line_tables == 0;
  result.keepLLVMIR = request.wants(TILE_OUTPUT_LLVM_IR);
  result.keepReport =
      request.wants(TILE_OUTPUT_REPORT | TILE_OUTPUT_REPORT_JSON);
  return TILE_STATUS_OK;
}
