// RUN: tile-compile %s -o - --emit=ptx | FileCheck %s
// REQUIRES: nvptx

// Characters of a path that PTX cannot express are replaced: a quotation mark,
// a backslash, the end of a line.

// CHECK-LABEL: .visible .entry odd_path(
// CHECK: .loc [[FILE:[0-9]+]] 1 1
// CHECK: .file [[FILE]] "dir/a_b_c_d.mlir"
llvm.func @odd_path(%p: !llvm.ptr<1>, %a: i32) attributes {nvvm.kernel} {
  llvm.store volatile %a, %p : i32, !llvm.ptr<1> loc(#odd)
  llvm.return loc(#odd)
} loc(#odd)

#odd = loc("dir/a\22b\5Cc\0Ad.mlir":1:1)
