// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options that pipelines accept, on the command line and in a textual pipeline,
// and the errors for other options.

// RUN: tile-opt %s -tile-phases="arch=sm_90a tiling={warps=2,2 stages=2}" | FileCheck %s --check-prefix=PHASES
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-phases{arch=sm_90a tiling={warps=2,2 stages=2}})" | FileCheck %s --check-prefix=PHASES
// RUN: tile-opt %s -tile-phases="tiling={stages=2 warps=2,2} arch=sm_90a" | FileCheck %s --check-prefix=PHASES
// PHASES: module attributes {tile.target = "sm_90a"}
// PHASES: tiling <warps = [2, 2], {{.*}}stages = 2>

// The three ways of lowering have the same result.
// RUN: tile-opt %s -tile-to-nvvm="arch=sm_86 tiling={warps=4,1 stages=2} check-bounds" -o %t.whole
// RUN: tile-opt %s -tile-phases="arch=sm_86 tiling={warps=4,1 stages=2}" -mlir-print-debuginfo | tile-opt -tile-lowering=check-bounds -o %t.parts
// RUN: tile-opt %s -tile-set-target=arch=sm_86 -mlir-print-debuginfo | tile-opt -tile-to-nvvm="tiling={warps=4,1 stages=2} check-bounds" -o %t.target
// RUN: tile-compile %s -o - --emit=mlir --arch=sm_86 --tiling="warps=4,1 stages=2" | tile-opt -o %t.compiled
// RUN: tile-opt %s -tile-to-nvvm="arch=sm_86 tiling={warps=4,1 stages=2}" -o %t.unchecked
// RUN: diff %t.whole %t.parts
// RUN: diff %t.whole %t.target
// RUN: diff %t.unchecked %t.compiled
// RUN: not diff -q %t.whole %t.unchecked
// RUN: FileCheck %s --check-prefix=CHECKED --input-file=%t.whole
// CHECKED: llvm.func @__assertfail
// RUN: FileCheck %s --check-prefix=UNCHECKED --input-file=%t.unchecked
// UNCHECKED-NOT: __assertfail

// Without options, the attributes of the module apply.
// RUN: tile-opt %s -tile-phases | FileCheck %s --check-prefix=NONE
// NONE-NOT: tile.target

// RUN: not tile-opt %s -tile-phases=arch=sm_91 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: expected architecture sm_80, {{.*}}sm_90a, {{.*}}, got 'sm_91'
// RUN: not tile-opt %s -tile-phases=ptx=80 2>&1 | FileCheck %s --check-prefix=PHASES-NAME
// PHASES-NAME: error: expected options of -tile-phases (arch, tiling), got 'ptx=80': <Pass-Options-Parser>: no such option ptx
// RUN: not tile-opt %s -tile-lowering=arch=sm_80 2>&1 | FileCheck %s --check-prefix=LOWERING-NAME
// LOWERING-NAME: error: expected options of -tile-lowering (check-bounds, check-places), got 'arch=sm_80': <Pass-Options-Parser>: no such option arch
// RUN: not tile-opt %s --pass-pipeline="builtin.module(tile-to-nvvm{archs=sm_80})" 2>&1 | FileCheck %s --check-prefix=NVVM-NAME
// NVVM-NAME: error: expected options of -tile-to-nvvm (arch, check-bounds, check-places, tiling), got 'archs=sm_80': <Pass-Options-Parser>: no such option archs
// RUN: not tile-opt %s -tile-to-cpu=arch=sm_80 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: error: expected options of -tile-to-cpu (none), got 'arch=sm_80': <Pass-Options-Parser>: no such option arch
// RUN: not tile-opt %s -tile-to-nvvm=check-bounds=maybe 2>&1 | FileCheck %s --check-prefix=BOOL
// BOOL: for the --check-bounds option: 'maybe' is invalid value for boolean argument
// BOOL: error: expected options of -tile-to-nvvm (arch, check-bounds, check-places, tiling), got 'check-bounds=maybe'
// RUN: not tile-opt %s -tile-phases="tiling={warp=2,2}" 2>&1 | FileCheck %s --check-prefix=TILING-NAME
// TILING-NAME: for the --tiling option: expected options of -tile-warp-tiling, got 'warp=2,2': <Pass-Options-Parser>: no such option warp
// TILING-NAME: error: expected options of -tile-phases (arch, tiling), got 'tiling={warp=2,2}'
// RUN: not tile-opt %s -tile-phases="tiling={stages=two}" 2>&1 | FileCheck %s --check-prefix=TILING-NUMBER
// TILING-NUMBER: for the --tiling option: expected options of -tile-warp-tiling, got 'stages=two': expected numbers for stages, got 'two'
// RUN: not tile-opt %s -tile-phases="tiling={warps=2,2" 2>&1 | FileCheck %s --check-prefix=TILING-BRACE
// TILING-BRACE: error: {{.+}}
// RUN: not tile-opt %s -tile-phases="tiling={warps=4}" 2>&1 | FileCheck %s --check-prefix=TILING-RANGE
// TILING-RANGE: options.mlir:[[#@LINE+8]]:{{.*}}error: 'tile.matmul' op expected {{.*}}warps

tile.kernel @gemm(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  // The row of the view is known only at run time.
  %r = tile.matmul %x, %y, %z : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  %v = tile.view %r[%i, %c0] : !tile.tile<64x64xf32> to !tile.tile<32x64xf32>
  tile.store %v, %d[%c0, %c0] : !tile.tile<32x64xf32>, memref<64x64xf32>
  tile.return
}
