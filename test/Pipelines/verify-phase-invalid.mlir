// RUN: tile-opt %s -split-input-file -verify-diagnostics -test-tile-verify-phase=phase=1

// expected-error @below {{expected a specialized variant of the same arguments called "k"}}
tile.kernel @k__general(%x: memref<?xf32>) attributes {tile.general_of = "k"} {
  tile.return
}

// -----

tile.kernel @k(%x: memref<?xf32> {tile.alignment = 16 : i64}) {
  tile.return
}
// A declared alignment is not an assumption of the specialized variant.
// expected-error @below {{expected a specialized variant of the same arguments called "k"}}
tile.kernel @k__general(%x: memref<?xf32> {tile.alignment = 16 : i64}) attributes {tile.general_of = "k"} {
  tile.return
}

// -----

tile.kernel @k(%x: memref<?xf32> {tile.assumed_alignment = 16 : i64}) {
  tile.return
}
// expected-error @below {{expected a generic variant without assumptions}}
tile.kernel @k__general(%x: memref<?xf32> {tile.assumed_alignment = 16 : i64}) attributes {tile.general_of = "k"} {
  tile.return
}
