// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected axis x, y or z, got 'w'}}
func.func private @axis_unknown() attributes {test = #tile<axis w>}

// -----

// expected-error @below {{expected axis x, y or z}}
func.func private @axis_missing() attributes {test = #tile<axis>}

// -----

// expected-error @below {{expected axis x, y or z}}
func.func private @axis_of_text() attributes {test = #tile<axis "x">}

// -----

// expected-error @below {{expected kind of reduction add, mul, min, max, umin, umax, and, or or xor}}
func.func private @kind_of_number() attributes {test = #tile<reduce_kind 3>}

// -----

// expected-error @below {{expected precision ieee, tf32 or fast_accumulation, got 'fp8'}}
func.func private @precision_unknown() attributes {test = #tile<precision fp8>}

// -----

// expected-error @below {{expected distribution bits, uniform or normal, got 'gamma'}}
func.func private @distribution_unknown() attributes {test = #tile<distribution gamma>}

// -----

// expected-error @below {{expected kind of atomic update add, min, max, umin, umax, and, or, xor, exchange or compare_exchange, got 'mul'}}
func.func private @atomic_kind_unknown() attributes {test = #tile<atomic_kind mul>}

// -----

// expected-error @below {{expected order of an atomic access relaxed, acquire, release or acq_rel, got 'seq_cst'}}
func.func private @atomic_order_unknown() attributes {test = #tile<atomic_order seq_cst>}

// -----

// expected-error @below {{expected scope of an atomic access block, gpu or system, got 'warp'}}
func.func private @atomic_scope_unknown() attributes {test = #tile<atomic_scope warp>}

// -----

// expected-error @below {{unknown attribute `order` in dialect `tile`}}
func.func private @enumeration_unknown() attributes {test = #tile<order x>}

// -----

// expected-error @below {{unknown attribute `order` in dialect `tile`}}
func.func private @attribute_unknown() attributes {test = #tile.order}
