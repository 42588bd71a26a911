// CompilerLibrary.cpp - loads the compiler's library, if it is installed
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompilerLibrary.h"

#include "../Toolkit.h"
#include "tile-c/Compiler.h"

#include <chrono>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

using namespace tile;
using namespace tile::runtime;

static constexpr char kLibrary[] = "libTileCompiler.so.0";

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The functions of tile-c/Compiler.h that tile-run calls. The library that has
/// them is never closed.
struct tile::runtime::CompilerFunctions {
  std::string path;
#define TILE_FUNCTION(NAME) decltype(&::NAME) NAME = nullptr
  TILE_FUNCTION(tile_api_version);
  TILE_FUNCTION(tile_compiler_last_error);
  TILE_FUNCTION(tile_compiler_create);
  TILE_FUNCTION(tile_compiler_destroy);
  TILE_FUNCTION(tile_compile);
  TILE_FUNCTION(tile_result_get_output);
  TILE_FUNCTION(tile_result_destroy);
  TILE_FUNCTION(tile_run);
  TILE_FUNCTION(tile_outcome_get_profile);
  TILE_FUNCTION(tile_outcome_destroy);
#undef TILE_FUNCTION
};

template <typename Function>
static bool resolve(void *library, const char *name, Function &function) {
  void *symbol = dlsym(library, name);
  static_assert(sizeof symbol == sizeof function, "POSIX");
  std::memcpy(&function, &symbol, sizeof symbol);
  return symbol != nullptr;
}

static bool resolveAll(void *library, CompilerFunctions &functions) {
#define TILE_RESOLVE(NAME) resolve(library, #NAME, functions.NAME)
  return TILE_RESOLVE(tile_compiler_last_error) &&
         TILE_RESOLVE(tile_compiler_create) &&
         TILE_RESOLVE(tile_compiler_destroy) && TILE_RESOLVE(tile_compile) &&
         TILE_RESOLVE(tile_result_get_output) &&
         TILE_RESOLVE(tile_result_destroy) && TILE_RESOLVE(tile_run) &&
         TILE_RESOLVE(tile_outcome_get_profile) &&
         TILE_RESOLVE(tile_outcome_destroy);
#undef TILE_RESOLVE
}

static std::string printVersion(uint32_t version) {
  return concat(version >> 16, ".", version & 0xffff);
}

/// Checks that the major version is equal and the minor version is not older.
static Status checkVersion(uint32_t version) {
  if (version >> 16 == TILE_API_VERSION_MAJOR &&
      (version & 0xffff) >= TILE_API_VERSION_MINOR)
    return success();
  return runtimeError("expected version ", printVersion(TILE_API_VERSION),
                      ", found ", printVersion(version));
}

/// Opens the library `path`, which the loader looks up if it has no slash.
static Result<std::shared_ptr<const CompilerFunctions>>
openLibrary(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return runtimeError("cannot load the compiler: ", dlerror());
  auto functions = std::make_shared<CompilerFunctions>();
  functions->path = path;
  if (!resolve(library, "tile_api_version", functions->tile_api_version))
    return runtimeError("cannot load the compiler: expected tile_api_version "
                        "in '",
                        path, "', found none");
  if (Status status = checkVersion(functions->tile_api_version()); !status)
    return runtimeError("cannot load the compiler: ", status.error().message,
                        " in '", path, "'");
  if (!resolveAll(library, *functions))
    return runtimeError("cannot load the compiler: expected the functions of "
                        "tile-c/Compiler.h in '",
                        path, "', found not all");
  return std::shared_ptr<const CompilerFunctions>(std::move(functions));
}

Result<CompilerLibrary>
CompilerLibrary::find(const std::vector<std::string> &folders) {
  std::string path = kLibrary;
  for (const std::string &folder : folders) {
    std::string candidate = folder + "/" + kLibrary;
    if (access(candidate.c_str(), F_OK) == 0) {
      path = candidate;
      break;
    }
  }
  Result<std::shared_ptr<const CompilerFunctions>> functions =
      openLibrary(path);
  if (!functions)
    return functions.takeError();
  CompilerLibrary library;
  library.functions = std::move(*functions);
  return library;
}

