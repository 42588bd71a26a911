// Runtime.h - load a kernel and launch it on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches compiled kernels through the CUDA driver, which is found at run time
// (libcuda.so.1): a program that links this library also starts where there is
// no GPU. From C, see tile-c/Runtime.h.
//
//   Result<CudaDevice> device = CudaDevice::open(0);
//   Result<Kernel> kernel = Kernel::loadFile(*device, "gemm.cubin", "gemm");
//   Result<LaunchPlan> done = kernel->launch({a, b, c, alpha});
//
// All functions work on the primary context of the device, as the CUDA runtime
// does, and leave the caller's current context as it was. Distinct objects may
// be used from distinct threads, and one Kernel from several.

#ifndef TILE_RUNTIME_RUNTIME_H
#define TILE_RUNTIME_RUNTIME_H

#include "tile/Runtime/Arguments.h"
#include "tile/Runtime/KernelMetadata.h"
#include "tile/Runtime/Result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tile::runtime {

struct CudaContext;
struct CudaImage;
struct CudaKernel;
struct PackedLaunch;

/// A stream of the driver (CUstream, cudaStream_t); null is the default stream.
using CudaStream = void *;

/// Returns the number of GPUs that the driver offers; an error if there is no
/// driver or no GPU.
Result<int> countCudaDevices();

/// Handle of a GPU. Copies share its context, which lives as long as any object
/// that uses it.
class CudaDevice {
public:
  /// Opens the `ordinal`-th GPU.
  static Result<CudaDevice> open(int ordinal);

  /// The driver's name for the GPU: "NVIDIA H200".
  const std::string &getName() const;
  /// The architecture to compile for: "sm_80", "sm_90a".
  std::string getArch() const;
  /// Maximum dynamic shared memory of a block, in bytes.
  int64_t getMaxSharedBytes() const;
  int countMultiprocessors() const;
  /// Checks that code for `arch` runs on the device. An `arch` that ends in 'a'
  /// must be the device's own architecture; another one must have the same
  /// major version and no later minor version.
  Status checkArch(const std::string &arch) const;
  /// Waits for all work on the device, and reports the errors in it.
  Status synchronize() const;

private:
  friend class DeviceBuffer;
  friend class CudaTimer;
  friend class Kernel;
  friend class KernelModule;

  std::shared_ptr<CudaContext> context;
};

/// Memory of a device, freed with the object. `upload` and `download` return
/// when the copy is complete.
class DeviceBuffer {
public:
  /// Memory of `size` >= 0 bytes, aligned to 256 bytes, not initialized. The
  /// address is not 0 even if `size` is.
  static Result<DeviceBuffer> allocate(const CudaDevice &device, int64_t size);

  DeviceBuffer(DeviceBuffer &&other);
  DeviceBuffer &operator=(DeviceBuffer &&other) = delete;
  ~DeviceBuffer();

  uint64_t getAddress() const { return address; }
  int64_t size() const { return numBytes; }

  /// Copies all bytes from or to memory of the host.
  Status upload(const void *source);
  Status download(void *dest) const;
  /// Copies all bytes of `source`, which is as large as this, in stream order
  /// on the default stream.
  Status copyFrom(const DeviceBuffer &source);

private:
  DeviceBuffer(std::shared_ptr<CudaContext> context, uint64_t address,
               int64_t size);

  std::shared_ptr<CudaContext> context;
  uint64_t address;
  int64_t numBytes;
};

/// Time between two points of a stream, as the device sees it.
class CudaTimer {
public:
  static Result<CudaTimer> create(const CudaDevice &device);

  CudaTimer(CudaTimer &&other);
  CudaTimer &operator=(CudaTimer &&other) = delete;
  ~CudaTimer();

  Status start(CudaStream stream = nullptr);
  Status stop(CudaStream stream = nullptr);
  /// Waits for `stop`, and returns the microseconds since `start`.
  Result<double> getMicroseconds();

private:
  explicit CudaTimer(std::shared_ptr<CudaContext> context)
      : context(std::move(context)) {}

  std::shared_ptr<CudaContext> context;
  void *begin = nullptr;
  void *end = nullptr;
};

/// Options of a launch.
struct LaunchOptions {
  /// The grid; nothing for the grid of the kernel's metadata.
  std::optional<Grid> grid;
  CudaStream stream = nullptr;
  /// Addresses of the hidden arguments, one for each, aligned to 256 bytes and
  /// with the sizes in LaunchPlan::hiddenBytes. If empty, each launch allocates
  /// its workspaces, and waits for its end to free them. The capture of a graph
  /// forbids both, so the launch then fails with an error of kind Capture.
  std::vector<uint64_t> workspaces;
};

