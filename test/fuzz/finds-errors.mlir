// Checks that comparisons can fail: they find one wrong bit, and a race.

// RUN: not tile-fuzz --seed=3 %s --on=sm_80 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not tile-fuzz --seed=3 %s --on=cpu --plant-error 2>&1 | FileCheck %s --check-prefix=WRONG
// RUN: not tile-fuzz --seed=1 --count=20 --jobs=1 --on=cpu --plant-error 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: not tile-fuzz --seed=1 --count=10 --jobs=1 --on=sm_90a --plant-error 2>&1 | FileCheck %s --check-prefix=ALL90

// RACE: seed 3: sm_80: f{{.*}}: program:[[#@LINE+7]]:10: error: race
// WRONG: seed 3: cpu: argument 0, element at distance 0: expected 0, got 1 (1 wrong)
// ALL: 20 programs from seed 1, {{19|20}} failed
// ALL90: 10 programs from seed 1, {{9|10}} failed
tile.kernel @f(%out: memref<8xi32>) {
  %zero = arith.constant 0 : index
  // Blocks read elements that other blocks write.
  %old = tile.load %out[%zero] : memref<8xi32> -> !tile.tile<8xi32>
  %one = arith.constant dense<1> : !tile.tile<8xi32>
  %new = arith.maxsi %old, %one : !tile.tile<8xi32>
  tile.store %new, %out[%zero] : !tile.tile<8xi32>, memref<8xi32>
  tile.return
}