const std::string &CompilerLibrary::getPath() const { return functions->path; }

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

/// The result of a compilation.
struct tile::runtime::CompilerResult {
  explicit CompilerResult(std::shared_ptr<const CompilerFunctions> functions)
      : functions(std::move(functions)) {}
  CompilerResult(const CompilerResult &) = delete;
  CompilerResult &operator=(const CompilerResult &) = delete;
  ~CompilerResult() { functions->tile_result_destroy(handle); }

  /// Returns an output; empty if it does not exist.
  std::string_view getOutput(tile_output output) const {
    const char *data = nullptr;
    size_t size = 0;
    functions->tile_result_get_output(handle, output, &data, &size);
    return {data, size};
  }

  std::shared_ptr<const CompilerFunctions> functions;
  tile_result *handle = nullptr;
  ModuleMetadata metadata;
};

const char *tile::runtime::getMachineName(Machine machine) {
  switch (machine) {
  case Machine::Cpu:
    return "cpu";
  case Machine::CpuDecomposed:
    return "cpu-decomposed";
  case Machine::Cuda:
    return "cuda";
  case Machine::Emulator:
    return "emulator";
  }
  return "";
}

static tile_machine getMachine(Machine machine) {
  switch (machine) {
  case Machine::Cpu:
    return TILE_MACHINE_CPU;
  case Machine::CpuDecomposed:
    return TILE_MACHINE_CPU_DECOMPOSED;
  case Machine::Cuda:
    return TILE_MACHINE_CUDA;
  case Machine::Emulator:
    return TILE_MACHINE_EMULATOR;
  }
  return TILE_MACHINE_CPU;
}

/// Creates a compiler that has no threads of its own and compiles one program.
/// tile-run thus has only one thread when it reads bytecode, which may be
/// damaged.
static tile_status createCompiler(const CompilerFunctions &functions,
                                  tile_compiler **compiler) {
  ToolkitFile ptxas = findToolkitPart(ToolkitPart::kPtxas);
  ToolkitFile libdevice = findToolkitPart(ToolkitPart::kLibdevice);
  tile_compiler_options options = {};
  options.struct_size = sizeof options;
  options.ptxas = ptxas.path.empty() ? nullptr : ptxas.path.c_str();
  options.ptxas_advice = ptxas.advice.c_str();
  options.libdevice = libdevice.path.empty() ? nullptr : libdevice.path.c_str();
  options.libdevice_advice = libdevice.advice.c_str();
  options.threads = 1;
  return functions.tile_compiler_create(TILE_API_VERSION, &options, compiler);
}

Result<CompiledProgram>
CompilerLibrary::compile(std::string_view program, const std::string &path,
                         const std::string &kernel, Machine machine,
                         const std::string &arch) const {
  tile_compile_options options = {};
  options.struct_size = sizeof options;
  options.name = path.c_str();
  options.machine = getMachine(machine);
  options.arch = arch.empty() ? nullptr : arch.c_str();
  options.kernel = kernel.empty() ? nullptr : kernel.c_str();
  auto result = std::make_shared<CompilerResult>(functions);
  tile_compiler *compiler = nullptr;
  tile_status status = createCompiler(*functions, &compiler);
  if (status == TILE_STATUS_OK)
    status = functions->tile_compile(compiler, program.data(), program.size(),
                                     &options, &result->handle);
  std::string problem = functions->tile_compiler_last_error();
  functions->tile_compiler_destroy(compiler);
  if (status != TILE_STATUS_OK)
    return inputError("'", path, "' does not compile for ",
                      arch.empty() ? getMachineName(machine) : arch, ":\n",
                      problem);
  Result<ModuleMetadata> metadata = fromJson(
      result->getOutput(TILE_OUTPUT_METADATA), "metadata of '" + path + "'");
  if (!metadata)
    return runtimeError(metadata.error().message);
  result->metadata = std::move(*metadata);
  CompiledProgram compiled;
  compiled.result = std::move(result);
  return compiled;
}

const ModuleMetadata &CompiledProgram::getMetadata() const {
  return result->metadata;
}

