/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - times how long a launch by the C library occupies the host.
 *
 *   cc -O2 launch.c -lTileRuntime -lcuda && ./a.out VECTOR_ADD.cubin
 *
 * Calls of cuLaunchKernel, tile_plan_launch and tile_launch are timed in turns,
 * each call by itself, on a stream that is synchronized before its queue is
 * full. The medians are printed in microseconds, each with its difference from
 * the driver's.
 */
#include "tile-c/Runtime.h"
#include "timing.h"

#include <cuda.h>

#include <stdio.h>
#include <stdlib.h>

#define CU(CALL)                                                               \
  do {                                                                         \
    CUresult result = (CALL);                                                  \
    if (result != CUDA_SUCCESS)                                                \
      exit((fprintf(stderr, "%s: error %d\n", #CALL, result), 1));             \
  } while (0)
#define TILE(CALL)                                                             \
  do {                                                                         \
    if ((CALL) != TILE_STATUS_OK)                                              \
      exit(                                                                    \
          (fprintf(stderr, "%s: %s\n", #CALL, tile_runtime_last_error()), 1)); \
  } while (0)

enum { WAYS = 3, ROUNDS = 30000, ROUNDS_IN_QUEUE = 100, ARRAYS = 3 };

static const char *const names[WAYS] = {"cuLaunchKernel", "tile_plan_launch",
                                        "tile_launch"};
static double times[WAYS][ROUNDS];

static CUfunction function;
static CUstream stream;
static tile_kernel *kernel;
static tile_plan *plan;
static CUdeviceptr arrays[ARRAYS];
static int64_t extent = 1024;
static tile_argument arguments[ARRAYS];

static void launch(int way) {
  void *parameters[] = {&arrays[0], &extent,    &arrays[1],
                        &extent,    &arrays[2], &extent};
  tile_launch_options options = {.struct_size = sizeof options,
                                 .stream = stream};
  if (way == 0)
    CU(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, stream, parameters,
                      NULL));
  else if (way == 1)
    TILE(tile_plan_launch(plan, stream));
  else
    TILE(tile_launch(kernel, arguments, ARRAYS, &options));
}

/* Loads the kernel by the C library and by the driver. The device's context is
   made current, because this program also calls the driver directly. */
static void prepare(const char *cubin) {
  tile_device *device;
  tile_module *module;
  TILE(tile_device_open(TILE_API_VERSION, 0, &device));
  TILE(tile_module_load_file(device, cubin, NULL, &module));
  TILE(tile_module_get_kernel(module, "vector_add", &kernel));
  CUcontext context;
  CUmodule driverModule;
  CU(cuDevicePrimaryCtxRetain(&context, 0));
  CU(cuCtxSetCurrent(context));
  CU(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CU(cuModuleLoad(&driverModule, cubin));
  CU(cuModuleGetFunction(&function, driverModule, "vector_add"));
  for (int i = 0; i < ARRAYS; ++i) {
    CU(cuMemAlloc(&arrays[i], (size_t)extent * sizeof(float)));
    arguments[i] = (tile_argument){.struct_size = sizeof arguments[i],
                                   .data = (const void *)arrays[i],
                                   .rank = 1,
                                   .sizes = &extent};
  }
  TILE(tile_plan_create(kernel, arguments, ARRAYS, NULL, &plan));
}

int main(int argc, char **argv) {
  if (argc != 2)
    return fprintf(stderr, "usage: launch VECTOR_ADD.cubin\n"), 2;
  prepare(argv[1]);
  for (int round = 0; round < ROUNDS; ++round) {
    if (round % ROUNDS_IN_QUEUE == 0)
      CU(cuStreamSynchronize(stream));
    for (int turn = 0; turn < WAYS; ++turn) {
      int way = (turn + round) % WAYS;
      double start = get_time();
      launch(way);
      times[way][round] = get_time() - start;
    }
  }
  double medians[WAYS];
  for (int way = 0; way < WAYS; ++way) {
    medians[way] = get_median(times[way], ROUNDS);
    printf("%-16s %.3f us, %+.3f\n", names[way], medians[way],
           medians[way] - medians[0]);
  }
  return 0;
}
