// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The tile is in shared memory, and its layout is left to the compiler.
// CHECK: func.func private @declared() attributes {test = #tile.shared}
func.func private @declared() attributes {test = #tile.shared}

// Rows of 128 bytes with the 128-byte swizzle.
// CHECK: func.func private @every_parameter() attributes {test = #tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, align = 1024>}
func.func private @every_parameter() attributes {test = #tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, align = 1024>}

// Parameters are printed in one order.
// CHECK: func.func private @any_order() attributes {test = #tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, align = 1024>}
func.func private @any_order() attributes {test = #tile.shared<(128,64):(64,1), align = 1024, swizzle = <3, 4, 3>>}

// The default alignment is not printed.
// CHECK: func.func private @default_alignment() attributes {test = #tile.shared<(128,64):(64,1)>}
func.func private @default_alignment() attributes {test = #tile.shared<(128,64):(64,1), align = 16>}

// A dimension may be nested.
// CHECK: func.func private @nested() attributes {test = #tile.shared<((8,16),64):((64,4096),1)>}
func.func private @nested() attributes {test = #tile.shared<((8,16),64):((64,4096),1)>}

// A tuple of one mode is one dimension.
// CHECK: func.func private @one_dimension() attributes {test = #tile.shared<(64):(1)>}
func.func private @one_dimension() attributes {test = #tile.shared<(64):(1)>}

// An integer layout has no dimension.
// CHECK: func.func private @rank_0() attributes {test = #tile.shared<1:0>}
func.func private @rank_0() attributes {test = #tile.shared<1:0>}

// Several elements may have the same offset.
// CHECK: func.func private @broadcast() attributes {test = #tile.shared<(4,8):(0,1)>}
func.func private @broadcast() attributes {test = #tile.shared<(4,8):(0,1)>}
