// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected bits <= shift and bits + base + shift < 32, got <3, 4, 2>}}
func.func private @swizzle_c1_shift_below_bits() attributes {test = #tile.swizzle<3, 4, 2>}

// -----

// expected-error @below {{expected bits <= shift and bits + base + shift < 32, got <8, 16, 8>}}
func.func private @swizzle_c1_too_wide() attributes {test = #tile.swizzle<8, 16, 8>}

// -----

// expected-error @below {{expected bits <= shift and bits + base + shift < 32, got <4294967295, 4294967295, 4294967295>}}
func.func private @swizzle_c1_sum_overflows() attributes {test = #tile.swizzle<4294967295, 4294967295, 4294967295>}

// -----

// expected-error @below {{expected ','}}
func.func private @swizzle_two_numbers() attributes {test = #tile.swizzle<3, 4>}

// -----

// expected-error @below {{expected '<'}}
func.func private @swizzle_without_numbers() attributes {test = #tile.swizzle}
