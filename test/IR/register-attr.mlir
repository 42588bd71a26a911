// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The tile is in registers, and its layout is left to the compiler.
// CHECK: func.func private @declared() attributes {test = #tile.register}
func.func private @declared() attributes {test = #tile.register}

// The accumulator of one mma.m16n8k16.
// CHECK: func.func private @mma_accumulator() attributes {test = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>}
func.func private @mma_accumulator() attributes {test = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64)), box = [16, 8]>}

// Two warps are side by side, and each row of lanes has two values.
// CHECK: func.func private @warps() attributes {test = #tile.register<(32,2,2):(1,32,64), box = [128]>}
func.func private @warps() attributes {test = #tile.register<(32,2,2):(1,32,64), box = [128]>}

// Sixteen lanes hold the same elements as the other sixteen lanes.
// CHECK: func.func private @replicated() attributes {test = #tile.register<((16,2),1,1):((1,0),0,0), box = [16]>}
func.func private @replicated() attributes {test = #tile.register<((16,2),1,1):((1,0),0,0), box = [16]>}

// Every lane has the same element.
// CHECK: func.func private @rank_0() attributes {test = #tile.register<(32,1,1):(0,0,0), box = []>}
func.func private @rank_0() attributes {test = #tile.register<(32,1,1):(0,0,0), box = []>}
