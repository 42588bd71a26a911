// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- CompilerPlugin.cpp - the compiler, if it is installed --------------===//

#include "tile/Runtime/CompilerPlugin.h"

#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Plugin.h"

#include <algorithm>
#include <cstring>
#include <deque>

#include <dlfcn.h>
#include <unistd.h>

using namespace tile::runtime;

static constexpr char kLibrary[] = "libTileCompilerPlugin.so";

/// The functions of Plugin.h in one library. It stays open: threads of the
/// compiler may outlive us.
struct tile::runtime::PluginFunctions {
  std::string path;
  decltype(&tile_plugin_version) version = nullptr;
  decltype(&tile_plugin_compile) compile = nullptr;
  decltype(&tile_plugin_run_cpu) runCpu = nullptr;
  decltype(&tile_plugin_run_emulator) runEmulator = nullptr;
  decltype(&tile_plugin_free_emulation) freeEmulation = nullptr;
  decltype(&tile_plugin_free_result) freeResult = nullptr;
  decltype(&tile_plugin_free_error) freeError = nullptr;
};

/// What one compilation gave.
struct tile::runtime::PluginResult {
  explicit PluginResult(std::shared_ptr<const PluginFunctions> functions)
      : functions(std::move(functions)) {}
  PluginResult(const PluginResult &) = delete;
  PluginResult &operator=(const PluginResult &) = delete;
  ~PluginResult() { functions->freeResult(&raw); }

  std::shared_ptr<const PluginFunctions> functions;
  tile_plugin_result raw = {};
  ModuleMetadata metadata;
};

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

template <typename Function>
static bool resolve(void *library, const char *name, Function &function) {
  void *symbol = dlsym(library, name);
  static_assert(sizeof symbol == sizeof function, "POSIX");
  std::memcpy(&function, &symbol, sizeof symbol);
  return symbol != nullptr;
}

/// Opens the library `path`, which the loader looks up if it has no slash.
static Result<std::shared_ptr<const PluginFunctions>>
openPlugin(const std::string &path) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return runtimeError("cannot load the compiler plugin: ", dlerror());
  auto functions = std::make_shared<PluginFunctions>();
  functions->path = path;
  if (!resolve(library, "tile_plugin_version", functions->version))
    return runtimeError("cannot load the compiler plugin: expected "
                        "tile_plugin_version in '",
                        path, "', found none");
  if (int version = functions->version(); version != TILE_PLUGIN_VERSION)
    return runtimeError("cannot load the compiler plugin: expected version ",
                        TILE_PLUGIN_VERSION, ", found ", version, " in '", path,
                        "'");
  if (!resolve(library, "tile_plugin_compile", functions->compile) ||
      !resolve(library, "tile_plugin_run_cpu", functions->runCpu) ||
      !resolve(library, "tile_plugin_run_emulator", functions->runEmulator) ||
      !resolve(library, "tile_plugin_free_emulation",
               functions->freeEmulation) ||
      !resolve(library, "tile_plugin_free_result", functions->freeResult) ||
      !resolve(library, "tile_plugin_free_error", functions->freeError))
    return runtimeError("cannot load the compiler plugin: expected the "
                        "functions of Plugin.h in '",
                        path, "', found not all");
  return std::shared_ptr<const PluginFunctions>(std::move(functions));
}

Result<CompilerPlugin>
CompilerPlugin::find(const std::vector<std::string> &folders) {
  std::string path = kLibrary;
  for (const std::string &folder : folders) {
    std::string candidate = folder + "/" + kLibrary;
    if (access(candidate.c_str(), F_OK) == 0) {
      path = candidate;
      break;
    }
  }
  Result<std::shared_ptr<const PluginFunctions>> functions = openPlugin(path);
  if (!functions)
    return functions.takeError();
  CompilerPlugin plugin;
  plugin.functions = std::move(*functions);
  return plugin;
}

const std::string &CompilerPlugin::getPath() const { return functions->path; }

//===----------------------------------------------------------------------===//
// Compiling and running
//===----------------------------------------------------------------------===//

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

/// A message of the plugin without the newlines at its end.
static std::string takeText(const char *text, const char *otherwise) {
  std::string message = text ? text : otherwise;
  while (!message.empty() && message.back() == '\n')
    message.pop_back();
  return message;
}

Result<CompiledProgram> CompilerPlugin::compile(const std::string &path,
                                                const std::string &kernel,
                                                Machine machine,
                                                const std::string &arch) const {
  auto result = std::make_shared<PluginResult>(functions);
  if (functions->compile(
          path.c_str(), kernel.empty() ? nullptr : kernel.c_str(),
          getMachineName(machine), arch.empty() ? nullptr : arch.c_str(),
          &result->raw) != 0)
    return inputError(
        "'", path, "' does not compile for ",
        arch.empty() ? getMachineName(machine) : arch, ":\n",
        takeText(result->raw.error, "the compiler failed without a message"));
  if (!result->raw.metadata)
    return runtimeError("expected metadata from the compiler plugin, found "
                        "none");
  Result<ModuleMetadata> metadata =
      fromJson(result->raw.metadata, "metadata of '" + path + "'");
  if (!metadata)
    return runtimeError(metadata.error().message);
  result->metadata = std::move(*metadata);

  CompiledProgram program;
  program.result = std::move(result);
  return program;
}

