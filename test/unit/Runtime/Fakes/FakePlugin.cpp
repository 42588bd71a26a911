// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakePlugin.cpp - a compiler plugin without a compiler --------------===//
//
// Stands in for libTileCompilerPlugin.so in tests. A "program" is a text with
// the line `// metadata: FILE`: kernel metadata relative to the program, in
// which the architecture is replaced by the target. Its kernels are those of
// FakeKernels.h. A text with the word "mistake" does not compile; the kernel
// "fail" fails when it runs. The emulator's profile says what it was asked to
// do. $TILE_FAKE_PLUGIN_VERSION changes the version. With
// $TILE_FAKE_PLUGIN_SLOW a run on the emulator is of four blocks that take
// their time.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/Plugin.h"

#include "FakeKernels.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace {
struct Program {
  std::string metadata;
  std::string binary;
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

int fail(tile_plugin_result *out, const std::string &error) {
  out->error = strdup(error.c_str());
  return 1;
}
} // namespace

int tile_plugin_version(void) {
  const char *version = std::getenv("TILE_FAKE_PLUGIN_VERSION");
  return version ? std::atoi(version) : TILE_PLUGIN_VERSION;
}

int tile_plugin_compile(const char *path, const char *, const char *machine,
                        const char *arch, tile_plugin_result *out) {
  bool isCpu = std::string(machine) == "cpu";
  std::string text = readFile(path);
  const std::string prefix = "// metadata: ";
  if (text.find("mistake") != text.npos)
    return fail(out, std::string(path) + ":1:1: error: a mistake\n");
  size_t start = text.find(prefix);
  if (start == text.npos)
    return fail(out, std::string(path) + ":1:1: error: no program\n");
  start += prefix.size();
  std::string name = text.substr(start, text.find('\n', start) - start);
  std::string folder = path;
  folder = folder.substr(0, folder.rfind('/') + 1);
  auto *program = new Program();
  program->metadata = replaceAll(readFile(folder + name), "sm_90a",
                                 isCpu  ? "cpu"
                                 : arch ? arch
                                        : "sm_80");
  if (std::string(machine) == "cuda") {
    program->binary = readFile(folder + "fake.cubin");
    out->binary = program->binary.data();
    out->binary_size = program->binary.size();
  }
  out->handle = program;
  out->metadata = program->metadata.c_str();
  return 0;
}

int tile_plugin_run_cpu(void *, const char *kernel, void **params,
                        const int64_t grid[3], int, char **error) {
  const fake::FakeKernel *found = fake::findKernel(kernel);
  if (!found || std::string(kernel) == "fail") {
    *error = strdup("program.mlir:3:5: assertion failed: asked to\n");
    return 1;
  }
  found->run(fake::Parameters(params), {grid[0], grid[1], grid[2]},
             {128, 1, 1});
  return 0;
}

static void runSlowBlocks(const tile_plugin_emulation *how) {
  for (int64_t block = 1; block <= 4; ++block) {
    std::this_thread::sleep_for(std::chrono::milliseconds(210));
    if (how->progress)
      how->progress(how->progress_context, block, 4);
  }
}

int tile_plugin_run_emulator(void *handle, const char *kernel, void **params,
                             const tile_plugin_emulation *how,
                             tile_plugin_emulation_result *out) {
  if (std::getenv("TILE_FAKE_PLUGIN_SLOW"))
    runSlowBlocks(how);
  if (tile_plugin_run_cpu(handle, kernel, params, how->grid, how->threads,
                          &out->error) != 0)
    return 1;
  std::ostringstream text;
  text << "entry " << how->entry << ", " << how->num_arrays
       << " arrays of bytes";
  for (size_t i = 0; i < how->num_arrays; ++i)
    text << " " << how->arrays[i].size;
  text << ", seed " << how->seed << ", schedules " << how->num_schedules
       << ", tolerance " << how->tolerance << ", threads " << how->threads;
  if (how->is_profiled) {
    out->profile = strdup((text.str() + "\n").c_str());
    out->profile_json = strdup("{}");
  }
  return 0;
}

void tile_plugin_free_emulation(tile_plugin_emulation_result *result) {
  std::free(result->error);
  std::free(result->profile);
  std::free(result->profile_json);
  *result = {};
}

void tile_plugin_free_result(tile_plugin_result *result) {
  delete static_cast<Program *>(result->handle);
  std::free(result->error);
  *result = {};
}

void tile_plugin_free_error(char *error) { std::free(error); }
