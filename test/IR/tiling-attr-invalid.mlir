// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected 'warps' to be two or three numbers from 1 to 65536, got [2]}}
func.func private @tiling_c1_one_number() attributes {test = #tile.tiling<warps = [2]>}

// -----

// expected-error @below {{expected 'thread' to be two numbers from 1 to 65536, got [2, 2, 2]}}
func.func private @tiling_c1_three_numbers() attributes {test = #tile.tiling<thread = [2, 2, 2]>}

// -----

// expected-error @below {{expected 'sub' to be two or three numbers from 1 to 65536, got [2, 2, 2, 2]}}
func.func private @tiling_c1_four_numbers() attributes {test = #tile.tiling<sub = [2, 2, 2, 2]>}

// -----

// expected-error @below {{expected 'thread' to be two numbers from 1 to 65536, got [0, 2]}}
func.func private @tiling_c1_zero() attributes {test = #tile.tiling<thread = [0, 2]>}

// -----

// expected-error @below {{expected 'warps' to be two or three numbers from 1 to 65536, got [-1, 2]}}
func.func private @tiling_c1_negative() attributes {test = #tile.tiling<warps = [-1, 2]>}

// -----

// Multiplied parameters do not overflow.
// expected-error @below {{expected 'warps' to be two or three numbers from 1 to 65536, got [9223372036854775807, 9223372036854775807]}}
func.func private @tiling_c1_too_large() attributes {test = #tile.tiling<warps = [9223372036854775807, 9223372036854775807]>}

// -----

// expected-error @below {{expected 'stages' from 0 to 64, got -1}}
func.func private @tiling_c2_negative() attributes {test = #tile.tiling<stages = -1>}

// -----

// expected-error @below {{expected 'stages' from 0 to 64, got 65}}
func.func private @tiling_c2_too_many() attributes {test = #tile.tiling<stages = 65>}

// -----

// expected-error @below {{duplicate or unknown struct parameter name: warp}}
func.func private @tiling_unknown_parameter() attributes {test = #tile.tiling<warp = [2, 2]>}

// -----

// expected-error @below {{duplicate or unknown struct parameter name: warps}}
func.func private @tiling_parameter_twice() attributes {test = #tile.tiling<warps = [2, 2], warps = [2, 2]>}

// -----

// expected-error @below {{expected 'atom' to be a matrix instruction or its name, got 3 : i64}}
func.func private @tiling_atom_is_a_number() attributes {test = #tile.tiling<atom = 3>}

// -----

// expected-error @below {{expected 'vector' to be 0, 1, 2, 4, 8 or 16, got 3}}
func.func private @tiling_c3_no_power() attributes {test = #tile.tiling<vector = 3>}

// -----

// expected-error @below {{expected 'vector' to be 0, 1, 2, 4, 8 or 16, got -1}}
func.func private @tiling_c3_negative() attributes {test = #tile.tiling<vector = -1>}

// -----

// expected-error @below {{expected 'vector' to be 0, 1, 2, 4, 8 or 16, got 32}}
func.func private @tiling_c3_too_many() attributes {test = #tile.tiling<vector = 32>}
