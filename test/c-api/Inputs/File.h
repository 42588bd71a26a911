/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the programs here read. */

#ifndef TILE_TEST_CAPI_FILE_H
#define TILE_TEST_CAPI_FILE_H

#include <stdio.h>
#include <stdlib.h>

/* All bytes of a file; the program ends where there is none. */
static inline char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot read '%s'\n", path);
    exit(2);
  }
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  if (fread(bytes, 1, *size, file) != *size)
    exit(2);
  fclose(file);
  return bytes;
}

#endif
