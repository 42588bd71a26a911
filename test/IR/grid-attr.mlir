// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// A constant grid needs no argument.
// CHECK: func.func private @constant() attributes {test = #tile.grid<#[[CONSTANT:.*]] of []>}
func.func private @constant() attributes {test = #tile.grid<affine_map<() -> (16, 8)> of []>}

// The extents are derived from an array's rows and columns, and from a scalar.
// CHECK: func.func private @three_extents() attributes {test = #tile.grid<#{{.*}} of {{\[}}[0, 0], [0, 1], [2]]>}
func.func private @three_extents() attributes {test = #tile.grid<affine_map<(m, n, b) -> (n ceildiv 128, m ceildiv 64, b)> of [[0, 0], [0, 1], [2]]>}

// Batch times heads is one extent.
// CHECK: func.func private @product() attributes {test = #tile.grid<#{{.*}} of {{\[}}[0, 0], [0, 1], [0, 2]] factors[1, 2]>}
func.func private @product() attributes {test = #tile.grid<affine_map<(b, h, m) -> (m ceildiv 128, b, h)> of [[0, 0], [0, 1], [0, 2]] factors [1, 2]>}

// The map has more results than a grid has extents.
// CHECK: func.func private @four_factors() attributes {test = #tile.grid<#{{.*}} of {{\[}}[0, 0]] factors[4]>}
func.func private @four_factors() attributes {test = #tile.grid<affine_map<(n) -> (n, n, n, 2)> of [[0, 0]] factors [4]>}
