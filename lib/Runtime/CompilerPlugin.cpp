// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- CompilerPlugin.cpp - the compiler, if it is installed --------------===//

#include "tile/Runtime/CompilerPlugin.h"

#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Plugin.h"

#include <climits>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

using namespace tile::runtime;

static constexpr char kLibrary[] = "libTileCompilerPlugin.so";
static constexpr char kSearchVariable[] = "TILE_PLUGIN_PATH";

/// The functions of Plugin.h in one library. It stays open: threads of the
/// compiler may outlive us.
struct tile::runtime::PluginFunctions {
  std::string path;
  decltype(&tile_plugin_version) version = nullptr;
  decltype(&tile_plugin_compile) compile = nullptr;
  decltype(&tile_plugin_run_cpu) runCpu = nullptr;
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

/// The folder of the running program, or empty.
static std::string getExecutableFolder() {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0 || length == ssize_t(sizeof path))
    return "";
  std::string text(path, static_cast<size_t>(length));
  return text.substr(0, text.rfind('/'));
}

/// The folders to look in before the loader does.
static std::vector<std::string> getSearchPath(std::string executableFolder) {
  std::vector<std::string> folders;
  if (const char *variable = std::getenv(kSearchVariable)) {
    std::string_view rest = variable;
    while (!rest.empty()) {
      size_t end = std::min(rest.find(':'), rest.size());
      if (end != 0)
        folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  if (executableFolder.empty())
    executableFolder = getExecutableFolder();
  if (!executableFolder.empty()) {
    folders.push_back(executableFolder + "/../lib");
    folders.push_back(executableFolder);
  }
  return folders;
}

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
      !resolve(library, "tile_plugin_free_result", functions->freeResult) ||
      !resolve(library, "tile_plugin_free_error", functions->freeError))
    return runtimeError("cannot load the compiler plugin: expected the "
                        "functions of Plugin.h in '",
                        path, "', found not all");
  return std::shared_ptr<const PluginFunctions>(std::move(functions));
}

Result<CompilerPlugin>
CompilerPlugin::find(const std::string &executableFolder) {
  std::string path = kLibrary;
  for (const std::string &folder : getSearchPath(executableFolder)) {
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

Result<CompiledProgram>
CompilerPlugin::compile(const std::string &path, const std::string &kernel,
                        const std::string &target) const {
  auto result = std::make_shared<PluginResult>(functions);
  if (functions->compile(path.c_str(),
                         kernel.empty() ? nullptr : kernel.c_str(),
                         target.c_str(), &result->raw) != 0) {
    std::string message = result->raw.error
                              ? result->raw.error
                              : "the compiler failed without a message";
    while (!message.empty() && message.back() == '\n')
      message.pop_back();
    return inputError("'", path, "' does not compile for ", target, ":\n",
                      message);
  }
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

Status CompiledProgram::runOnCpu(const KernelMetadata &kernel,
                                 const std::vector<KernelArgument> &arguments,
                                 const LaunchPlan &plan, int threads) const {
  if (plan.isEmpty())
    return success();
  std::vector<HostBuffer> workspaces;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < plan.hiddenBytes.size(); ++i) {
    // What is not promised to be zero is made to look like nothing sensible.
    Result<HostBuffer> workspace = HostBuffer::allocate(
        plan.hiddenBytes[i], kernel.hiddenArguments[i].zero ? 0 : 0xff);
    if (!workspace)
      return workspace.takeError();
    addresses.push_back(reinterpret_cast<uintptr_t>(workspace->data()));
    workspaces.push_back(std::move(*workspace));
  }

  ParameterList parameters(kernel, arguments, addresses);
  char *error = nullptr;
  if (result->functions->runCpu(result->raw.handle, kernel.name.c_str(),
                                parameters.data(), plan.grid.data(), threads,
                                &error) == 0)
    return success();
  std::string message = error ? error : "no message";
  result->functions->freeError(error);
  while (!message.empty() && message.back() == '\n')
    message.pop_back();
  return runtimeError("kernel '", kernel.name,
                      "' failed on the cpu path: ", message);
}
