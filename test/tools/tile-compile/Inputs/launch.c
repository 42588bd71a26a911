/* Launches the kernels of header.mlir by the header made from it; C11 and
 * C++17. */
#include "launch.h"

#include <string.h>

int main(void) {
  CUmodule module;
  const float *aligned = (const float *)0x1000;
  const float *odd = (const float *)0x1004;
  if (launch_load(&module) != CUDA_SUCCESS || memcmp(module, "\177ELF", 4) != 0)
    return 1;
  /* 16 bytes: pointers, and strides in elements of 4 bytes. */
  double_rows_launch(module, 0, aligned, 100, 300, 304, (float *)aligned, 100,
                     300, 304);
  double_rows_launch(module, 0, odd, 100, 300, 304, (float *)aligned, 100, 300,
                     304);
  double_rows_launch(module, 0, aligned, 100, 300, 303, (float *)aligned, 100,
                     300, 304);
  /* No blocks. */
  double_rows_launch(module, 0, aligned, 0, 300, 304, (float *)aligned, 0, 300,
                     304);
  /* The caller's grid, and names that C does not have. */
  fill_launch(module, 0, 1.5f, (float *)aligned, 7, 2, 1);
  return double_rows_block_x == 128 ? 0 : 1;
}
