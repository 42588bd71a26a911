// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected axis x, y or z, got 'w'}}
func.func private @axis_unknown() attributes {tile.test = #tile<axis w>}

// -----

// expected-error @below {{expected axis x, y or z}}
func.func private @axis_missing() attributes {tile.test = #tile<axis>}

// -----

// expected-error @below {{expected axis x, y or z}}
func.func private @axis_of_text() attributes {tile.test = #tile<axis "x">}

// -----

// expected-error @below {{expected kind of reduction add, mul, min, max, umin or umax}}
func.func private @kind_of_number() attributes {tile.test = #tile<reduce_kind 3>}

// -----

// expected-error @below {{expected precision ieee or tf32, got 'fp8'}}
func.func private @precision_unknown() attributes {tile.test = #tile<precision fp8>}

// -----

// expected-error @below {{unknown attribute `order` in dialect `tile`}}
func.func private @enumeration_unknown() attributes {tile.test = #tile<order x>}

// -----

// expected-error @below {{unknown attribute `order` in dialect `tile`}}
func.func private @attribute_unknown() attributes {tile.test = #tile.order}
