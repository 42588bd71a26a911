// tile-plugin - the compiler as a library that tile-run opens
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C functions of tile/Runtime/Plugin.h, which says what they promise.

#include "Program.h"

#include "tile/Runtime/Plugin.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace tile;

#define TILE_PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

/// A copy of `text` for a caller in C, freed by `free`.
static char *copyText(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (copy)
    std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

TILE_PLUGIN_EXPORT int tile_plugin_version(void) { return TILE_PLUGIN_VERSION; }

TILE_PLUGIN_EXPORT int tile_plugin_compile(const char *path, const char *kernel,
                                           const char *machine,
                                           const char *arch,
                                           struct tile_plugin_result *out) {
  *out = {};
  std::string error;
  std::unique_ptr<plugin::Program> program = plugin::compileFile(
      path, kernel ? kernel : "", {machine, arch ? arch : ""}, error);
  if (!program) {
    out->error = copyText(error);
    return 1;
  }
  out->metadata = program->metadata.c_str();
  if (!program->binary.empty()) {
    out->binary = program->binary.data();
    out->binary_size = program->binary.size();
  }
  out->handle = program.release();
  return 0;
}

TILE_PLUGIN_EXPORT int tile_plugin_run_cpu(void *handle, const char *kernel,
                                           void **params, const int64_t grid[3],
                                           int threads, char **error) {
  auto *program = static_cast<plugin::Program *>(handle);
  *error = nullptr;
  std::string problem = "expected a program compiled for the cpu";
  if (program && program->cpu) {
    llvm::Error result =
        program->cpu->run(kernel, params, {grid[0], grid[1], grid[2]}, threads);
    if (!result)
      return 0;
    problem = llvm::toString(std::move(result));
  }
  *error = copyText(problem);
  return 1;
}

TILE_PLUGIN_EXPORT int
tile_plugin_run_emulator(void *handle, const char *kernel, void **params,
                         const struct tile_plugin_emulation *how,
                         struct tile_plugin_emulation_result *out) {
  auto *program = static_cast<plugin::Program *>(handle);
  if (!program || !program->emulator) {
    out->error = copyText("expected a program compiled for the emulator");
    return 1;
  }
  EmulatorRun run;
  run.entry = how->entry;
  run.parameters = params;
  run.grid = {how->grid[0], how->grid[1], how->grid[2]};
  for (size_t i = 0; i < how->num_arrays; ++i) {
    const struct tile_plugin_array &array = how->arrays[i];
    run.arrays.push_back({array.first,
                          array.size,
                          {array.extents, array.extents + array.rank},
                          {array.strides, array.strides + array.rank},
                          array.element_size});
  }
  run.seed = how->seed;
  run.numSchedules = how->num_schedules;
  run.tolerance = how->tolerance;
  run.threads = how->threads;
  run.isProfiled = how->is_profiled != 0;
  if (how->progress)
    run.progress = [how](uint64_t ended, uint64_t all) {
      how->progress(how->progress_context, static_cast<int64_t>(ended),
                    static_cast<int64_t>(all));
    };
  llvm::Expected<EmulatorProfile> profile = program->emulator->run(run);
  if (!profile) {
    out->error = copyText(llvm::toString(profile.takeError()));
    return 1;
  }
  if (run.isProfiled) {
    out->profile = copyText(profile->text);
    out->profile_json = copyText(profile->json);
  }
  return 0;
}

TILE_PLUGIN_EXPORT void
tile_plugin_free_emulation(struct tile_plugin_emulation_result *result) {
  std::free(result->error);
  std::free(result->profile);
  std::free(result->profile_json);
  *result = {};
}

TILE_PLUGIN_EXPORT void
tile_plugin_free_result(struct tile_plugin_result *result) {
  delete static_cast<plugin::Program *>(result->handle);
  std::free(result->error);
  *result = {};
}

TILE_PLUGIN_EXPORT void tile_plugin_free_error(char *error) {
  std::free(error);
}
