// RuntimeTest.cpp - tests launches through the runtime's C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeKernels.h"

#include "Fakes/FakeKernels.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

TEST_F(RuntimeC, TellsOfDevices) {
  EXPECT_EQ(tile_runtime_api_version(), TILE_API_VERSION);
  int32_t devices = 0;
  EXPECT_GOOD(tile_device_count(&devices));
  EXPECT_EQ(devices, 1);
  tile_device_info info = {};
  info.struct_size = sizeof info;
  EXPECT_GOOD(tile_device_get_info(device, &info));
  EXPECT_STREQ(info.name, "Fake GPU");
  EXPECT_STREQ(info.arch, "sm_90a");
  EXPECT_EQ(info.max_shared_bytes, 232448);
  EXPECT_EQ(info.multiprocessors, 132);
  EXPECT_GOOD(tile_device_synchronize(device));
}

TEST_F(RuntimeC, TellsOfKernels) {
  size_t kernels = 0;
  EXPECT_GOOD(tile_module_count_kernels(module, &kernels));
  ASSERT_EQ(kernels, 2u);
  const char *name = nullptr;
  EXPECT_GOOD(tile_module_get_kernel_name(module, 1, &name));
  EXPECT_STREQ(name, "count");

  tile_kernel_info info = {};
  info.struct_size = sizeof info;
  EXPECT_GOOD(tile_kernel_get_info(axpy, &info));
  EXPECT_STREQ(info.name, "axpy");
  EXPECT_STREQ(info.arch, "sm_90");
  EXPECT_EQ(info.block[0], 128);
  EXPECT_EQ(info.cluster[2], 1);
  EXPECT_EQ(info.shared_bytes, 64);
  EXPECT_EQ(info.num_arguments, 3u);
  EXPECT_EQ(info.num_entries, 2u);
  EXPECT_EQ(info.num_workspaces, 0u);
  EXPECT_EQ(info.has_grid, 1);
  EXPECT_GOOD(tile_kernel_get_info(count, &info));
  EXPECT_EQ(info.num_workspaces, 1u);
  EXPECT_EQ(info.has_grid, 0);
}

TEST_F(RuntimeC, TellsOfArguments) {
  tile_argument_info info = {};
  info.struct_size = sizeof info;
  EXPECT_GOOD(tile_kernel_get_argument(axpy, 0, &info));
  EXPECT_STREQ(info.name, "alpha");
  EXPECT_STREQ(info.type, "f32");
  EXPECT_EQ(info.rank, TILE_SCALAR);
  EXPECT_GOOD(tile_kernel_get_argument(axpy, 2, &info));
  EXPECT_STREQ(info.name, "y");
  EXPECT_EQ(info.rank, 1);
  EXPECT_EQ(info.reads, 1);
  EXPECT_EQ(info.writes, 1);
  EXPECT_EQ(info.shape[0], TILE_DYNAMIC);
  EXPECT_EQ(info.strides[0], 1);
  EXPECT_GOOD(tile_kernel_get_argument(count, 1, &info));
  EXPECT_EQ(info.reads, 0);
  EXPECT_EQ(info.shape[0], 1);
}