std::string_view CompiledProgram::getBinary() const {
  return result->getOutput(TILE_OUTPUT_CUBIN);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Converts the arguments to C; the result points into `arguments`.
static std::vector<tile_argument>
convert(const std::vector<KernelArgument> &arguments) {
  std::vector<tile_argument> converted;
  for (const KernelArgument &argument : arguments) {
    tile_argument &next = converted.emplace_back();
    next.struct_size = sizeof next;
    if (const auto *scalar = std::get_if<ScalarValue>(&argument)) {
      next.data = scalar->bytes.data();
      next.rank = TILE_SCALAR;
      next.type = getElementTypeName(scalar->type);
      continue;
    }
    const auto &array = *std::get_if<ArrayView>(&argument);
    next.data = reinterpret_cast<const void *>(array.address);
    next.rank = static_cast<int32_t>(array.sizes.size());
    next.sizes = array.sizes.data();
    next.strides = array.strides.data();
    next.type = getElementTypeName(array.type);
  }
  return converted;
}

using Clock = std::chrono::steady_clock;

/// Whether the time point `end` has passed, as a C callback.
static int32_t isOver(void *end) {
  return Clock::now() >= *static_cast<const Clock::time_point *>(end);
}

/// Runs `kernel`, and returns its outcome in `outcome`.
static Status run(const CompilerResult &result, const KernelMetadata &kernel,
                  const std::vector<KernelArgument> &arguments, double timeout,
                  tile_run_options options, tile_outcome **outcome) {
  std::vector<tile_argument> converted = convert(arguments);
  auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                std::chrono::duration<double>(timeout));
  if (timeout > 0) {
    options.must_stop = isOver;
    options.must_stop_context = &end;
  }
  if (result.functions->tile_run(result.handle, kernel.name.c_str(),
                                 converted.data(), converted.size(), &options,
                                 outcome) == TILE_STATUS_OK)
    return success();
  std::string problem = result.functions->tile_compiler_last_error();
  if (timeout > 0 && isOver(&end))
    return runtimeError(
        "expected an end within the seconds of --timeout, found "
        "none\n",
        problem);
  return runtimeError(problem);
}

Status CompiledProgram::runOnCpu(const KernelMetadata &kernel,
                                 const std::vector<KernelArgument> &arguments,
                                 const LaunchPlan &plan, int threads,
                                 double timeout) const {
  if (plan.isEmpty())
    return success();
  tile_run_options options = {};
  options.struct_size = sizeof options;
  options.grid = plan.grid.data();
  options.threads = threads;
  Status status = run(*result, kernel, arguments, timeout, options, nullptr);
  if (status)
    return status;
  return runtimeError("kernel '", kernel.name,
                      "' failed on the cpu path: ", status.error().message);
}

/// Removes the newlines at the end of a text.
static std::string trim(std::string text) {
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  return text;
}

/// Calls the progress function of `options`, as a C callback.
static void forwardProgress(void *options, int64_t ended, int64_t all) {
  static_cast<const EmulationOptions *>(options)->progress(ended, all);
}

Result<EmulationProfile> CompiledProgram::runOnEmulator(
    const KernelMetadata &kernel, const std::vector<KernelArgument> &arguments,
    const LaunchPlan &plan, const EmulationOptions &options) const {
  if (plan.isEmpty())
    return EmulationProfile();
  tile_run_options how = {};
  how.struct_size = sizeof how;
  how.grid = plan.grid.data();
  how.threads = options.threads;
  how.entry = kernel.entries[plan.entry].symbol.c_str();
  how.seed = options.seed;
  how.schedules = options.numSchedules;
  how.tolerance = options.tolerance;
  how.profile = options.isProfiled;
  if (options.progress) {
    how.progress = forwardProgress;
    how.progress_context = const_cast<EmulationOptions *>(&options);
  }
  tile_outcome *outcome = nullptr;
  Status status =
      run(*result, kernel, arguments, options.timeout, how, &outcome);
  const char *text = "", *json = "";
  if (status && options.isProfiled)
    result->functions->tile_outcome_get_profile(outcome, &text, &json);
  EmulationProfile profile = {trim(text), trim(json)};
  result->functions->tile_outcome_destroy(outcome);
  if (!status)
    return runtimeError("kernel '", kernel.name, "' failed on the emulator:\n",
                        status.error().message);
  return profile;
}
