// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// version.c - an LLVM of version MAJOR.MINOR.PATCH, as far as it says

void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = MAJOR;
  *minor = MINOR;
  *patch = PATCH;
}
