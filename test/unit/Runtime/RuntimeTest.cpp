// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches on the fake driver.

#include "tile/Runtime/Runtime.h"

#include "Fakes/FakeDriver.h"
#include "Fakes/TemporaryFolder.h"

#include <cstdlib>
#include <numeric>
#include <thread>

using namespace tile::runtime;

namespace {
class Runtime : public ::testing::Test {
protected:
  void SetUp() override {
    Result<CudaDevice> opened = CudaDevice::open(0);
    ASSERT_TRUE(opened) << opened.error().message;
    device.emplace(*opened);
  }

  /// Metadata of a kernel that adds x, an i32[?], to a result, with a
  /// workspace.
  static KernelMetadata makeCount() {
    Argument x, out;
    x.name = "x";
    x.kind = Argument::Kind::Array;
    x.type = ElementType::I32;
    x.shape = {std::nullopt};
    x.strides = {1};
    out = x;
    out.name = "out";
    out.type = ElementType::I64;
    out.access = Access::Write;
    out.shape = {1};
    KernelMetadata kernel;
    kernel.name = "count";
    kernel.arch = "sm_90a";
    kernel.grid = std::array<Expression, 3>{
        Expression::binary(Expression::Kind::Minimum, Expression::size(0, 0),
                           Expression::constant(1)),
        Expression::constant(1), Expression::constant(1)};
    kernel.arguments = {x, out};
    kernel.entries.resize(1);
    kernel.entries[0].symbol = "count";
    kernel.hiddenArguments.resize(1);
    kernel.hiddenArguments[0].bytes =
        Expression::binary(Expression::Kind::Multiply, Expression::size(0, 0),
                           Expression::constant(8));
    kernel.hiddenArguments[0].zero = true;
    return kernel;
  }

  DeviceBuffer upload(const void *data, int64_t size) {
    DeviceBuffer buffer = *DeviceBuffer::allocate(*device, size);
    EXPECT_TRUE(buffer.upload(data));
    return buffer;
  }

  /// Returns the message of loading a changed makeCount().
  template <typename Change>
  std::string refusal(const Change &change) {
    KernelMetadata metadata = makeCount();
    change(metadata);
    Result<Kernel> kernel = Kernel::load(*device, kImage, metadata);
    return kernel ? "accepted" : kernel.error().message;
  }

  static constexpr char kImage[] = "fake cubin\ncount\naxpy\n";
  FakeDriver driver;
  std::optional<CudaDevice> device;
};
} // namespace

TEST_F(Runtime, DescribesTheDevice) {
  EXPECT_EQ(*countCudaDevices(), 1);
  EXPECT_EQ(device->getName(), "Fake GPU");
  EXPECT_EQ(device->getArch(), "sm_90a");
  EXPECT_EQ(device->getMaxSharedBytes(), 232448);
  EXPECT_EQ(CudaDevice::open(1).error().message,
            "expected a device below 1, found 1");
}

TEST_F(Runtime, ChecksTheArchitecture) {
  EXPECT_TRUE(device->checkArch("sm_90a"));
  EXPECT_TRUE(device->checkArch("sm_90"));
  for (const char *arch : {"sm_80", "sm_91", "sm_100a", "sm_89", "cpu", "sm_",
                           "sm_a", "", "sm_99999999999"})
    EXPECT_EQ(device->checkArch(arch).error().message,
              "expected code for sm_90a (device 'Fake GPU'), found " +
                  std::string(arch));
}

TEST_F(Runtime, LaunchesWithWorkspaces) {
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel) << kernel.error().message;
  const int32_t x[] = {1, 2, 3};
  DeviceBuffer in = upload(x, sizeof x);
  int64_t sum = -1;
  DeviceBuffer out = upload(&sum, sizeof sum);
  std::vector<KernelArgument> arguments = {
      ArrayView{ElementType::I32, in.getAddress(), {3}, {1}},
      ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}};
  // The first launch uses its own workspace, the next two a workspace of the
  // caller. It is zero at the start of each.
  DeviceBuffer workspace = *DeviceBuffer::allocate(*device, 24);
  LaunchOptions options;
  for (int run = 0; run < 3; ++run) {
    Result<LaunchPlan> plan = kernel->launch(arguments, options);
    ASSERT_TRUE(plan) << plan.error().message;
    EXPECT_EQ(plan->hiddenBytes, std::vector<int64_t>{24});
    ASSERT_TRUE(device->synchronize());
    ASSERT_TRUE(out.download(&sum));
    EXPECT_EQ(sum, 6);
    options.workspaces = {workspace.getAddress()};
  }
  options.workspaces.push_back(1);
  EXPECT_EQ(kernel->launch(arguments, options).error().message,
            "kernel 'count': expected 1 workspaces, found 2");
}