TEST_F(RuntimeC, TellsOfEntries) {
  tile_entry_info info = {};
  info.struct_size = sizeof info;
  EXPECT_GOOD(tile_kernel_get_entry(axpy, 0, &info));
  EXPECT_STREQ(info.symbol, "axpy_promised");
  EXPECT_EQ(info.registers, 32);
  EXPECT_EQ(info.spill_store_bytes, 0);
  EXPECT_EQ(info.spill_load_bytes, 8);
  EXPECT_EQ(info.stack_bytes, 16);
  // 2048 threads per multiprocessor, 128 per block.
  EXPECT_EQ(info.blocks_per_multiprocessor, 16);
  EXPECT_GOOD(tile_kernel_get_entry(axpy, 1, &info));
  EXPECT_STREQ(info.symbol, "axpy");
  EXPECT_EQ(info.registers, TILE_UNKNOWN);
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST_F(RuntimeC, Launches) {
  EXPECT_GOOD(tile_launch(axpy, forAxpy, 3, nullptr));
  EXPECT_EQ(y[0], 12);
  EXPECT_EQ(y[2], 36);
}

TEST_F(RuntimeC, LaunchesNothingOnAnEmptyGrid) {
  size = 0;
  EXPECT_GOOD(tile_launch(axpy, forAxpy, 3, nullptr));
  EXPECT_EQ(y[0], 10);
}

TEST_F(RuntimeC, BringsWorkspaces) {
  int64_t bytes = 0;
  size_t workspaces = 0;
  EXPECT_GOOD(
      tile_kernel_get_workspaces(count, forCount, 2, &bytes, 1, &workspaces));
  EXPECT_EQ(workspaces, 1u);
  EXPECT_EQ(bytes, 24);
  EXPECT_GOOD(
      tile_kernel_get_workspaces(count, forCount, 2, nullptr, 0, &workspaces));
  EXPECT_EQ(workspaces, 1u);
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  EXPECT_GOOD(tile_launch(count, forCount, 2, &options));
  EXPECT_EQ(out, 6);
}

namespace {
/// Device memory that the driver allocates.
struct DeviceMemory {
  explicit DeviceMemory(size_t bytes) {
    EXPECT_EQ(callFakeDriver("cuMemAlloc_v2", &address, bytes), 0);
  }
  ~DeviceMemory() { EXPECT_EQ(callFakeDriver("cuMemFree_v2", address), 0); }

  CurrentContext context;
  unsigned long long address = 0;
};
} // namespace

TEST_F(RuntimeC, AllocatesNothingInACapture) {
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  options.stream = fake::kCapturingStream;
  EXPECT_ERROR(tile_launch(count, forCount, 2, &options), TILE_STATUS_CAPTURE,
               "kernel 'count': expected 1 workspaces in the capture of a "
               "graph, which forbids to allocate them, found none");
  EXPECT_EQ(out, 0);
  // A capture is possible with given workspaces, and for kernels without
  // workspaces.
  DeviceMemory memory(24);
  void *workspace = reinterpret_cast<void *>(memory.address);
  options.workspaces = &workspace;
  options.num_workspaces = 1;
  EXPECT_GOOD(tile_launch(count, forCount, 2, &options));
  EXPECT_EQ(out, 6);
  options.num_workspaces = 0;
  EXPECT_GOOD(tile_launch(axpy, forAxpy, 3, &options));
}

TEST_F(RuntimeC, LaunchesBesideAnotherContextOfTheProgram) {
  OtherContext other;
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  EXPECT_GOOD(tile_launch(count, forCount, 2, &options));
  EXPECT_EQ(out, 6);
  EXPECT_GOOD(tile_launch(axpy, forAxpy, 3, nullptr));
  EXPECT_EQ(y[0], 12);
  EXPECT_GOOD(tile_device_synchronize(device));
}

TEST_F(RuntimeC, RefusesStreamsOfAnotherContext) {
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  options.stream = fake::kForeignStream;
  EXPECT_ERROR(tile_launch(count, forCount, 2, &options),
               TILE_STATUS_DEVICE_ERROR,
               "cuStreamIsCapturing: CUDA_ERROR_INVALID_HANDLE (destroyed, or "
               "of another context)");
  EXPECT_EQ(out, 0);
  EXPECT_ERROR(tile_launch(axpy, forAxpy, 3, &options),
               TILE_STATUS_DEVICE_ERROR,
               "cuLaunchKernel: CUDA_ERROR_INVALID_HANDLE (destroyed, or of "
               "another context)");
  EXPECT_EQ(y[0], 10);
  driver.expectMisuses(2);
}

/// Returns the median times of both calls, which alternate.
template <typename First, typename Second>
static std::array<std::chrono::nanoseconds, 2> measure(First first,
                                                       Second second) {
  using Clock = std::chrono::steady_clock;
  std::array<std::vector<std::chrono::nanoseconds>, 2> times;
  for (int round = 0; round < 20001; ++round) {
    Clock::time_point start = Clock::now();
    first();
    Clock::time_point between = Clock::now();
    second();
    times[0].push_back(between - start);
    times[1].push_back(Clock::now() - between);
  }
  for (std::vector<std::chrono::nanoseconds> &all : times)
    std::nth_element(all.begin(), all.begin() + 10000, all.end());
  return {times[0][10000], times[1][10000]};
}

TEST_F(RuntimeC, AddsLittleToTheDriversLaunch) {
  // Starts a thread, as a real driver does: from then on shared pointers are
  // counted with atomic operations.
  std::thread([] {}).join();
  CurrentContext context;
  void *driverModule = nullptr, *function = nullptr;
  ASSERT_EQ(callFakeDriver("cuModuleLoadData", &driverModule,
                           static_cast<const void *>(kImage)),
            0);
  ASSERT_EQ(callFakeDriver("cuModuleGetFunction", &function, driverModule,
                           "axpy_promised"),
            0);
  float *ofX = x, *ofY = y;
  void *parameters[] = {&alpha, &ofX, &size, &ofY, &size};
  auto *launch = reinterpret_cast<int (*)(void *, unsigned, unsigned, unsigned,
                                          unsigned, unsigned, unsigned,
                                          unsigned, void *, void **, void **)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuLaunchKernel"));
  tile_plan *plan = nullptr;
  EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
  alpha = 0;
  auto [ours, drivers] = measure(
      [&] { EXPECT_EQ(tile_plan_launch(plan, nullptr), TILE_STATUS_OK); },
      [&] {
        EXPECT_EQ(launch(function, 1, 1, 1, 128, 1, 1, 0, nullptr, parameters,
                         nullptr),
                  0);
      });
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE((ours - drivers).count(), 100);
#endif
  RecordProperty("nanoseconds", static_cast<int>((ours - drivers).count()));
  EXPECT_GOOD(tile_plan_destroy(plan));
  EXPECT_EQ(callFakeDriver("cuModuleUnload", driverModule), 0);
}

TEST_F(RuntimeC, LoadsFiles) {
  std::string folder = ::testing::TempDir();
  std::ofstream(folder + "/kernels.cubin") << kImage;
  std::ofstream(folder + "/kernels.json") << kMetadata;
  tile_module *loaded;
  EXPECT_GOOD(tile_module_load_file(device, (folder + "/kernels.cubin").c_str(),
                                    nullptr, &loaded));
  size_t kernels = 0;
  EXPECT_GOOD(tile_module_count_kernels(loaded, &kernels));
  EXPECT_EQ(kernels, 2u);
  EXPECT_GOOD(tile_module_destroy(loaded));
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

TEST_F(RuntimeC, LaunchesPlans) {
  tile_plan *plan;
  EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
  // The plan uses the values from the time of its creation.
  alpha = 100;
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_GOOD(tile_plan_launch(plan, fake::kCapturingStream));
  EXPECT_EQ(y[0], 14);
  // The specialized variant does not apply to this other array.
  float other[4] = {0, 5, 6, 7};
  EXPECT_GOOD(tile_plan_set_array(plan, 1, other + 1));
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_EQ(y[0], 24);
  // An invalid array changes nothing in the plan.
  EXPECT_ERROR(tile_plan_set_array(plan, 1, nullptr),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': argument 1 ('x'): expected a pointer, found "
               "null");
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_EQ(y[0], 34);
  EXPECT_GOOD(tile_plan_destroy(plan));
}

TEST_F(RuntimeC, PlansHaveTheirWorkspaces) {
  tile_plan *plan;
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  EXPECT_ERROR(tile_plan_create(count, forCount, 2, &options, &plan),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'count': expected 1 workspaces, found 0");
  DeviceMemory memory(24);
  void *workspace = reinterpret_cast<void *>(memory.address);
  options.workspaces = &workspace;
  options.num_workspaces = 1;
  EXPECT_GOOD(tile_plan_create(count, forCount, 2, &options, &plan));
  // The workspace is zero before each launch.
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_EQ(out, 6);
  EXPECT_GOOD(tile_plan_destroy(plan));
}

/// Calls `work` on 8 threads that start together, each with its index.
template <typename Work>
static void runThreads(Work work) {
  constexpr int kThreads = 8;
  std::atomic<int> ready = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&ready, &work, i] {
      ++ready;
      while (ready < kThreads)
        std::this_thread::yield();
      work(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(RuntimeC, PlansAreLaunchedFromSeveralThreads) {
  tile_plan *plan;
  EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
  runThreads([plan](int) {
    for (int launch = 0; launch < 100; ++launch)
      EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  });
  EXPECT_EQ(y[0], 10 + 800 * 2);
  EXPECT_GOOD(tile_plan_destroy(plan));
}

TEST_F(RuntimeC, LaunchesOfThreadsDoNotMixTheirWorkspaces) {
  // The input is the memory of the output, so each launch sums the two halves
  // of the last launch's result. The result stays the same if the workspace is
  // zero, and would grow if another launch had written to the workspace.
  out = 6;
  size = 2;
  forCount[0].data = &out;
  DeviceMemory memory(16);
  void *workspace = reinterpret_cast<void *>(memory.address);
  tile_launch_options options = {};
  options.struct_size = sizeof options;
  options.grid = grid;
  options.workspaces = &workspace;
  options.num_workspaces = 1;
  tile_plan *plan;
  EXPECT_GOOD(tile_plan_create(count, forCount, 2, &options, &plan));
  runThreads([plan](int) {
    CurrentContext context;
    for (int launch = 0; launch < 5000; ++launch)
      EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  });
  EXPECT_EQ(out, 6);
  EXPECT_GOOD(tile_plan_destroy(plan));
}

TEST_F(RuntimeC, PlansComeAndGoWhileTheyAreLaunched) {
  std::atomic<tile_plan *> plans[2] = {};
  float other[4] = {0, 1, 2, 3};
  auto replace = [&](std::atomic<tile_plan *> &entry) {
    tile_plan *plan;
    EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
    EXPECT_GOOD(tile_plan_destroy(entry.exchange(plan)));
  };
  auto expectDone = [](tile_status status) {
    if (status != TILE_STATUS_OK) {
      EXPECT_EQ(status, TILE_STATUS_DESTROYED_HANDLE)
          << tile_runtime_last_error();
    }
  };
  for (std::atomic<tile_plan *> &entry : plans)
    replace(entry);
  runThreads([&](int thread) {
    for (int round = 0; round < 2000; ++round) {
      std::atomic<tile_plan *> &entry = plans[(thread + round) % 2];
      if (thread == 0)
        replace(entry);
      else if (thread == 1)
        expectDone(tile_plan_set_array(entry, 1, round % 2 ? x : other + 1));
      else
        expectDone(tile_plan_launch(entry, nullptr));
    }
  });
  for (std::atomic<tile_plan *> &entry : plans)
    EXPECT_GOOD(tile_plan_destroy(entry));
  // Both arrays are equal, and each launch adds the same.
  EXPECT_EQ(static_cast<int>(y[0] - 10) % 2, 0);
  EXPECT_EQ(y[1] - 20, 2 * (y[0] - 10));
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

TEST_F(RuntimeC, CallsFunctions) {
  tile_function *function;
  EXPECT_GOOD(tile_module_get_function(module, "total", &function));
  alignas(256) int64_t sums[2] = {0, 0};
  int64_t two = 2;
  tile_argument arguments[] = {
      {sizeof(tile_argument), counted, 1, &size, nullptr, "i32"},
      {sizeof(tile_argument), sums, 1, &two, nullptr, nullptr}};
  tile_call *call;
  EXPECT_GOOD(tile_call_create(function, arguments, 2, &call));
  EXPECT_GOOD(tile_function_destroy(function));
  // The call's memory is already allocated, so that the call may be captured.
  EXPECT_GOOD(tile_call_launch(call, fake::kCapturingStream));
  EXPECT_EQ(sums[0], 6);
  EXPECT_EQ(sums[1], 5);
  EXPECT_GOOD(tile_call_launch(call, nullptr));
  EXPECT_EQ(sums[0], 6);
  EXPECT_GOOD(tile_call_destroy(call));
}

TEST_F(RuntimeC, PlansFunctions) {
  tile_function *function;
  EXPECT_GOOD(tile_module_get_function(module, "total", &function));
  alignas(256) int64_t sums[2] = {0, 0}, others[2] = {0, 0};
  int64_t two = 2, bytes;
  tile_argument arguments[] = {
      {sizeof(tile_argument), counted, 1, &size, nullptr, "i32"},
      {sizeof(tile_argument), sums, 1, &two, nullptr, nullptr}};
  EXPECT_GOOD(tile_function_get_memory(function, arguments, 2, &bytes));
  // Each of the two launches has a workspace of three or two elements.
  EXPECT_EQ(bytes, 2 * 256);
  DeviceMemory first(bytes), second(bytes);
  auto *memory = reinterpret_cast<void *>(first.address);
  tile_plan *plan;
  EXPECT_GOOD(tile_function_create_plan(function, arguments, 2, memory, &plan));
  EXPECT_GOOD(tile_function_destroy(function));
  EXPECT_GOOD(tile_plan_launch(plan, fake::kCapturingStream));
  EXPECT_EQ(sums[0], 6);
  EXPECT_EQ(sums[1], 5);
  // Other memory, and another array.
  std::memset(reinterpret_cast<void *>(second.address), 0xff, bytes);
  EXPECT_GOOD(
      tile_plan_set_array(plan, 2, reinterpret_cast<void *>(second.address)));
  std::memset(reinterpret_cast<void *>(first.address), 0x55, bytes);
  EXPECT_GOOD(tile_plan_set_array(plan, 1, others));
  EXPECT_GOOD(tile_plan_launch(plan, nullptr));
  EXPECT_EQ(others[0], 6);
  EXPECT_EQ(others[1], 5);
  EXPECT_EQ(*reinterpret_cast<int64_t *>(first.address), 0x5555555555555555);
  EXPECT_GOOD(tile_plan_destroy(plan));
}
