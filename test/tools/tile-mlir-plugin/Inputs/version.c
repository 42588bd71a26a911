// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// version.c - reports MAJOR.MINOR.PATCH as the version of LLVM

void LLVMGetVersion(unsigned *major, unsigned *minor, unsigned *patch) {
  *major = MAJOR;
  *minor = MINOR;
  *patch = PATCH;
}
