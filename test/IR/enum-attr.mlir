// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// Each word of each enumeration.
// CHECK: func.func private @axes() attributes {tile.test = [#tile<axis x>, #tile<axis y>, #tile<axis z>]}
func.func private @axes() attributes {tile.test = [#tile<axis x>, #tile<axis y>, #tile<axis z>]}
// CHECK: func.func private @kinds() attributes {tile.test = [#tile<reduce_kind add>, #tile<reduce_kind mul>, #tile<reduce_kind min>, #tile<reduce_kind max>, #tile<reduce_kind umin>, #tile<reduce_kind umax>]}
func.func private @kinds() attributes {tile.test = [#tile<reduce_kind add>, #tile<reduce_kind mul>, #tile<reduce_kind min>, #tile<reduce_kind max>, #tile<reduce_kind umin>, #tile<reduce_kind umax>]}
// CHECK: func.func private @precisions() attributes {tile.test = [#tile<precision ieee>, #tile<precision tf32>]}
func.func private @precisions() attributes {tile.test = [#tile<precision ieee>, #tile<precision tf32>]}
