// RUN: tile-opt %s -tile-specialize-alignment | FileCheck %s
// RUN: tile-opt %s -tile-specialize-alignment -tile-specialize-alignment | FileCheck %s

// Rows of dynamic length: the address and the stride are assumed to be aligned.
// CHECK-LABEL: tile.kernel @promises_rows(
// CHECK-SAME:    %{{.*}}: memref<?x?xf16, strided<[?, 1]>> {tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 16 : i64},
// CHECK-SAME:    %{{.*}}: memref<?xf32>) {
// CHECK-NOT:   tile.kernel
// CHECK:         tile.return
// CHECK:       tile.kernel @promises_rows__general(
// CHECK-SAME:    %{{.*}}: memref<?x?xf16, strided<[?, 1]>>, %{{.*}}: memref<?xf32>)
// CHECK-SAME:    attributes {tile.general_of = "promises_rows"}
tile.kernel @promises_rows(%a: memref<?x?xf16, strided<[?, 1]>>, %unused: memref<?xf32>) {
  %x = tile.program_id x
  %c64 = arith.constant 64 : index
  %i = arith.muli %x, %c64 : index
  %t = tile.load %a[%i, %i] : memref<?x?xf16, strided<[?, 1]>> -> !tile.tile<64x64xf16>
  tile.store %t, %a[%i, %i] : !tile.tile<64x64xf16>, memref<?x?xf16, strided<[?, 1]>>
  tile.return
}

// A constant length needs no assumption about the stride.
// CHECK-LABEL: tile.kernel @promises_addresses(
// CHECK-SAME:    %{{.*}}: memref<64x64xf32> {tile.assumed_alignment = 16 : i64})
// CHECK:       tile.kernel @promises_addresses__general(
// CHECK-SAME:    attributes {block = 64 : i64, tile.general_of = "promises_addresses"}
tile.kernel @promises_addresses(%a: memref<64x64xf32>) attributes {block = 64 : i64} {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<64x64xf32> -> !tile.tile<64x64xf32>
  tile.store %t, %a[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
}

// The contiguous dimension is not always the last.
// CHECK-LABEL: tile.kernel @promises_columns(
// CHECK-SAME:    {tile.assumed_alignment = 16 : i64, tile.assumed_stride_alignment = 16 : i64}
// CHECK:       tile.kernel @promises_columns__general(
tile.kernel @promises_columns(%a: memref<?x?xf32, strided<[1, ?]>>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<?x?xf32, strided<[1, ?]>> -> !tile.tile<64x64xf32>
  tile.store %t, %a[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[1, ?]>>
  tile.return
}

// Only the first array gets an assumption. The second array is accessed at unknown
// offsets, for which alignment has no advantage. The scalar is only an offset.
// CHECK-LABEL: tile.kernel @promises_what_gains(
// CHECK-SAME:    %{{.*}}: memref<?xf32> {tile.assumed_alignment = 16 : i64}, %{{.*}}: memref<?xf32>, %{{.*}}: index) {
// CHECK:       tile.kernel @promises_what_gains__general(
tile.kernel @promises_what_gains(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %b[%n] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}

// The following kernels have no advantage from alignment, and are not changed.
// CHECK-NOT: __general

// An element of 16 bytes is already the widest access.
// CHECK-LABEL: tile.kernel @leaves_wide_elements(%{{.*}}: memref<?xcomplex<f64>>) {
tile.kernel @leaves_wide_elements(%a: memref<?xcomplex<f64>>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xcomplex<f64>> -> !tile.tile<64xcomplex<f64>>
  tile.store %t, %a[%c0] : !tile.tile<64xcomplex<f64>>, memref<?xcomplex<f64>>
  tile.return
}

// No dimension is contiguous in memory.
// CHECK-LABEL: tile.kernel @leaves_scattered_elements(
// CHECK-SAME:    memref<?x?xf32, strided<[?, ?]>>) {
tile.kernel @leaves_scattered_elements(%a: memref<?x?xf32, strided<[?, ?]>>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<?x?xf32, strided<[?, ?]>> -> !tile.tile<64x64xf32>
  tile.store %t, %a[%c0, %c0] : !tile.tile<64x64xf32>, memref<?x?xf32, strided<[?, ?]>>
  tile.return
}

// Rows of 63 elements are never aligned, whatever the address.
// CHECK-LABEL: tile.kernel @leaves_odd_rows(%{{.*}}: memref<63x63xf32>) {
tile.kernel @leaves_odd_rows(%a: memref<63x63xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0, %c0] : memref<63x63xf32> -> !tile.tile<64x64xf32>
  tile.store %t, %a[%c0, %c0] : !tile.tile<64x64xf32>, memref<63x63xf32>
  tile.return
}

// A tile of one element is a single access.
// CHECK-LABEL: tile.kernel @leaves_single_elements(%{{.*}}: memref<?xf32>) {
tile.kernel @leaves_single_elements(%a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<f32>
  tile.store %t, %a[%c0] : !tile.tile<f32>, memref<?xf32>
  tile.return
}

// The program already declares the assumption.
// CHECK-LABEL: tile.kernel @leaves_promised_arrays(
// CHECK-SAME:    {tile.assumed_alignment = 16 : i64}) {
tile.kernel @leaves_promised_arrays(%a: memref<?xf32> {tile.assumed_alignment = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %t = tile.load %a[%c0] : memref<?xf32> -> !tile.tile<64xf32>
  tile.store %t, %a[%c0] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
}
