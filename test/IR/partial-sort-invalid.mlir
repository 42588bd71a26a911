// RUN: tile-opt %s -verify-diagnostics -split-input-file

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c1_axis(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected an axis below the rank 1, got 1}}
  %0 = tile.partial_sort %t axis 1 steps [1, 0] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c1_extent(%t: !tile.tile<100xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected an extent along axis 0 that is a power of two, got '!tile.tile<100xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0] : !tile.tile<100xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c1_element_type(%t: !tile.tile<128xf32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected tiles of integers of the shape and layout of '!tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>', got '!tile.tile<128xf32, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0] : !tile.tile<128xf32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c1_shape(%t: !tile.tile<128xi32, #halves>, %u: !tile.tile<127xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected tiles of integers of the shape and layout of '!tile.tile<128xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>', got '!tile.tile<127xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0:2 = tile.partial_sort %t, %u axis 0 steps [1, 0] : !tile.tile<128xi32, #halves>, !tile.tile<127xi32, #halves>
  return
}

// -----

func.func @partial_sort_c2_no_layout(%t: !tile.tile<128xi32>) {
  // expected-error @below {{'tile.partial_sort' op expected tiles in registers, of a layout without padding along axis 0, got '!tile.tile<128xi32>'}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0] : !tile.tile<128xi32>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c2_padding(%t: !tile.tile<64xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected tiles in registers, of a layout without padding along axis 0, got '!tile.tile<64xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0] : !tile.tile<64xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c2_layouts(%t: !tile.tile<128xi32, #halves>, %u: !tile.tile<128xi32, #tile.register<(32,4,1):(1,32,0), box = [128]>>) {
  // expected-error @below {{'tile.partial_sort' op expected tiles of integers of the shape and layout of '!tile.tile<128xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>', got '!tile.tile<128xi32, #tile.register<(32,4,1):(1,32,0), box = [128]>>'}}
  %0:2 = tile.partial_sort %t, %u axis 0 steps [1, 0] : !tile.tile<128xi32, #halves>, !tile.tile<128xi32, #tile.register<(32,4,1):(1,32,0), box = [128]>>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c2_warps(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected a layout in which a warp holds elements at distance 64, got '!tile.tile<128xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0, 7, 6] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c3_odd(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected pairs [k, j] of steps, j less than k, k below 32 and 2^j below the extent 128, got [1, 0, 2]}}
  %0 = tile.partial_sort %t axis 0 steps [1, 0, 2] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c3_order(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected pairs [k, j] of steps, j less than k, k below 32 and 2^j below the extent 128, got [2, 2]}}
  %0 = tile.partial_sort %t axis 0 steps [2, 2] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c3_negative(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected pairs [k, j] of steps, j less than k, k below 32 and 2^j below the extent 128, got [2, -1]}}
  %0 = tile.partial_sort %t axis 0 steps [2, -1] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c3_distance(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected pairs [k, j] of steps, j less than k, k below 32 and 2^j below the extent 128, got [8, 7]}}
  %0 = tile.partial_sort %t axis 0 steps [8, 7] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_c3_size(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected pairs [k, j] of steps, j less than k, k below 32 and 2^j below the extent 128, got [32, 1]}}
  %0 = tile.partial_sort %t axis 0 steps [32, 1] : !tile.tile<128xi32, #halves>
  return
}

// -----

#halves = #tile.register<(32,2,2):(2,64,1), box = [128]>

func.func @partial_sort_results(%t: !tile.tile<128xi32, #halves>) {
  // expected-error @below {{'tile.partial_sort' op expected results of the sources' types '!tile.tile<128xi32, #tile.register<(32,2,2):(2,64,1), box = [128]>>', got '!tile.tile<128xi64, #tile.register<(32,2,2):(2,64,1), box = [128]>>'}}
  %0 = "tile.partial_sort"(%t) <{axis = 0 : i64, steps = array<i64: 1, 0>}> : (!tile.tile<128xi32, #halves>) -> !tile.tile<128xi64, #halves>
  return
}

// -----

func.func @partial_sort_nothing() {
  // expected-error @below {{'tile.partial_sort' op expected keys to sort}}
  "tile.partial_sort"() <{axis = 0 : i64, steps = array<i64: 1, 0>}> : () -> ()
  return
}
