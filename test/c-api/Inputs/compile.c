/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* compile FILE [NAME=VALUE...]: compiles the program by the C library, with the
   options of tile_compile_options by their names, and prints the status, the
   diagnostics and the outputs. */

#include "File.h"

#include "tile-c/Compiler.h"

#include <string.h>

static const struct {
  const char *name;
  tile_output output;
} kOutputs[] = {
    {"metadata", TILE_OUTPUT_METADATA},
    {"ptx", TILE_OUTPUT_PTX},
    {"cubin", TILE_OUTPUT_CUBIN},
    {"llvm-ir", TILE_OUTPUT_LLVM_IR},
    {"report", TILE_OUTPUT_REPORT},
    {"report-json", TILE_OUTPUT_REPORT_JSON},
    {"ir", TILE_OUTPUT_IR},
};
enum { kNumOutputs = sizeof kOutputs / sizeof *kOutputs };

static void fail(const char *text) {
  fprintf(stderr, "%s\n", text);
  exit(2);
}

static tile_output find_output(const char *name) {
  for (int i = 0; i < kNumOutputs; ++i)
    if (strcmp(name, kOutputs[i].name) == 0)
      return kOutputs[i].output;
  fail(name);
  return 0;
}

static void set_option(char *word, tile_compile_options *options,
                       tile_compiler_options *paths) {
  char *value = strchr(word, '=');
  if (!value)
    fail(word);
  *value++ = 0;
  if (strcmp(word, "name") == 0)
    options->name = value;
  else if (strcmp(word, "arch") == 0)
    options->arch = value;
  else if (strcmp(word, "kernel") == 0)
    options->kernel = value;
  else if (strcmp(word, "tiling") == 0)
    options->tiling = value;
  else if (strcmp(word, "stop_after") == 0)
    options->stop_after = value;
  else if (strcmp(word, "machine") == 0)
    options->machine = atoi(value);
  else if (strcmp(word, "ptx_version") == 0)
    options->ptx_version = atoi(value);
  else if (strcmp(word, "no_line_tables") == 0)
    options->no_line_tables = atoi(value);
  else if (strcmp(word, "check_bounds") == 0)
    options->check_bounds = atoi(value);
  else if (strcmp(word, "cubin_is_optional") == 0)
    options->cubin_is_optional = atoi(value);
  else if (strcmp(word, "output") == 0)
    options->outputs |= find_output(value);
  else if (strcmp(word, "ptxas") == 0)
    paths->ptxas = value;
  else if (strcmp(word, "libdevice") == 0)
    paths->libdevice = value;
  else if (strcmp(word, "ptxas_advice") == 0)
    paths->ptxas_advice = value;
  else if (strcmp(word, "threads") == 0)
    paths->threads = atoi(value);
  else
    fail(word);
}

static void print_diagnostic(const tile_diagnostic *record, int indent) {
  static const char *const kNames[] = {"note", "remark", "warning", "error"};
  printf("%*s%s at '%s' %u:%u: %s\n", indent, "", kNames[record->severity],
         record->file, record->line, record->column, record->text);
  for (size_t i = 0; i < record->num_notes; ++i)
    print_diagnostic(record->notes[i], indent + 2);
}

static void print_result(const tile_result *result) {
  const tile_diagnostic *const *records;
  size_t count;
  if (tile_result_get_diagnostics(result, &records, &count))
    fail(tile_compiler_last_error());
  for (size_t i = 0; i < count; ++i)
    print_diagnostic(records[i], 0);
  for (int i = 0; i < kNumOutputs; ++i) {
    const char *data;
    size_t size;
    if (tile_result_get_output(result, kOutputs[i].output, &data, &size))
      continue;
    if (data[size] != 0)
      fail("no NUL behind the output");
    printf("== %s\n", kOutputs[i].name);
    if (kOutputs[i].output == TILE_OUTPUT_CUBIN)
      printf("%.3s\n", data + 1);
    else
      fwrite(data, 1, size, stdout);
  }
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  tile_compile_options options = {.struct_size = sizeof options};
  tile_compiler_options paths = {.struct_size = sizeof paths};
  for (int i = 2; i < argc; ++i)
    set_option(argv[i], &options, &paths);
  size_t size;
  char *program = read_file(argv[1], &size);
  tile_compiler *compiler;
  if (tile_compiler_create(TILE_API_VERSION, &paths, &compiler))
    fail(tile_compiler_last_error());
  tile_result *result;
  tile_status status = tile_compile(compiler, program, size, &options, &result);
  free(program);
  if (tile_compiler_destroy(compiler))
    fail(tile_compiler_last_error());
  printf("status %d: %s\n", status, tile_status_string(status));
  if (status)
    printf("%s\n", tile_compiler_last_error());
  if (result) {
    printf("== diagnostics\n");
    print_result(result);
  }
  return tile_result_destroy(result) == TILE_STATUS_OK ? 0 : 2;
}
