/* A driver that says what it is asked for: enough of cuda.h for a header that
 * tile-compile writes. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include <stdio.h>

typedef enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
typedef enum {
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;
typedef const void *CUmodule;
typedef const char *CUfunction;
typedef void *CUstream;
typedef unsigned long long CUdeviceptr;

static inline CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  *module = image;
  return CUDA_SUCCESS;
}
static inline CUresult cuModuleGetFunction(CUfunction *function,
                                           CUmodule module, const char *name) {
  (void)module;
  *function = name;
  return CUDA_SUCCESS;
}
static inline CUresult cuFuncSetAttribute(CUfunction function,
                                          CUfunction_attribute attribute,
                                          int value) {
  (void)attribute;
  printf("%s shared %d\n", function, value);
  return CUDA_SUCCESS;
}
static inline CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                      unsigned gridY, unsigned gridZ,
                                      unsigned blockX, unsigned blockY,
                                      unsigned blockZ, unsigned shared,
                                      CUstream stream, void **parameters,
                                      void **extra) {
  int count = 0;
  (void)stream;
  (void)extra;
  while (parameters[count])
    ++count;
  printf("%s grid %u %u %u block %u %u %u shared %u parameters %d first %x\n",
         function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, count,
         *(unsigned *)parameters[0]);
  return CUDA_SUCCESS;
}

#endif
