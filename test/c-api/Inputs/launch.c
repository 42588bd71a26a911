/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch CUBIN: sums by the kernel `count` of a binary, count(x: i32[?],
   out: i64[1]) with a workspace, on the driver's device. No context is current
   where the runtime is called, as in a program that has no other use of CUDA.
 */

#include "tile-c/Runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000 };
typedef unsigned long long address;

static void check(tile_status status) {
  if (status == TILE_STATUS_OK)
    return;
  printf("status %d: %s\n", status, tile_runtime_last_error());
  exit(1);
}

/*===----------------------------------------------------------------------===*\
|* The driver
\*===----------------------------------------------------------------------===*/

typedef void (*function)(void);

static function find(const char *name) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *symbol = library ? dlsym(library, name) : NULL;
  function found;
  if (!symbol) {
    printf("expected a driver with %s, found none: %s\n", name, dlerror());
    exit(1);
  }
  memcpy(&found, &symbol, sizeof found);
  return found;
}

#define CALL(NAME, TYPES, ...)                                                 \
  do {                                                                         \
    int result = ((int(*) TYPES)find(NAME))(__VA_ARGS__);                      \
    if (result != 0) {                                                         \
      printf("%s: error %d\n", NAME, result);                                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void enter(void) {
  void *context;
  CALL("cuInit", (unsigned), 0);
  CALL("cuDevicePrimaryCtxRetain", (void **, int), &context, 0);
  CALL("cuCtxPushCurrent_v2", (void *), context);
}

static void leave(void) {
  void *context;
  CALL("cuCtxPopCurrent_v2", (void **), &context);
  CALL("cuDevicePrimaryCtxRelease_v2", (int), 0);
}

static address allocate(size_t bytes) {
  address made;
  enter();
  CALL("cuMemAlloc_v2", (address *, size_t), &made, bytes);
  leave();
  return made;
}

static void upload(address dest, const void *source, size_t bytes) {
  enter();
  CALL("cuMemcpyHtoD_v2", (address, const void *, size_t), dest, source, bytes);
  leave();
}

static void download(void *dest, address source, size_t bytes) {
  enter();
  CALL("cuMemcpyDtoH_v2", (void *, address, size_t), dest, source, bytes);
  leave();
}

static void release(address memory) {
  enter();
  CALL("cuMemFree_v2", (address), memory);
  leave();
}

/*===----------------------------------------------------------------------===*\
|* Sums
\*===----------------------------------------------------------------------===*/

static address make_numbers(int64_t *sum) {
  int32_t numbers[N];
  *sum = 0;
  for (int i = 0; i < N; ++i)
    *sum += numbers[i] = i * 7919 % 1009 - 400;
  address made = allocate(sizeof numbers);
  upload(made, numbers, sizeof numbers);
  return made;
}

static void set_zero(address out) {
  int64_t zero = 0;
  upload(out, &zero, sizeof zero);
}

static void expect(const char *what, address out, int64_t sum) {
  int64_t found;
  download(&found, out, sizeof found);
  printf("%s: %lld of %lld\n", what, (long long)found, (long long)sum);
  if (found != sum)
    exit(1);
}

/* The workspaces are of the launch. */
static void launch_alone(const tile_kernel *kernel, const tile_argument *of,
                         const int64_t *grid) {
  tile_launch_options options = {.struct_size = sizeof options};
  options.grid = grid;
  check(tile_launch(kernel, of, 2, &options));
}

/* Twice, with a workspace of the program, which each launch zeroes. */
static void launch_plan(const tile_kernel *kernel, const tile_argument *of,
                        const int64_t *grid, address out) {
  int64_t bytes;
  size_t count;
  check(tile_kernel_get_workspaces(kernel, of, 2, &bytes, 1, &count));
  address memory = allocate((size_t)bytes);
  void *workspace = (void *)(uintptr_t)memory;
  tile_launch_options options = {.struct_size = sizeof options};
  options.grid = grid;
  options.workspaces = &workspace;
  options.num_workspaces = count;
  tile_plan *plan;
  check(tile_plan_create(kernel, of, 2, &options, &plan));
  check(tile_plan_launch(plan, NULL));
  set_zero(out);
  check(tile_plan_launch(plan, NULL));
  check(tile_plan_destroy(plan));
  release(memory);
}

int main(int argc, char **argv) {
  tile_device *device;
  tile_module *module;
  tile_kernel *kernel;
  if (argc != 2)
    return 2;
  check(tile_device_open(TILE_API_VERSION, 0, &device));
  check(tile_module_load_file(device, argv[1], NULL, &module));
  check(tile_module_get_kernel(module, "count", &kernel));

  int64_t sum, size = N, one = 1, grid[3] = {(N + 255) / 256, 1, 1};
  address x = make_numbers(&sum), out = allocate(sizeof sum);
  tile_argument arguments[2] = {{.struct_size = sizeof(tile_argument)},
                                {.struct_size = sizeof(tile_argument)}};
  arguments[0].data = (void *)(uintptr_t)x;
  arguments[0].sizes = &size;
  arguments[1].data = (void *)(uintptr_t)out;
  arguments[1].sizes = &one;
  arguments[0].rank = arguments[1].rank = 1;

  set_zero(out);
  launch_alone(kernel, arguments, grid);
  expect("a workspace of the launch", out, sum);
  set_zero(out);
  launch_plan(kernel, arguments, grid, out);
  expect("one of the program", out, sum);

  release(x);
  release(out);
  check(tile_kernel_destroy(kernel));
  check(tile_module_destroy(module));
  check(tile_device_destroy(device));
  return 0;
}
