// RUN: tile-opt %s -tile-canonical-form -tile-specialize-alignment -test-tile-verify-phase=phase=1 | FileCheck %s
// RUN: tile-opt %s -tile-phases -test-tile-verify-phase=phase=8 -o /dev/null
// RUN: tile-compile %s --arch=sm_80 --emit=metadata --ptxas=%t.missing -o - 2>/dev/null | FileCheck %s --check-prefix=METADATA
// REQUIRES: nvptx, tile-compile

// Both variants assume an alignment that the program declares. Only the specialized
// variant has more assumptions. The launcher checks all of them.
// CHECK: tile.kernel @copy(%{{.*}}: memref<?x?xf16> {tile.alignment = 8 : i64, tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 16 : i64}
// CHECK: tile.kernel @copy__general(%{{.*}}: memref<?x?xf16> {tile.alignment = 8 : i64},
// METADATA: {"argument": 0, "what": "pointer", "multipleOf": 16}
// METADATA: "symbol": "copy__general"
// METADATA-NEXT: "requires": [{"argument": 0, "what": "pointer", "multipleOf": 8}]
tile.kernel @copy(%x: memref<?x?xf16> {tile.alignment = 8 : i64}, %y: memref<?x?xf16>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %x[%c0, %c0] : memref<?x?xf16> -> !tile.tile<64x64xf16>
  tile.store %t, %y[%c0, %c0] : !tile.tile<64x64xf16>, memref<?x?xf16>
  tile.return
}
