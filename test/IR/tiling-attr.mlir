// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// All parameters are left to the compiler.
// CHECK: func.func private @empty() attributes {test = #tile.tiling<>}
func.func private @empty() attributes {test = #tile.tiling<>}

// The attribute that -tile-warp-tiling writes for an FMA matmul.
// CHECK: func.func private @every_parameter() attributes {test = #tile.tiling<warps = [2, 4], sub = [4, 4], thread = [4, 8], atom = "fma", stages = 3>}
func.func private @every_parameter() attributes {test = #tile.tiling<warps = [2, 4], sub = [4, 4], thread = [4, 8], atom = "fma", stages = 3>}

// A tiling of a batch.
// CHECK: func.func private @batch() attributes {test = #tile.tiling<warps = [4, 2, 1], sub = [3, 1, 2], thread = [4, 8]>}
func.func private @batch() attributes {test = #tile.tiling<warps = [4, 2, 1], sub = [3, 1, 2], thread = [4, 8]>}

// Parameters are printed in one order.
// CHECK: func.func private @any_order() attributes {test = #tile.tiling<warps = [1, 1], stages = 2>}
func.func private @any_order() attributes {test = #tile.tiling<stages = 2, warps = [1, 1]>}

// Zero stages is the compiler's choice and is not printed.
// CHECK: func.func private @default_stages() attributes {test = #tile.tiling<warps = [1, 1]>}
func.func private @default_stages() attributes {test = #tile.tiling<warps = [1, 1], stages = 0>}

// The greatest values.
// CHECK: func.func private @greatest() attributes {test = #tile.tiling<thread = [65536, 1], stages = 64>}
func.func private @greatest() attributes {test = #tile.tiling<thread = [65536, 1], stages = 64>}

// The memory from which operands are read, and the width of the accesses.
// CHECK: func.func private @reading() attributes {test = #tile.tiling<atom = "fma", operands = global, vector = 1, stages = 1>}
func.func private @reading() attributes {test = #tile.tiling<vector = 1, operands = global, atom = "fma", stages = 1>}

// Default values are not printed.
// CHECK: func.func private @default_reading() attributes {test = #tile.tiling<>}
func.func private @default_reading() attributes {test = #tile.tiling<operands = shared, vector = 0>}