const ModuleMetadata &CompiledProgram::getMetadata() const {
  return result->metadata;
}

std::string_view CompiledProgram::getBinary() const {
  return {static_cast<const char *>(result->raw.binary),
          result->raw.binary_size};
}

/// Memory for the hidden arguments of a launch.
static Result<std::vector<HostBuffer>>
allocateWorkspaces(const KernelMetadata &kernel, const LaunchPlan &plan) {
  std::vector<HostBuffer> workspaces;
  for (size_t i = 0; i < plan.hiddenBytes.size(); ++i) {
    // What is not promised to be zero is made to look like nothing sensible.
    Result<HostBuffer> workspace = HostBuffer::allocate(
        plan.hiddenBytes[i], kernel.hiddenArguments[i].zero ? 0 : 0xff);
    if (!workspace)
      return workspace.takeError();
    workspaces.push_back(std::move(*workspace));
  }
  return workspaces;
}

static std::vector<uint64_t>
getAddresses(const std::vector<HostBuffer> &workspaces) {
  std::vector<uint64_t> addresses;
  for (const HostBuffer &workspace : workspaces)
    addresses.push_back(reinterpret_cast<uintptr_t>(workspace.data()));
  return addresses;
}

Status CompiledProgram::runOnCpu(const KernelMetadata &kernel,
                                 const std::vector<KernelArgument> &arguments,
                                 const LaunchPlan &plan, int threads) const {
  if (plan.isEmpty())
    return success();
  Result<std::vector<HostBuffer>> workspaces = allocateWorkspaces(kernel, plan);
  if (!workspaces)
    return workspaces.takeError();
  ParameterList parameters(kernel, arguments, getAddresses(*workspaces));
  char *error = nullptr;
  if (result->functions->runCpu(result->raw.handle, kernel.name.c_str(),
                                parameters.data(), plan.grid.data(), threads,
                                &error) == 0)
    return success();
  std::string message = takeText(error, "no message");
  result->functions->freeError(error);
  return runtimeError("kernel '", kernel.name,
                      "' failed on the cpu path: ", message);
}

namespace {
/// What may be accessed: the arrays, then the workspaces.
class AccessibleArrays {
public:
  AccessibleArrays(const std::vector<KernelArgument> &arguments,
                   std::vector<HostBuffer> &workspaces) {
    for (const KernelArgument &argument : arguments)
      if (const auto *view = std::get_if<ArrayView>(&argument))
        append(*view);
    for (HostBuffer &workspace : workspaces)
      arrays.push_back({workspace.data(), static_cast<size_t>(workspace.size()),
                        0, nullptr, nullptr, 1});
  }

  const std::vector<tile_plugin_array> &get() const { return arrays; }

private:
  void append(const ArrayView &view) {
    extents.push_back(getExtent(view));
    const ArrayExtent &extent = extents.back();
    arrays.push_back({reinterpret_cast<void *>(extent.first), extent.size,
                      static_cast<int>(view.sizes.size()), view.sizes.data(),
                      extent.byteStrides.data(),
                      static_cast<size_t>(getByteSize(view.type))});
  }

  std::vector<tile_plugin_array> arrays;
  /// A deque: the addresses of its elements do not change.
  std::deque<ArrayExtent> extents;
};
} // namespace

/// The options' function, for a caller in C.
static void forwardProgress(void *options, int64_t ended, int64_t all) {
  static_cast<const EmulationOptions *>(options)->progress(ended, all);
}

Result<EmulationProfile> CompiledProgram::runOnEmulator(
    const KernelMetadata &kernel, const std::vector<KernelArgument> &arguments,
    const LaunchPlan &plan, const EmulationOptions &options) const {
  if (plan.isEmpty())
    return EmulationProfile();
  Result<std::vector<HostBuffer>> workspaces = allocateWorkspaces(kernel, plan);
  if (!workspaces)
    return workspaces.takeError();
  ParameterList parameters(kernel, arguments, getAddresses(*workspaces));
  AccessibleArrays arrays(arguments, *workspaces);
  tile_plugin_emulation how = {};
  how.entry = kernel.entries[plan.entry].symbol.c_str();
  how.arrays = arrays.get().data();
  how.num_arrays = arrays.get().size();
  std::copy(plan.grid.begin(), plan.grid.end(), how.grid);
  how.seed = options.seed;
  how.num_schedules = options.numSchedules;
  how.tolerance = options.tolerance;
  how.threads = options.threads;
  how.is_profiled = options.isProfiled;
  if (options.progress) {
    how.progress = forwardProgress;
    how.progress_context = const_cast<EmulationOptions *>(&options);
  }

  tile_plugin_emulation_result raw = {};
  int status = result->functions->runEmulator(
      result->raw.handle, kernel.name.c_str(), parameters.data(), &how, &raw);
  EmulationProfile profile = {takeText(raw.profile, ""),
                              takeText(raw.profile_json, "")};
  std::string message = takeText(raw.error, "no message");
  result->functions->freeEmulation(&raw);
  if (status != 0)
    return runtimeError("kernel '", kernel.name, "' failed on the emulator:\n",
                        message);
  return profile;
}
