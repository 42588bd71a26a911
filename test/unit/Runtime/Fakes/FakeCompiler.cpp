// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeCompiler.cpp - the compiler's library without a compiler -------===//
//
// Stands in for libTileCompiler.so.0 in tests. A "program" is a text with the
// line `// metadata: FILE`: kernel metadata relative to the program, in which
// the architecture is replaced by the target. Its kernels are those of
// FakeKernels.h. A text with the word "mistake" does not compile; the kernel
// "fail" fails when it runs. The emulator's profile records the settings of the
// run. $TILE_FAKE_COMPILER_VERSION changes the version, the major and minor
// version in one integer. With $TILE_FAKE_COMPILER_SLOW a run on the emulator
// has four blocks that take 210 ms each.
//
//===----------------------------------------------------------------------===//

#include "Common/Arguments.h"
#include "Common/Handles.h"

#include "tile-c/Compiler.h"

#include "FakeKernels.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

using namespace tile;
using namespace tile::capi;

namespace {
struct FakeCompiler {
  static constexpr HandleKind kKind = HandleKind::Compiler;
};
struct FakeResult {
  static constexpr HandleKind kKind = HandleKind::Result;
  tile_machine machine;
  std::string metadata;
  std::string binary;
};
struct FakeOutcome {
  static constexpr HandleKind kKind = HandleKind::Outcome;
  std::string profile;
};

std::string readFile(const std::string &path) {
  std::ifstream stream(path);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string replaceAll(std::string text, const std::string &from,
                       const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}
} // namespace

TILE_C_EXPORT uint32_t tile_api_version(void) {
  const char *version = std::getenv("TILE_FAKE_COMPILER_VERSION");
  return version ? std::strtoul(version, nullptr, 0) : TILE_API_VERSION;
}

TILE_C_EXPORT const char *tile_compiler_last_error(void) {
  return getLastError();
}

TILE_C_EXPORT tile_status tile_compiler_create(uint32_t,
                                               const tile_compiler_options *,
                                               tile_compiler **compiler) {
  addHandle(std::make_shared<FakeCompiler>(), compiler);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_compiler_destroy(tile_compiler *compiler) {
  return removeHandle(compiler, FakeCompiler::kKind);
}

TILE_C_EXPORT tile_status tile_compile(tile_compiler *, const void *program,
                                       size_t size,
                                       const tile_compile_options *options,
                                       tile_result **result) {
  std::string text(static_cast<const char *>(program), size);
  std::string path = options->name;
  const std::string prefix = "// metadata: ";
  if (text.find("mistake") != text.npos)
    return fail(TILE_STATUS_INVALID_PROGRAM, path + ":1:1: error: a mistake\n");
  size_t start = text.find(prefix);
  if (start == text.npos)
    return fail(TILE_STATUS_INVALID_PROGRAM,
                path + ":1:1: error: no program\n");
  start += prefix.size();
  std::string name = text.substr(start, text.find('\n', start) - start);
  std::string folder = path.substr(0, path.rfind('/') + 1);
  auto made = std::make_shared<FakeResult>();
  made->machine = options->machine;
  const char *arch = options->machine == TILE_MACHINE_CPU ? "cpu"
                     : options->arch                      ? options->arch
                                                          : "sm_80";
  made->metadata = replaceAll(readFile(folder + name), "sm_90a", arch);
  if (options->machine == TILE_MACHINE_CUDA)
    made->binary = readFile(folder + "fake.cubin");
  addHandle(std::move(made), result);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_result_get_output(const tile_result *result,
                                                 tile_output output,
                                                 const char **data,
                                                 size_t *size) {
  std::shared_ptr<FakeResult> found;
  if (tile_status status = findHandle(result, found))
    return status;
  const std::string &text =
      output == TILE_OUTPUT_METADATA ? found->metadata : found->binary;
  *data = text.data();
  *size = text.size();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_result_destroy(tile_result *result) {
  return removeHandle(result, FakeResult::kKind);
}

static void runSlowBlocks(const tile_run_options &options) {
  for (int64_t block = 1; block <= 4; ++block) {
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    if (options.progress)
      options.progress(options.progress_context, block, 4);
  }
}

/// Returns the entry point, arguments and options of a run as text.
static std::string
describe(const std::vector<runtime::KernelArgument> &arguments,
         const std::vector<int64_t> &workspaces,
         const tile_run_options &options) {
  std::ostringstream sizes, text;
  size_t numArrays = workspaces.size();
  for (const runtime::KernelArgument &argument : arguments)
    if (const auto *array = std::get_if<runtime::ArrayView>(&argument)) {
      sizes << " " << getExtent(*array).size;
      ++numArrays;
    }
  for (int64_t bytes : workspaces)
    sizes << " " << bytes;
  text << "entry " << options.entry << ", " << numArrays << " arrays of bytes"
       << sizes.str() << ", seed " << options.seed << ", schedules "
       << options.schedules << ", tolerance " << options.tolerance
       << ", threads " << options.threads;
  return text.str();
}

TILE_C_EXPORT tile_status tile_run(const tile_result *program,
                                   const char *kernel,
                                   const tile_argument *arguments, size_t count,
                                   const tile_run_options *options,
                                   tile_outcome **outcome) {
  std::shared_ptr<FakeResult> found;
  if (tile_status status = findHandle(program, found))
    return status;
  auto metadata = runtime::fromJson(found->metadata, "metadata");
  auto described = runtime::findKernel(*metadata, kernel, "metadata");
  std::vector<runtime::KernelArgument> converted;
  if (tile_status status =
          readArguments(**described, arguments, count, converted))
    return status;
  auto plan =
      runtime::planLaunch(**described, converted, readGrid(options->grid));
  if (!plan)
    return fail(TILE_STATUS_INVALID_ARGUMENT, plan.error().message);
  if (found->machine == TILE_MACHINE_EMULATOR &&
      std::getenv("TILE_FAKE_COMPILER_SLOW"))
    runSlowBlocks(*options);
  const fake::FakeKernel *function = fake::findKernel(kernel);
  if (!function || std::string(kernel) == "fail")
    return fail(TILE_STATUS_KERNEL_FAILED,
                "program.mlir:3:5: assertion failed: asked to\n");
  std::vector<std::vector<char>> workspaces;
  std::vector<uint64_t> addresses;
  for (int64_t bytes : plan->hiddenBytes) {
    workspaces.emplace_back(bytes);
    addresses.push_back(reinterpret_cast<uintptr_t>(workspaces.back().data()));
  }
  runtime::ParameterList parameters(**described, converted, addresses);
  function->run(fake::Parameters(parameters.data()),
                {plan->grid[0], plan->grid[1], plan->grid[2]}, {128, 1, 1});
  auto made = std::make_shared<FakeOutcome>();
  if (options->profile)
    made->profile = describe(converted, plan->hiddenBytes, *options);
  if (outcome)
    addHandle(std::move(made), outcome);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_outcome_get_profile(const tile_outcome *outcome,
                                                   const char **text,
                                                   const char **json) {
  std::shared_ptr<FakeOutcome> found;
  if (tile_status status = findHandle(outcome, found))
    return status;
  *text = found->profile.c_str();
  *json = "{}";
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_outcome_destroy(tile_outcome *outcome) {
  return removeHandle(outcome, FakeOutcome::kKind);
}
