/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile.c - compiles text to a result, and prints the diagnostics. */

#include "embed.h"

#include <stdio.h>
#include <string.h>

static void print_diagnostic(const tile_diagnostic *diagnostic) {
  static const char *const kSeverities[] = {"note", "remark", "warning",
                                            "error"};
  fprintf(stderr, "line %u, column %u: %s: %s\n", diagnostic->line,
          diagnostic->column, kSeverities[diagnostic->severity],
          diagnostic->text);
  for (size_t i = 0; i < diagnostic->num_notes; ++i)
    print_diagnostic(diagnostic->notes[i]);
}

tile_result *compile(tile_compiler *compiler, const char *text,
                     const tile_compile_options *options) {
  tile_result *result;
  tile_status status =
      tile_compile(compiler, text, strlen(text), options, &result);
  /* Other failures are errors of the call, which have no diagnostics. */
  if (status != TILE_STATUS_OK && status != TILE_STATUS_INVALID_PROGRAM)
    fprintf(stderr, "%s: %s\n", tile_status_string(status),
            tile_compiler_last_error());
  const tile_diagnostic *const *diagnostics;
  size_t count;
  if (result && tile_result_get_diagnostics(result, &diagnostics, &count) ==
                    TILE_STATUS_OK)
    for (size_t i = 0; i < count; ++i)
      print_diagnostic(diagnostics[i]);
  if (status == TILE_STATUS_OK)
    return result;
  tile_result_destroy(result);
  return NULL;
}
