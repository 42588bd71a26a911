// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected a grid of 1 to 3 extents, got 0}}
func.func private @grid_c1_no_extents() attributes {test = #tile.grid<affine_map<() -> ()> of []>}

// -----

// expected-error @below {{expected a grid of 1 to 3 extents, got 4}}
func.func private @grid_c1_four_extents() attributes {test = #tile.grid<affine_map<(a, b, c, d) -> (a, b, c, d)> of [[0], [1], [2], [3]]>}

// -----

// expected-error @below {{expected a grid map without symbols, got 1}}
func.func private @grid_c1_symbols() attributes {test = #tile.grid<affine_map<(m)[s] -> (m + s)> of [[0]]>}

// -----

// expected-error @below {{expected 1 sources of the grid, got 0}}
func.func private @grid_c1_too_few_sources() attributes {test = #tile.grid<affine_map<(m) -> (m)> of []>}

// -----

// expected-error @below {{expected 1 sources of the grid, got 2}}
func.func private @grid_c1_too_many_sources() attributes {test = #tile.grid<affine_map<(m) -> (m)> of [[0], [1]]>}

// -----

// expected-error @below {{expected 'of'}}
func.func private @grid_without_sources() attributes {test = #tile.grid<affine_map<(m) -> (m)>>}

// -----

// expected-error @below {{expected '<'}}
func.func private @grid_without_parameters() attributes {test = #tile.grid}

// -----

// expected-error @below {{expected a grid that divides by positive numbers, got 'd0 floordiv 0'}}
#no_floor = #tile.grid<affine_map<(n) -> (n floordiv 0)> of [[0, 0]]>

// -----

// expected-error @below {{expected a grid that divides by positive numbers, got 'd0 ceildiv 0'}}
#no_ceil = #tile.grid<affine_map<(n) -> (1, (n ceildiv 0) * 2)> of [[0, 0]]>

// -----

// expected-error @below {{expected a grid that divides by positive numbers, got 'd0 mod 0'}}
#no_rest = #tile.grid<affine_map<(n) -> (n mod 0 + 1)> of [[0, 0]]>

// -----

// expected-error @below {{expected a grid that divides by positive numbers, got 'd0 floordiv -8'}}
#negative = #tile.grid<affine_map<(n) -> (n floordiv (-8))> of [[0, 0]]>

// -----

// expected-error @below {{expected 1 to 3 factors of the grid, got 4}}
#c4_four = #tile.grid<affine_map<(n) -> (n, n, n, n)> of [[0, 0]] factors [1, 1, 1, 1]>

// -----

// expected-error @below {{expected factors of the grid from 1 to the 2 results that are left, got 0}}
#c4_none = #tile.grid<affine_map<(n) -> (n, n)> of [[0, 0]] factors [0, 2]>

// -----

// expected-error @below {{expected factors of the grid from 1 to the 1 results that are left, got 2}}
#c4_more = #tile.grid<affine_map<(n) -> (n, n)> of [[0, 0]] factors [1, 2]>

// -----

// expected-error @below {{expected factors of the grid that add up to 3 results, got 2}}
#c4_fewer = #tile.grid<affine_map<(n) -> (n, n, n)> of [[0, 0]] factors [1, 1]>