/// A kernel loaded on a device.
class Kernel {
public:
  /// Loads `kernel` from `binary` (a cubin). Checks the architecture, the
  /// shared memory and the threads of a block against the device and, where the
  /// driver can tell, the parameters of the code against the metadata.
  static Result<Kernel> load(const CudaDevice &device, std::string_view binary,
                             const KernelMetadata &kernel);

  /// Loads the kernel called `name` from the file `path`; the metadata is in
  /// `metadataPath`, or next to the file with the extension .json if that is
  /// empty.
  static Result<Kernel> loadFile(const CudaDevice &device,
                                 const std::string &path,
                                 const std::string &name,
                                 const std::string &metadataPath = "");

  const KernelMetadata &getMetadata() const;

  /// Checks the arguments, and launches; returns the launch plan. Nothing is
  /// launched if the grid is empty. Does not wait for the end of the kernel,
  /// except to free workspaces that it had to allocate.
  Result<LaunchPlan> launch(const std::vector<KernelArgument> &arguments,
                            const LaunchOptions &options = {}) const;

  /// Returns how many blocks of an entry point can run on a multiprocessor at
  /// once, as the driver reports.
  Result<int> getOccupancy(size_t entry) const;

private:
  friend class KernelModule;
  friend class PreparedLaunch;

  static Result<Kernel> loadFrom(std::shared_ptr<const CudaImage> image,
                                 const KernelMetadata &kernel);

  std::shared_ptr<const CudaKernel> loaded;
};

/// A binary with all its kernels, loaded once.
class KernelModule {
public:
  static Result<KernelModule> load(const CudaDevice &device,
                                   std::string_view binary,
                                   ModuleMetadata metadata);

  /// Loads a module from files; `metadataPath` as for Kernel::loadFile.
  static Result<KernelModule> loadFile(const CudaDevice &device,
                                       const std::string &path,
                                       const std::string &metadataPath = "");

  const CudaDevice &getDevice() const { return device; }
  const ModuleMetadata &getMetadata() const { return metadata; }
  /// Checks the kernel as Kernel::load does. The kernel may outlive the module.
  Result<Kernel> getKernel(std::string_view name) const;

private:
  explicit KernelModule(const CudaDevice &device) : device(device) {}

  CudaDevice device;
  std::shared_ptr<const CudaImage> image;
  ModuleMetadata metadata;
  /// Path of the file from which the module was loaded.
  std::string path;
};

/// A launch with its arguments checked and packed. It can be started repeatedly
/// at the cost of the driver's call, and allocates nothing. It may be used by
/// one thread at a time, but several threads may launch it at once unless it
/// zeroes workspaces.
class PreparedLaunch {
public:
  /// Prepares a launch. If the grid is not empty, it is an error unless
  /// `options.workspaces` has an address for each hidden argument. The stream
  /// of `options` is not used: each launch has its own.
  static Result<PreparedLaunch> create(const Kernel &kernel,
                                       std::vector<KernelArgument> arguments,
                                       const LaunchOptions &options = {});

  PreparedLaunch(PreparedLaunch &&other);
  PreparedLaunch &operator=(PreparedLaunch &&other);
  ~PreparedLaunch();

  const LaunchPlan &getPlan() const { return plan; }
  /// Sets another array of the same type, sizes and strides for an argument.
  /// Decisions that depend on its address are made anew. On failure nothing is
  /// changed.
  Status setAddress(size_t argument, uint64_t address);
  /// Returns the address of an argument.
  /// @pre it is an array.
  uint64_t getAddress(size_t argument) const;
  /// Sets the address of a workspace, which is as large as before.
  void setWorkspace(size_t index, uint64_t address);
  /// Whether a launch first zeroes workspaces, by separate calls of the driver.
  /// No other launch that uses these workspaces may come between the calls.
  bool zeroesWorkspaces() const;
  /// Launches the kernel; nothing if the grid is empty.
  Status launch(CudaStream stream = nullptr) const;

private:
  PreparedLaunch() = default;

  Status pack();

  /// Null if the grid is empty.
  std::unique_ptr<PackedLaunch> packed;
  std::shared_ptr<const CudaKernel> loaded;
  std::vector<KernelArgument> arguments;
  std::optional<Grid> grid;
  std::vector<uint64_t> workspaces;
  LaunchPlan plan;
};

/// The name of the metadata file next to a binary, such as "a/gemm.json" for
/// "a/gemm.cubin".
std::string getMetadataPath(const std::string &binaryPath);

/// Reads the metadata file `path`.
Result<ModuleMetadata> readMetadata(const std::string &path);

/// The kernel called `name` in the binary `binaryPath`. If several kernels have
/// the name, it is the one whose `binary` is this file.
Result<const KernelMetadata *> findKernelOf(const ModuleMetadata &module,
                                            std::string_view name,
                                            const std::string &binaryPath,
                                            std::string_view metadataPath);

} // namespace tile::runtime

#endif // TILE_RUNTIME_RUNTIME_H