/// Metadata of axpy, whose first entry point is for an aligned `x`.
static KernelMetadata makeAxpy(int64_t aligned) {
  Argument alpha, x;
  alpha.name = "alpha";
  alpha.kind = Argument::Kind::Scalar;
  alpha.type = ElementType::F32;
  x.name = "x";
  x.kind = Argument::Kind::Array;
  x.type = ElementType::F32;
  x.shape = {std::nullopt};
  x.strides = {1};
  KernelMetadata kernel;
  kernel.name = "axpy";
  kernel.arch = "sm_90a";
  kernel.grid = std::array<Expression, 3>{Expression::constant(1),
                                          Expression::constant(1),
                                          Expression::constant(1)};
  kernel.arguments = {alpha, x, x};
  kernel.arguments[2].name = "y";
  kernel.arguments[2].access = Access::ReadWrite;
  kernel.entries.resize(2);
  kernel.entries[0].symbol = kernel.entries[1].symbol = "axpy";
  kernel.entries[0].predicates = {{1, Predicate::What::Pointer, 0, aligned}};
  return kernel;
}

// Only a kernel that waits for earlier launches itself may overlap them.
TEST_F(Runtime, OverlapsKernelsThatWait) {
  const int32_t x[] = {1, 2, 3};
  DeviceBuffer in = upload(x, sizeof x);
  for (bool waits : {false, true}) {
    KernelMetadata metadata = makeCount();
    metadata.waitsForLaunches = waits;
    Result<Kernel> kernel = Kernel::load(*device, kImage, metadata);
    ASSERT_TRUE(kernel) << kernel.error().message;
    int64_t sum = -1;
    DeviceBuffer out = upload(&sum, sizeof sum);
    int before = callFakeDriver("fakeCudaCountOverlapped");
    ASSERT_TRUE(kernel->launch(
        {ArrayView{ElementType::I32, in.getAddress(), {3}, {1}},
         ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}}));
    ASSERT_TRUE(out.download(&sum));
    EXPECT_EQ(sum, 6);
    EXPECT_EQ(callFakeDriver("fakeCudaCountOverlapped") - before, waits);
  }
}

// Predicates on an address are evaluated for the latest address, whether or not
// anything else changes.
TEST_F(Runtime, PreparedLaunchesTakeOtherAddresses) {
  for (int64_t aligned : {16, 256, 512}) {
    Result<Kernel> kernel = Kernel::load(*device, kImage, makeAxpy(aligned));
    ASSERT_TRUE(kernel) << kernel.error().message;
    alignas(512) float x[512], y[1] = {};
    std::iota(x, x + 512, 1.0f);
    auto view = [](const float *array) {
      return ArrayView{
          ElementType::F32, reinterpret_cast<uint64_t>(array), {1}, {1}};
    };
    Result<PreparedLaunch> prepared = PreparedLaunch::create(
        *kernel, {*parseScalar(ElementType::F32, "2"), view(x), view(y)});
    ASSERT_TRUE(prepared) << prepared.error().message;
    for (int first : {0, 64, 128, 1, 4, 256, 65, 0}) {
      ASSERT_TRUE(prepared->setAddress(1, view(x + first).address));
      EXPECT_EQ(prepared->getPlan().entry == 0, 4 * first % aligned == 0);
      y[0] = 0;
      ASSERT_TRUE(prepared->launch());
      EXPECT_EQ(y[0], 2.0f * (first + 1));
    }
    EXPECT_FALSE(prepared->setAddress(1, 0));
    y[0] = 0;
    ASSERT_TRUE(prepared->launch());
    EXPECT_EQ(y[0], 2);
  }
}

TEST_F(Runtime, LaunchesNothingOnAnEmptyGrid) {
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel);
  int64_t sum = -1;
  DeviceBuffer out = upload(&sum, sizeof sum);
  Result<LaunchPlan> plan =
      kernel->launch({ArrayView{ElementType::I32, 0, {0}, {1}},
                      ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->isEmpty());
  ASSERT_TRUE(out.download(&sum));
  EXPECT_EQ(sum, -1);
}

TEST_F(Runtime, RefusesWrongArgumentsBeforeTheLaunch) {
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->launch({}).error().message,
            "kernel 'count': expected 2 arguments (x, out), found 0");
}

TEST_F(Runtime, RefusesWhatDoesNotFitTheDevice) {
  EXPECT_EQ(refusal([](KernelMetadata &kernel) { kernel.arch = "sm_100a"; }),
            "kernel 'count': expected code for sm_90a (device 'Fake GPU'), "
            "found sm_100a");
  EXPECT_EQ(
      refusal([](KernelMetadata &kernel) { kernel.sharedBytes = 232449; }),
      "kernel 'count': expected at most 232448 bytes of shared memory on "
      "device "
      "'Fake GPU', found 232449");
  EXPECT_EQ(
      refusal([](KernelMetadata &kernel) { kernel.block = {512, 1, 1}; }),
      "kernel 'count': expected a block of at most 256 threads, found 512");
  EXPECT_EQ(refusal([](KernelMetadata &kernel) {
              kernel.entries[0].symbol = "gemm";
            }),
            "kernel 'count': expected a function 'gemm' in the binary: "
            "cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (as the fake driver was "
            "asked)");
  EXPECT_EQ(Kernel::load(*device, "ELF", makeCount()).error().message,
            "kernel 'count': expected a binary that device 'Fake GPU' takes: "
            "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE (as the fake driver "
            "was asked)");
}

