// RUN: tile-opt %s -split-input-file -verify-diagnostics

// C1
// expected-error @below {{expected 'vector' to be 1, 2, 4, 8 or 16, got 3}}
func.func private @three() attributes {test = #tile.access<vector = 3, kind = vector, guard = none>}

// -----

// C1
// expected-error @below {{expected 'vector' to be 1, 2, 4, 8 or 16, got 32}}
func.func private @many() attributes {test = #tile.access<vector = 32, kind = copy_async, guard = none>}

// -----

// C1
// expected-error @below {{expected 'vector' to be 1, 2, 4, 8 or 16, got 0}}
func.func private @none() attributes {test = #tile.access<vector = 0, kind = elements, guard = none>}

// -----

// C2
// expected-error @below {{expected 'vector' to be 1 for 'elements', got 2}}
func.func private @several() attributes {test = #tile.access<vector = 2, kind = elements, guard = none>}

// -----

// C2
// expected-error @below {{expected 'vector' to be more than 1 for 'matrix', got 1}}
func.func private @one() attributes {test = #tile.access<vector = 1, kind = matrix, guard = none>}

// -----

// C3
// expected-error @below {{expected 'cached' for 'copy_async' only, got it for 'vector'}}
func.func private @cached_vector() attributes {test = #tile.access<vector = 4, kind = vector, guard = none, cached = true>}
