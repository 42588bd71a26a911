/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* timing.h - the host's clock, and the median of measured times. */
#ifndef TILE_BENCHMARKS_TIMING_H
#define TILE_BENCHMARKS_TIMING_H

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

/* Returns the microseconds of a monotonic clock. */
static double get_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts the times and returns the median; the upper one of the middle two if
   `count` is even. */
static double get_median(double *times, size_t count) {
  qsort(times, count, sizeof times[0], compare_times);
  return times[count / 2];
}

#endif
