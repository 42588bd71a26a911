// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected an alignment that is a power of two, got 24}}
func.func private @shared_c1_not_a_power_of_two() attributes {test = #tile.shared<(128,64):(64,1), align = 24>}

// -----

// expected-error @below {{expected an alignment from 1 to 65536 bytes, got 0}}
func.func private @shared_c1_zero() attributes {test = #tile.shared<(128,64):(64,1), align = 0>}

// -----

// expected-error @below {{expected an alignment from 1 to 65536 bytes, got -16}}
func.func private @shared_c1_negative() attributes {test = #tile.shared<(128,64):(64,1), align = -16>}

// -----

// expected-error @below {{expected an alignment from 1 to 65536 bytes, got 4294967296}}
func.func private @shared_c1_too_large() attributes {test = #tile.shared<(128,64):(64,1), align = 4294967296>}

// -----

// expected-error @below {{expected one mode a dimension, got the integer layout 64:1}}
func.func private @shared_c2_integer_layout() attributes {test = #tile.shared<64:1>}

// -----

// expected-error @below {{expected strides that are not negative, got -64}}
func.func private @shared_c2_negative_stride() attributes {test = #tile.shared<(128,64):(-64,1)>}

// -----

// expected-error @below {{expected a layout of fewer than 2^31 elements, got 2147483650}}
func.func private @shared_c3_span() attributes {test = #tile.shared<(2,2):(2147483648,1)>}

// -----

// Errors of the swizzle are reported at its position.
// expected-error @below {{expected bits <= shift and bits + base + shift < 32, got <3, 4, 2>}}
func.func private @shared_swizzle() attributes {test = #tile.shared<(128,64):(64,1), swizzle = <3, 4, 2>>}

// -----

// expected-error @below {{expected 'swizzle' or 'align', each once}}
func.func private @shared_unknown_parameter() attributes {test = #tile.shared<(128,64):(64,1), bank = 3>}

// -----

// expected-error @below {{expected 'swizzle' or 'align', each once}}
func.func private @shared_alignment_twice() attributes {test = #tile.shared<(128,64):(64,1), align = 16, align = 32>}

// -----

// expected-error @below {{expected 'swizzle' or 'align', each once}}
func.func private @shared_swizzle_twice() attributes {test = #tile.shared<(128,64):(64,1), swizzle = <3, 4, 3>, swizzle = <3, 4, 3>>}

// -----

// expected-error @below {{expected integer value}}
func.func private @shared_without_layout() attributes {test = #tile.shared<align = 32>}

// -----

// expected-error @below {{expected integer value}}
func.func private @shared_empty() attributes {test = #tile.shared<>}
