/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Texts that nest deep, compiled on a thread with a small stack: each has a
   status, and none ends the process. */

#include "tile-c/Compiler.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOO_DEEP "expected brackets that nest at most 256 deep, got more"
#define TOO_LONG "expected expressions of at most 1000 operators, got more"

/* A text: `begin`, `count` times `open`, `middle`, as often `close`, `end`. A
   `%d` in `open` is the number of its copy, `%e` that of the one before. */
struct text {
  const char *name, *begin, *open, *middle, *close, *end;
  int count;
  /* Null: the text compiles. */
  const char *error;
};

#define KERNEL "tile.kernel @k(%a: memref<4xf32>, %c: i1) {\n"

static const struct text kTexts[] = {
    {"brackets", "module attributes {tile.a = ", "[", "1", "]", "} {}", 10000,
     TOO_DEEP},
    {"brackets left open", "module attributes {tile.a = ", "[", "", "", "",
     100000, TOO_DEEP},
    {"braces", "module attributes {tile.a = ", "{a = ", "1", "}", "} {}", 10000,
     TOO_DEEP},
    {"modules", "", "module {\n", "", "}\n", "", 5000, TOO_DEEP},
    {"types", "func.func private @f(", "tuple<", "i32", ">", ")", 10000,
     TOO_DEEP},
    {"regions", KERNEL, "scf.if %c {\n", "", "}\n", "tile.return\n}\n", 5000,
     TOO_DEEP},
    {"generic regions", "", "\"builtin.module\"() ({\n", "", "}) : () -> ()\n",
     "", 3000, TOO_DEEP},
    {"locations", "module {} loc(", "fused[", "\"a\":1:1", "]", ")", 10000,
     TOO_DEEP},
    {"aliases", "#a0 = [1]\n", "#a%d = [#a%e]\n", "", "",
     "module attributes {tile.a = #a9999} {}", 9999, TOO_DEEP},
    {"aliases of types", "!a0 = tuple<i32>\n", "!a%d = tuple<!a%e>\n", "", "",
     "func.func private @f(!a9999)", 9999, TOO_DEEP},
    {"parentheses", "module attributes {tile.a = affine_map<(i) -> (", "(", "i",
     ")", ")>} {}", 10000, TOO_DEEP},
    {"signs", "module attributes {tile.a = affine_map<(i) -> (", "- ", "i", "",
     ")>} {}", 10000, TOO_LONG},
    {"sums", "module attributes {tile.a = affine_map<(i) -> (i",
     " + i floordiv %d", "", "", ")>} {}", 20000, TOO_LONG},
    {"sums with parentheses", "module attributes {tile.a = affine_map<(i) -> (",
     "i + (", "i", ")", ")>} {}", 10000, TOO_DEEP},
    {"regions that may be", KERNEL, "scf.if %c {\n", "", "}\n",
     "tile.return\n}\n", 250, NULL},
    {"comments", KERNEL "// ", "([{<", "", "", "\ntile.return\n}\n", 1000,
     NULL},
    {"strings", KERNEL "tile.assert %c, \"", "[\\\"", "", "",
     "\" : i1\ntile.return\n}\n", 1000, NULL},
    {"arrows", KERNEL "tile.return\n}\n", "func.func private @f%d(i1) -> i1\n",
     "", "", "", 1001, NULL},
};

static void append(char **end, const char *piece, int number) {
  for (; *piece; ++piece) {
    if (piece[0] == '%' && (piece[1] == 'd' || piece[1] == 'e')) {
      *end += sprintf(*end, "%d", number - (piece[1] == 'e'));
      ++piece;
    } else {
      *(*end)++ = *piece;
    }
  }
}

static char *build(const struct text *text) {
  size_t each = strlen(text->open) + strlen(text->close) + 20;
  size_t rest = strlen(text->begin) + strlen(text->middle) + strlen(text->end);
  char *built = malloc((size_t)text->count * each + rest + 1);
  char *end = built;
  append(&end, text->begin, 0);
  for (int i = 1; i <= text->count; ++i)
    append(&end, text->open, i);
  append(&end, text->middle, 0);
  for (int i = 0; i < text->count; ++i)
    append(&end, text->close, i);
  append(&end, text->end, 0);
  *end = 0;
  return built;
}

static int surprises = 0;

static void compile(tile_compiler *compiler, const struct text *text) {
  char *program = build(text);
  tile_compile_options options = {.struct_size = sizeof options,
                                  .machine = TILE_MACHINE_CPU,
                                  .name = "text.mlir"};
  tile_result *result = NULL;
  tile_status status =
      tile_compile(compiler, program, strlen(program), &options, &result);
  tile_status expected =
      text->error ? TILE_STATUS_INVALID_PROGRAM : TILE_STATUS_OK;
  const char *error = status ? tile_compiler_last_error() : "";
  if (status != expected || (text->error && !strstr(error, text->error))) {
    ++surprises;
    printf("%s: expected %d: %s\n  found %d: %.300s\n", text->name, expected,
           text->error ? text->error : "", status, error);
  }
  tile_result_destroy(result);
  free(program);
}

static void evaluate_layout(void) {
  struct text text = {"layout", "", "(", "1", ")", ":1", 100000, NULL};
  char *layout = build(&text), buffer[8];
  if (tile_layout_evaluate(layout, NULL, buffer, sizeof buffer, NULL) !=
      TILE_STATUS_INVALID_ARGUMENT) {
    ++surprises;
    printf("layout: expected an error\n");
  }
  free(layout);
}

static void *run(void *unused) {
  tile_compiler *compiler = NULL;
  tile_compiler_options options = {.struct_size = sizeof options};
  if (tile_compiler_create(TILE_API_VERSION, &options, &compiler))
    ++surprises;
  for (size_t i = 0; i < sizeof kTexts / sizeof *kTexts; ++i)
    compile(compiler, &kTexts[i]);
  evaluate_layout();
  tile_compiler_destroy(compiler);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  if (pthread_create(&thread, &attributes, run, NULL))
    return 2;
  pthread_join(thread, NULL);
  printf("%zu deep texts, %d surprises\n", sizeof kTexts / sizeof *kTexts,
         surprises);
  return surprises != 0;
}
