// RUN: tile-opt %s -verify-diagnostics -split-input-file

// expected-error @below {{expected ','}}
func.func private @register_c1_box_missing() attributes {test = #tile.register<((4,8),1,(2,2)):((2,8),0,(1,64))>}

// -----

// expected-error @below {{expected integer value}}
func.func private @register_c1_layout_missing() attributes {test = #tile.register<box = [32]>}

// -----

// expected-error @below {{expected integer value}}
func.func private @register_c1_empty() attributes {test = #tile.register<>}

// -----

// expected-error @below {{expected a layout of 3 modes (lane, warp, value), got (32,1):(1,0)}}
func.func private @register_c2_rank() attributes {test = #tile.register<(32,1):(1,0), box = [32]>}

// -----

// expected-error @below {{expected a layout of 3 modes (lane, warp, value), got 32:1}}
func.func private @register_c2_integer_layout() attributes {test = #tile.register<32:1, box = [32]>}

// -----

// expected-error @below {{expected a first mode of 32 lanes, got 16}}
func.func private @register_c2_lanes() attributes {test = #tile.register<(16,1,1):(1,0,0), box = [16]>}

// -----

// expected-error @below {{expected at most 32 warps, got 64}}
func.func private @register_c2_warps() attributes {test = #tile.register<(32,64,1):(1,0,0), box = [32]>}

// -----

// expected-error @below {{expected values of a thread that differ, got a value mode of stride 0}}
func.func private @register_c3_value_repeats() attributes {test = #tile.register<(32,1,2):(1,0,0), box = [32]>}

// -----

// expected-error @below {{expected each mode to step inside one dimension of the box, got 32:1}}
func.func private @register_c3_leaves_the_dimension() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [16, 2]>}

// -----

// expected-error @below {{expected each mode to step inside one dimension of the box, got 32:-1}}
func.func private @register_c3_negative_stride() attributes {test = #tile.register<(32,1,1):(-1,0,0), box = [32]>}

// -----

// expected-error @below {{expected each mode to step inside one dimension of the box, got 32:1}}
func.func private @register_c3_no_dimension() attributes {test = #tile.register<(32,1,1):(1,0,0), box = []>}

// -----

// expected-error @below {{expected the modes of dimension 0 to cover its extent 33 exactly once}}
func.func private @register_c3_not_covered() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [33]>}

// -----

// expected-error @below {{expected the modes of dimension 0 to cover its extent 32 exactly once}}
func.func private @register_c3_covered_twice() attributes {test = #tile.register<(32,2,1):(1,1,0), box = [32]>}

// -----

// expected-error @below {{expected a box of positive extents and fewer than 2^31 elements}}
func.func private @register_box_empty() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [0]>}

// -----

// expected-error @below {{expected a box of positive extents and fewer than 2^31 elements}}
func.func private @register_box_negative() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [-32]>}

// -----

// expected-error @below {{expected a box of positive extents and fewer than 2^31 elements}}
func.func private @register_box_too_large() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [65536, 65536]>}

// -----

// expected-error @below {{expected a box of positive extents and fewer than 2^31 elements}}
func.func private @register_box_overflows() attributes {test = #tile.register<(32,1,1):(1,0,0), box = [9223372036854775807, 9223372036854775807]>}
