// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected a grid of 1 to 3 extents, got 0}}
func.func private @grid_c1_no_extents() attributes {tile.test = #tile.grid<affine_map<() -> ()> of []>}

// -----

// expected-error @below {{expected a grid of 1 to 3 extents, got 4}}
func.func private @grid_c1_four_extents() attributes {tile.test = #tile.grid<affine_map<(a, b, c, d) -> (a, b, c, d)> of [[0], [1], [2], [3]]>}

// -----

// expected-error @below {{expected a grid map without symbols, got 1}}
func.func private @grid_c1_symbols() attributes {tile.test = #tile.grid<affine_map<(m)[s] -> (m + s)> of [[0]]>}

// -----

// expected-error @below {{expected 1 sources of the grid, got 0}}
func.func private @grid_c1_too_few_sources() attributes {tile.test = #tile.grid<affine_map<(m) -> (m)> of []>}

// -----

// expected-error @below {{expected 1 sources of the grid, got 2}}
func.func private @grid_c1_too_many_sources() attributes {tile.test = #tile.grid<affine_map<(m) -> (m)> of [[0], [1]]>}

// -----

// expected-error @below {{expected 'of'}}
func.func private @grid_without_sources() attributes {tile.test = #tile.grid<affine_map<(m) -> (m)>>}

// -----

// expected-error @below {{expected '<'}}
func.func private @grid_without_parameters() attributes {tile.test = #tile.grid}
