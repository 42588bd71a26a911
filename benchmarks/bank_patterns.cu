// bank_patterns.cu - one access to shared memory per launch, for ncu to count
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In each launch, one warp reads or writes 4, 8 or 16 bytes per lane, at
// addresses of a pattern. lib/Layout/BankConflicts.cpp predicts the wavefronts
// of each launch; test/unit/Layout/Inputs/wavefronts-h200.txt records the
// wavefronts that an H200 needs.
//
//   nvcc -arch=native -o bank_patterns bank_patterns.cu
//   L=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op
//   ncu --clock-control none --csv --print-units base
//       --metrics ${L}_ld.sum,${L}_st.sum ./bank_patterns > counted.csv
//
// The program itself writes patterns.txt, which has a line per launch: the
// bytes per lane, 0 for a read or 1 for a write, and the byte address of each
// lane.

#include <cstdio>
#include <random>
#include <vector>

using Pattern = std::vector<unsigned>;

static constexpr unsigned kLanes = 32;
static constexpr unsigned kSharedBytes = 32768;

template <unsigned bytes, bool isWrite>
__global__ void access(const unsigned *offsets, unsigned *out) {
  extern __shared__ __align__(1024) char buffer[];
  unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(buffer)) +
                     offsets[threadIdx.x];
  unsigned a = 1, b = 2, c = 3, d = 4;
  if constexpr (isWrite) {
    if constexpr (bytes == 4)
      asm volatile("st.shared.b32 [%1], %0;" ::"r"(a), "r"(address));
    if constexpr (bytes == 8)
      asm volatile("st.shared.v2.b32 [%2], {%0, %1};" ::"r"(a), "r"(b),
                   "r"(address));
    if constexpr (bytes == 16)
      asm volatile("st.shared.v4.b32 [%4], {%0, %1, %2, %3};" ::"r"(a), "r"(b),
                   "r"(c), "r"(d), "r"(address));
  } else {
    if constexpr (bytes == 4)
      asm volatile("ld.shared.b32 %0, [%1];" : "=r"(a) : "r"(address));
    if constexpr (bytes == 8)
      asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                   : "=r"(a), "=r"(b)
                   : "r"(address));
    if constexpr (bytes == 16)
      asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(address));
    out[threadIdx.x] = a + b + c + d;
  }
}

namespace {
struct Launcher {
  unsigned *offsets, *out;
  FILE *file;

  template <unsigned bytes, bool isWrite> void run(Pattern pattern) {
    for (unsigned &address : pattern)
      address *= bytes;
    cudaMemcpy(offsets, pattern.data(), sizeof(unsigned) * kLanes,
               cudaMemcpyHostToDevice);
    access<bytes, isWrite><<<1, kLanes, kSharedBytes>>>(offsets, out);
    cudaDeviceSynchronize();
    fprintf(file, "%u %d", bytes, isWrite);
    for (unsigned address : pattern)
      fprintf(file, " %u", address);
    fprintf(file, "\n");
  }

  template <unsigned bytes> void runAll(const std::vector<Pattern> &patterns) {
    for (const Pattern &pattern : patterns)
      run<bytes, false>(pattern);
    for (const Pattern &pattern : patterns)
      run<bytes, true>(pattern);
  }
};
} // namespace

template <typename Address>
static void add(std::vector<Pattern> &patterns, Address address) {
  Pattern pattern(kLanes);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    pattern[lane] = address(lane);
  patterns.push_back(pattern);
}

/// Makes regular patterns, random patterns, and random patterns in which lanes
/// that differ only in the bits of `mask` access the same address.
static std::vector<Pattern> makePatterns() {
  std::mt19937 random(7);
  std::vector<Pattern> patterns;
  for (unsigned k = 1; k <= 32; k *= 2) {
    add(patterns, [&](unsigned lane) { return lane % k; });
    add(patterns, [&](unsigned lane) { return lane / k; });
    add(patterns, [&](unsigned lane) { return lane / k * 8; });
    add(patterns, [&](unsigned lane) { return lane % k * 8; });
    add(patterns, [&](unsigned lane) { return lane * k; });
    add(patterns, [&](unsigned lane) { return lane ^ k; });
  }
  for (unsigned range : {2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128})
    for (int repetition = 0; repetition < 5; ++repetition)
      add(patterns, [&](unsigned) { return random() % range; });
  for (unsigned range : {4, 8, 16, 32})
    for (unsigned mask : {1, 2, 4, 8, 16})
      for (int repetition = 0; repetition < 3; ++repetition) {
        Pattern values(kLanes);
        for (unsigned &value : values)
          value = random() % range;
        add(patterns, [&](unsigned lane) { return values[lane & ~mask]; });
      }
  return patterns;
}

int main() {
  Launcher launcher;
  launcher.file = fopen("patterns.txt", "w");
  if (!launcher.file) {
    fprintf(stderr, "error: expected to write patterns.txt\n");
    return 1;
  }
  cudaMalloc(&launcher.offsets, sizeof(unsigned) * kLanes);
  cudaMalloc(&launcher.out, sizeof(unsigned) * kLanes);
  std::vector<Pattern> patterns = makePatterns();
  launcher.runAll<4>(patterns);
  launcher.runAll<8>(patterns);
  launcher.runAll<16>(patterns);
  fclose(launcher.file);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess)
    fprintf(stderr, "error: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
