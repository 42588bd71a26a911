/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* differentiate FILE [NAME=VALUE...]: differentiates the program by the C
   library, with the options of tile_gradient_options by their names, `wrt` and
   `outputs` once for each argument; `output` chooses ir or metadata. Prints the
   output, or the status and the error. */

#include "File.h"

#include "tile-c/Compiler.h"

#include <string.h>

enum { MOST_NAMES = 8 };

static const char *wrt[MOST_NAMES], *outputs[MOST_NAMES];

static void set_option(char *word, tile_gradient_options *options,
                       tile_output *output) {
  char *value = strchr(word, '=');
  if (!value)
    exit(2);
  *value++ = 0;
  if (strcmp(word, "name") == 0)
    options->name = value;
  else if (strcmp(word, "kernel") == 0)
    options->kernel = value;
  else if (strcmp(word, "mode") == 0)
    options->mode = atoi(value);
  else if (strcmp(word, "wrt") == 0 && options->num_wrt < MOST_NAMES)
    wrt[options->num_wrt++] = value;
  else if (strcmp(word, "outputs") == 0 && options->num_outputs < MOST_NAMES)
    outputs[options->num_outputs++] = value;
  else if (strcmp(word, "atomics") == 0)
    options->atomics = atoi(value);
  else if (strcmp(word, "segments") == 0)
    options->segments = atoi(value);
  else if (strcmp(word, "derivatives_only") == 0)
    options->derivatives_only = atoi(value);
  else if (strcmp(word, "locations") == 0)
    options->locations = atoi(value);
  else if (strcmp(word, "values") == 0)
    options->values = atoi(value);
  else if (strcmp(word, "output") == 0)
    *output = strcmp(value, "ir") == 0 ? TILE_OUTPUT_IR : TILE_OUTPUT_METADATA;
  else
    exit(2);
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  tile_gradient_options options = {
      .struct_size = sizeof options, .wrt = wrt, .outputs = outputs};
  tile_output output = TILE_OUTPUT_IR;
  for (int i = 2; i < argc; ++i)
    set_option(argv[i], &options, &output);
  size_t size;
  char *program = read_file(argv[1], &size);
  tile_compiler *compiler;
  tile_result *result;
  if (tile_compiler_create(TILE_API_VERSION, NULL, &compiler))
    return 2;
  tile_status status =
      tile_differentiate(compiler, program, size, &options, &result);
  const char *data;
  if (status)
    printf("status %d: %s\n", status, tile_compiler_last_error());
  else if (tile_result_get_output(result, output, &data, &size) ==
           TILE_STATUS_OK)
    fwrite(data, 1, size, stdout);
  free(program);
  tile_result_destroy(result);
  return tile_compiler_destroy(compiler) ? 2 : 0;
}
