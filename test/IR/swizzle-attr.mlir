// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -emit-bytecode | tile-opt | FileCheck %s

// The swizzles that TMA and wgmma have names for.
// CHECK: func.func private @mode_128_bytes() attributes {test = #tile.swizzle<3, 4, 3>}
func.func private @mode_128_bytes() attributes {test = #tile.swizzle<3, 4, 3>}

// Rows of 64 bytes.
// CHECK: func.func private @mode_64_bytes() attributes {test = #tile.swizzle<2, 4, 3>}
func.func private @mode_64_bytes() attributes {test = #tile.swizzle<2, 4, 3>}

// Rows of 32 bytes.
// CHECK: func.func private @mode_32_bytes() attributes {test = #tile.swizzle<1, 4, 3>}
func.func private @mode_32_bytes() attributes {test = #tile.swizzle<1, 4, 3>}

// No bit is changed.
// CHECK: func.func private @identity() attributes {test = #tile.swizzle<0, 0, 0>}
func.func private @identity() attributes {test = #tile.swizzle<0, 0, 0>}

// The most bits that a 32-bit offset has room for.
// CHECK: func.func private @widest() attributes {test = #tile.swizzle<15, 1, 15>}
func.func private @widest() attributes {test = #tile.swizzle<15, 1, 15>}