// The parameters reveal that metadata belongs to another binary.
TEST_F(Runtime, RefusesOtherParameters) {
  EXPECT_EQ(
      refusal([](KernelMetadata &kernel) { kernel.hiddenArguments.clear(); }),
      "kernel 'count': expected 3 parameters of 'count', found 4 (the "
      "metadata is not of this binary)");
  EXPECT_EQ(refusal([](KernelMetadata &kernel) {
              kernel.entries[0].symbol = "axpy";
            }),
            "kernel 'count': expected 4 parameters of 'axpy', found 5 (the "
            "metadata is not of this binary)");
  EXPECT_EQ(refusal([](KernelMetadata &kernel) {
              kernel.entries[0].symbol = "axpy";
              kernel.hiddenArguments.push_back(kernel.hiddenArguments[0]);
            }),
            "kernel 'count': expected parameter 0 of 'axpy' to have 8 bytes, "
            "found 4 (the metadata is not of this binary)");
}

// A launch allocates in the context of its device, and leaves the context of
// the program current.
TEST_F(Runtime, LaunchesBesideAnotherContext) {
  OtherContext other;
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel) << kernel.error().message;
  const int32_t x[] = {1, 2, 3};
  DeviceBuffer in = upload(x, sizeof x);
  DeviceBuffer out = *DeviceBuffer::allocate(*device, 8);
  Result<LaunchPlan> plan =
      kernel->launch({ArrayView{ElementType::I32, in.getAddress(), {3}, {1}},
                      ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(*kernel->getOccupancy(0), 2048);
  int64_t sum = 0;
  ASSERT_TRUE(out.download(&sum));
  EXPECT_EQ(sum, 6);
}

TEST_F(Runtime, ReportsFailedAllocations) {
  setenv("TILE_FAKE_CUDA", "memory", 1);
  Result<DeviceBuffer> buffer = DeviceBuffer::allocate(*device, 8);
  unsetenv("TILE_FAKE_CUDA");
  EXPECT_EQ(buffer.error().message,
            "cannot allocate 8 bytes on the device: cuMemAlloc: "
            "CUDA_ERROR_OUT_OF_MEMORY (as the fake driver was asked)");
  EXPECT_EQ(buffer.error().kind, ErrorKind::Runtime);
}

TEST_F(Runtime, TimesLaunches) {
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel);
  const int32_t x[] = {1, 2, 3};
  DeviceBuffer in = upload(x, sizeof x);
  DeviceBuffer out = *DeviceBuffer::allocate(*device, 8);
  Result<CudaTimer> timer = CudaTimer::create(*device);
  ASSERT_TRUE(timer);
  ASSERT_TRUE(timer->start());
  for (int run = 0; run < 2; ++run)
    ASSERT_TRUE(kernel->launch(
        {ArrayView{ElementType::I32, in.getAddress(), {3}, {1}},
         ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}}));
  ASSERT_TRUE(timer->stop());
  EXPECT_NEAR(*timer->getMicroseconds(), 25, 0.01);
}

// Several threads launch one kernel.
TEST_F(Runtime, LaunchesFromSeveralThreads) {
  Result<Kernel> kernel = Kernel::load(*device, kImage, makeCount());
  ASSERT_TRUE(kernel);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      const int32_t x[] = {thread, 2, 3};
      DeviceBuffer in = upload(x, sizeof x);
      DeviceBuffer out = *DeviceBuffer::allocate(*device, 8);
      for (int run = 0; run < 50; ++run) {
        int64_t sum = 0;
        EXPECT_TRUE(kernel->launch(
            {ArrayView{ElementType::I32, in.getAddress(), {3}, {1}},
             ArrayView{ElementType::I64, out.getAddress(), {1}, {1}}}));
        EXPECT_TRUE(out.download(&sum));
        EXPECT_EQ(sum, thread + 5);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(Runtime, LoadsFiles) {
  TemporaryFolder folder;
  std::string binary = folder.write("a.cubin", kImage);
  EXPECT_EQ(getMetadataPath("x.y/a.b.cubin"), "x.y/a.b.json");
  EXPECT_EQ(getMetadataPath("x.y/a"), "x.y/a.json");
  EXPECT_EQ(getMetadataPath(".a"), ".a.json");
  EXPECT_EQ(Kernel::loadFile(*device, binary, "count").error().message,
            "cannot read '" + (folder / "a.json") +
                "': No such file or directory");
  // The kernel of this binary is loaded if two kernels have one name.
  KernelMetadata other = makeCount(), mine = makeCount();
  other.arch = "sm_100a";
  other.binary = "b.cubin";
  mine.binary = "a.cubin";
  folder.write("a.json", toJson({{other, mine}}));
  Result<Kernel> kernel = Kernel::loadFile(*device, binary, "count");
  ASSERT_TRUE(kernel) << kernel.error().message;
  EXPECT_EQ(kernel->getMetadata().arch, "sm_90a");
}
