// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// A constant grid needs no argument.
// CHECK: func.func private @constant() attributes {test = #tile.grid<#[[CONSTANT:.*]] of []>}
func.func private @constant() attributes {test = #tile.grid<affine_map<() -> (16, 8)> of []>}

// Rows and columns of one array, and a scalar.
// CHECK: func.func private @three_extents() attributes {test = #tile.grid<#{{.*}} of {{\[}}[0, 0], [0, 1], [2]]>}
func.func private @three_extents() attributes {test = #tile.grid<affine_map<(m, n, b) -> (n ceildiv 128, m ceildiv 64, b)> of [[0, 0], [0, 1], [2]]>}
