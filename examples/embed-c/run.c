/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* run.c - runs a program on the emulator, which checks each access. */

#include "embed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Counts the elements of y that are those of x, divided by the sum of their
   row. */
static int count_right(const float *x, const float *y, int rows, int columns) {
  int right = 0;
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int column = 0; column < columns; ++column)
      sum += x[row * columns + column];
    for (int i = row * columns; i < (row + 1) * columns; ++i)
      right += fabs(y[i] - x[i] / sum) <= 1e-6;
  }
  return right;
}

/* Prints the emulator's first finding and its location. */
static void print_finding(const tile_outcome *outcome) {
  const tile_finding *const *findings;
  size_t count;
  if (tile_outcome_get_findings(outcome, &findings, &count) == TILE_STATUS_OK &&
      count > 0)
    fprintf(stderr, "%s at line %u: %s\n", findings[0]->kind,
            findings[0]->party->line, findings[0]->message);
}

int run_rows(const tile_result *program, int rows, int columns) {
  size_t elements = (size_t)rows * (size_t)columns;
  float *x = malloc(elements * sizeof *x), *y = malloc(elements * sizeof *y);
  if (!x || !y)
    abort();
  for (size_t i = 0; i < elements; ++i)
    x[i] = (float)(0.5 + rand() / (double)RAND_MAX);
  const int64_t sizes[2] = {rows, columns};
  const tile_argument arguments[2] = {
      {.struct_size = sizeof *arguments, .data = x, .rank = 2, .sizes = sizes},
      {.struct_size = sizeof *arguments, .data = y, .rank = 2, .sizes = sizes}};
  tile_run_options options = {.struct_size = sizeof options};
  options.schedules = 2;
  tile_outcome *outcome;
  tile_status status =
      tile_run(program, "normalize", arguments, 2, &options, &outcome);
  if (status == TILE_STATUS_OK)
    printf("%d of %zu elements are the host's\n",
           count_right(x, y, rows, columns), elements);
  else
    fprintf(stderr, "%s\n", tile_compiler_last_error());
  if (status == TILE_STATUS_KERNEL_FAILED)
    print_finding(outcome);
  tile_outcome_destroy(outcome);
  free(x);
  free(y);
  return status == TILE_STATUS_OK;
}
