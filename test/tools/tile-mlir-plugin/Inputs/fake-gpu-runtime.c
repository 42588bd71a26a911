// fake-gpu-runtime.c - substitute for MLIR's GPU runtime that prints the
// requests
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that gpu-to-llvm calls. Memory of the device is memory of the
// host; a launch prints its function, grid, block, shared memory and as many
// bytes of each parameter as it has.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mgpuModuleLoad(void *data, size_t size) {
  (void)data;
  printf("load %s\n", size > 0 ? "a binary" : "nothing");
  return strdup("module");
}
void *mgpuModuleLoadJIT(void *data, int level) {
  (void)level;
  printf("load PTX of %s\n", strstr(data, ".target sm_80") ? "sm_80" : "what?");
  return strdup("module");
}
void mgpuModuleUnload(void *module) { free(module); }
void *mgpuModuleGetFunction(void *module, const char *name) {
  (void)module;
  return (void *)name;
}
void mgpuLaunchKernel(void *function, intptr_t gx, intptr_t gy, intptr_t gz,
                      intptr_t bx, intptr_t by, intptr_t bz, int32_t shared,
                      void *stream, void **parameters, void **extra,
                      size_t count) {
  (void)stream;
  (void)extra;
  printf("launch %s grid %ld,%ld,%ld block %ld,%ld,%ld shared %d:",
         (const char *)function, (long)gx, (long)gy, (long)gz, (long)bx,
         (long)by, (long)bz, shared);
  for (size_t i = 0; i < count; ++i) {
    int64_t value;
    memcpy(&value, parameters[i], sizeof value);
    // Addresses differ from run to run, but their alignment does not.
    if (value > 1 << 20 || value < -(1 << 20))
      printf(" address%%16=%d", (int)(value & 15));
    else
      printf(" %ld", (long)value);
  }
  printf("\n");
}
void *mgpuStreamCreate(void) { return malloc(1); }
void mgpuStreamDestroy(void *stream) { free(stream); }
void mgpuStreamSynchronize(void *stream) {
  (void)stream;
  printf("wait\n");
}
void *mgpuEventCreate(void) { return malloc(1); }
void mgpuEventDestroy(void *event) { free(event); }
void mgpuEventSynchronize(void *event) { (void)event; }
void mgpuEventRecord(void *event, void *stream) {
  (void)event;
  (void)stream;
}
void mgpuStreamWaitEvent(void *stream, void *event) {
  (void)stream;
  (void)event;
}
void *mgpuMemAlloc(uint64_t bytes, void *stream, _Bool isShared) {
  (void)stream;
  (void)isShared;
  printf("allocate %lu\n", (unsigned long)bytes);
  return aligned_alloc(256, (bytes + 255) / 256 * 256);
}
void mgpuMemFree(void *memory, void *stream) {
  (void)stream;
  printf("free\n");
  free(memory);
}
void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream) {
  (void)stream;
  printf("copy %lu\n", (unsigned long)bytes);
  memcpy(to, from, bytes);
}
void mgpuMemset32(void *memory, unsigned value, size_t count, void *stream) {
  (void)stream;
  printf("set %lu words to %u\n", (unsigned long)count, value);
  for (size_t i = 0; i < count; ++i)
    ((unsigned *)memory)[i] = value;
}
