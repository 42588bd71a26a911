// RuntimeErrorsTest.cpp - wrong calls of the runtime's C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeKernels.h"

#include <functional>
#include <vector>

static std::string describeHandle(const char *kind, const char *found) {
  return std::string("expected a ") + kind + ", found " + found;
}

TEST_F(RuntimeC, RefusesHandles) {
  tile_plan *plan;
  EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
  tile_device_info deviceInfo = {};
  deviceInfo.struct_size = sizeof deviceInfo;
  tile_kernel_info kernelInfo = {};
  kernelInfo.struct_size = sizeof kernelInfo;
  tile_argument_info argumentInfo = {};
  argumentInfo.struct_size = sizeof argumentInfo;
  tile_entry_info entryInfo = {};
  entryInfo.struct_size = sizeof entryInfo;
  size_t number;
  const char *text;
  tile_module *otherModule;
  tile_kernel *otherKernel;
  tile_plan *otherPlan;

  struct Call {
    const char *kind;
    std::function<tile_status(void *)> call;
  };
  auto asDevice = [](void *handle) {
    return static_cast<tile_device *>(handle);
  };
  auto asModule = [](void *handle) {
    return static_cast<tile_module *>(handle);
  };
  auto asKernel = [](void *handle) {
    return static_cast<tile_kernel *>(handle);
  };
  auto asPlan = [](void *handle) { return static_cast<tile_plan *>(handle); };
  const std::vector<Call> calls = {
      {"device",
       [&](void *h) { return tile_device_get_info(asDevice(h), &deviceInfo); }},
      {"device", [&](void *h) { return tile_device_synchronize(asDevice(h)); }},
      {"device",
       [&](void *h) {
         return tile_module_load(asDevice(h), kImage, sizeof kImage, kMetadata,
                                 &otherModule);
       }},
      {"device",
       [&](void *h) {
         return tile_module_load_file(asDevice(h), "a.cubin", nullptr,
                                      &otherModule);
       }},
      {"module",
       [&](void *h) {
         return tile_module_count_kernels(asModule(h), &number);
       }},
      {"module",
       [&](void *h) {
         return tile_module_get_kernel_name(asModule(h), 0, &text);
       }},
      {"module",
       [&](void *h) {
         return tile_module_get_kernel(asModule(h), "axpy", &otherKernel);
       }},
      {"kernel",
       [&](void *h) { return tile_kernel_get_info(asKernel(h), &kernelInfo); }},
      {"kernel",
       [&](void *h) {
         return tile_kernel_get_argument(asKernel(h), 0, &argumentInfo);
       }},
      {"kernel",
       [&](void *h) {
         return tile_kernel_get_entry(asKernel(h), 0, &entryInfo);
       }},
      {"kernel",
       [&](void *h) {
         return tile_kernel_get_workspaces(asKernel(h), forAxpy, 3, nullptr, 0,
                                           &number);
       }},
      {"kernel",
       [&](void *h) { return tile_launch(asKernel(h), forAxpy, 3, nullptr); }},
      {"kernel",
       [&](void *h) {
         return tile_plan_create(asKernel(h), forAxpy, 3, nullptr, &otherPlan);
       }},
      {"plan", [&](void *h) { return tile_plan_set_array(asPlan(h), 1, x); }},
      {"plan", [&](void *h) { return tile_plan_launch(asPlan(h), nullptr); }},
  };
  int local;
  for (const Call &call : calls) {
    std::string kind = call.kind;
    EXPECT_ERROR(call.call(nullptr), TILE_STATUS_NULL_POINTER,
                 describeHandle(call.kind, "null").c_str());
    EXPECT_ERROR(
        call.call(&local), TILE_STATUS_UNKNOWN_HANDLE,
        describeHandle(call.kind, "a handle that was never given out").c_str());
    if (kind != "device") {
      EXPECT_ERROR(call.call(device), TILE_STATUS_WRONG_KIND,
                   describeHandle(call.kind, "a device").c_str());
    }
    if (kind != "plan") {
      EXPECT_ERROR(call.call(plan), TILE_STATUS_WRONG_KIND,
                   describeHandle(call.kind, "a plan").c_str());
    }
  }

  tile_device *destroyedDevice;
  tile_module *destroyedModule;
  tile_kernel *destroyedKernel;
  EXPECT_GOOD(tile_device_open(TILE_API_VERSION, 0, &destroyedDevice));
  EXPECT_GOOD(tile_module_load(destroyedDevice, kImage, sizeof kImage,
                               kMetadata, &destroyedModule));
  EXPECT_GOOD(
      tile_module_get_kernel(destroyedModule, "axpy", &destroyedKernel));
  EXPECT_GOOD(tile_device_destroy(destroyedDevice));
  EXPECT_GOOD(tile_module_destroy(destroyedModule));
  EXPECT_GOOD(tile_kernel_destroy(destroyedKernel));
  EXPECT_GOOD(tile_plan_destroy(plan));
  for (const Call &call : calls) {
    std::string kind = call.kind;
    void *destroyed = kind == "device"   ? (void *)destroyedDevice
                      : kind == "module" ? (void *)destroyedModule
                      : kind == "kernel" ? (void *)destroyedKernel
                                         : (void *)plan;
    EXPECT_ERROR(call.call(destroyed), TILE_STATUS_DESTROYED_HANDLE,
                 describeHandle(call.kind, "one that was destroyed").c_str());
  }
  EXPECT_ERROR(tile_plan_destroy(plan), TILE_STATUS_DESTROYED_HANDLE,
               "expected a plan, found one that was destroyed");
  EXPECT_GOOD(tile_plan_destroy(nullptr));
}

TEST_F(RuntimeC, RefusesDevices) {
  tile_device *opened = device;
  EXPECT_ERROR(tile_device_count(nullptr), TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'count', found null");
  EXPECT_ERROR(tile_device_open(TILE_API_VERSION, 0, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'device', found null");
  EXPECT_ERROR(tile_device_open(0, 0, &opened), TILE_STATUS_WRONG_VERSION,
               "expected a program for version 0.2 of the library, found 0.0");
  EXPECT_EQ(opened, nullptr);
  EXPECT_ERROR(tile_device_open(TILE_API_VERSION, 1, &opened),
               TILE_STATUS_OUT_OF_RANGE, "expected a device below 1, found 1");
  EXPECT_ERROR(tile_device_open(TILE_API_VERSION, -1, &opened),
               TILE_STATUS_OUT_OF_RANGE, "expected a device below 1, found -1");
  tile_device_info info = {};
  EXPECT_ERROR(tile_device_get_info(device, nullptr), TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'info', found null");
  EXPECT_ERROR(tile_device_get_info(device, &info), TILE_STATUS_WRONG_SIZE,
               "expected the struct_size of 'tile_device_info' to be 40, found "
               "0");
}

TEST_F(RuntimeC, RefusesModules) {
  tile_module *loaded = module;
  EXPECT_ERROR(
      tile_module_load(device, kImage, sizeof kImage, kMetadata, nullptr),
      TILE_STATUS_NULL_POINTER, "expected a pointer for 'module', found null");
  EXPECT_ERROR(tile_module_load(device, nullptr, 0, kMetadata, &loaded),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'binary', found null");
  EXPECT_EQ(loaded, nullptr);
  EXPECT_ERROR(
      tile_module_load(device, kImage, sizeof kImage, nullptr, &loaded),
      TILE_STATUS_NULL_POINTER,
      "expected a pointer for 'metadata', found null");
  EXPECT_ERROR(tile_module_load(device, kImage, sizeof kImage, "{}", &loaded),
               TILE_STATUS_INVALID_FILE,
               "metadata: expected key 'schema', found none");
  EXPECT_ERROR(tile_module_load(device, "ELF", 3, kMetadata, &loaded),
               TILE_STATUS_INVALID_FILE,
               "expected a binary that device 'Fake GPU' takes: "
               "cuModuleLoadData: CUDA_ERROR_INVALID_IMAGE (as the fake driver "
               "was asked)");
  EXPECT_ERROR(tile_module_load_file(device, nullptr, nullptr, &loaded),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'path', found null");
  EXPECT_ERROR(tile_module_load_file(device, "no/such.cubin", nullptr, &loaded),
               TILE_STATUS_INVALID_FILE,
               "cannot read 'no/such.json': No such file or directory");
  const char *name;
  EXPECT_ERROR(tile_module_get_kernel_name(module, 2, &name),
               TILE_STATUS_OUT_OF_RANGE,
               "expected the number of one of 2 kernels, found 2");
  EXPECT_ERROR(tile_module_get_kernel_name(module, 0, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'name', found null");
  EXPECT_ERROR(tile_module_count_kernels(module, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'count', found null");
  tile_kernel *kernel = axpy;
  EXPECT_ERROR(tile_module_get_kernel(module, nullptr, &kernel),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'name', found null");
  EXPECT_ERROR(tile_module_get_kernel(module, "axpi", &kernel),
               TILE_STATUS_INVALID_ARGUMENT,
               "metadata: expected the name of a kernel ('axpy', 'count', "
               "'total'), found 'axpi'");
  EXPECT_EQ(kernel, nullptr);
  EXPECT_ERROR(tile_module_get_kernel(module, "axpy", nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'kernel', found null");
}

TEST_F(RuntimeC, RefusesKernelsThatTheDeviceDoesNotTake) {
  std::string metadata = kMetadata;
  metadata.replace(metadata.find("sm_90"), 5, "sm_80");
  tile_module *loaded;
  EXPECT_GOOD(tile_module_load(device, kImage, sizeof kImage, metadata.c_str(),
                               &loaded));
  tile_kernel *kernel;
  EXPECT_ERROR(tile_module_get_kernel(loaded, "axpy", &kernel),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': expected code for sm_90a (device 'Fake GPU'), "
               "found sm_80");
  EXPECT_GOOD(tile_module_get_kernel(loaded, "count", &kernel));
  EXPECT_GOOD(tile_kernel_destroy(kernel));
  EXPECT_GOOD(tile_module_destroy(loaded));
}

TEST_F(RuntimeC, RefusesQueries) {
  tile_argument_info argument = {};
  argument.struct_size = sizeof argument;
  EXPECT_ERROR(tile_kernel_get_argument(axpy, 3, &argument),
               TILE_STATUS_OUT_OF_RANGE,
               "expected the number of one of 3 arguments, found 3");
  argument.struct_size = 8;
  EXPECT_ERROR(tile_kernel_get_argument(axpy, 0, &argument),
               TILE_STATUS_WRONG_SIZE,
               "expected the struct_size of 'tile_argument_info' to be 56, "
               "found 8");
  tile_entry_info entry = {};
  entry.struct_size = sizeof entry;
  EXPECT_ERROR(tile_kernel_get_entry(axpy, 2, &entry), TILE_STATUS_OUT_OF_RANGE,
               "expected the number of one of 2 entry points, found 2");
  EXPECT_ERROR(tile_kernel_get_info(axpy, nullptr), TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'info', found null");
  size_t number;
  EXPECT_ERROR(
      tile_kernel_get_workspaces(count, forCount, 2, nullptr, 0, nullptr),
      TILE_STATUS_NULL_POINTER, "expected a pointer for 'count', found null");
  EXPECT_ERROR(
      tile_kernel_get_workspaces(count, forCount, 2, nullptr, 1, &number),
      TILE_STATUS_NULL_POINTER, "expected a pointer for 'bytes', found null");
}

TEST_F(RuntimeC, RefusesLaunches) {
  EXPECT_ERROR(tile_launch(axpy, forAxpy, 2, nullptr),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': expected 3 arguments, found 2");
  forAxpy[1].type = "f31";
  EXPECT_ERROR(tile_launch(axpy, forAxpy, 3, nullptr),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': argument 1 ('x'): expected an element type, "
               "found 'f31'");
  forAxpy[1].type = nullptr;
  forAxpy[1].rank = -3;
  EXPECT_ERROR(tile_launch(axpy, forAxpy, 3, nullptr), TILE_STATUS_OUT_OF_RANGE,
               "kernel 'axpy': argument 1 ('x'): expected a rank of at least "
               "0, or TILE_SCALAR, found -3");
  EXPECT_ERROR(tile_launch(count, forCount, 2, nullptr),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'count': expected a grid, as the kernel's metadata "
               "states none");
  tile_launch_options options = {};
  EXPECT_ERROR(tile_launch(count, forCount, 2, &options),
               TILE_STATUS_WRONG_SIZE,
               "expected the struct_size of 'tile_launch_options' to be 40, "
               "found 0");
  options.struct_size = sizeof options;
  options.num_workspaces = 2;
  EXPECT_ERROR(tile_launch(count, forCount, 2, &options),
               TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'count': expected 1 workspaces, or none, found 2");
  options.num_workspaces = 1;
  EXPECT_ERROR(tile_launch(count, forCount, 2, &options),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'workspaces', found null");
}

TEST_F(RuntimeC, RefusesPlans) {
  tile_plan *plan;
  EXPECT_ERROR(tile_plan_create(axpy, forAxpy, 3, nullptr, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'plan', found null");
  EXPECT_GOOD(tile_plan_create(axpy, forAxpy, 3, nullptr, &plan));
  EXPECT_ERROR(tile_plan_set_array(plan, 0, x), TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': argument 0 ('alpha'): expected an array, found "
               "a scalar");
  EXPECT_ERROR(tile_plan_set_array(plan, 3, x), TILE_STATUS_INVALID_ARGUMENT,
               "kernel 'axpy': expected an argument below 3, found 3");
  EXPECT_GOOD(tile_plan_destroy(plan));
}

TEST_F(RuntimeC, RefusesFunctions) {
  tile_function *function;
  EXPECT_ERROR(tile_module_get_function(module, "total", nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'function', found null");
  EXPECT_ERROR(tile_module_get_function(module, nullptr, &function),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'name', found null");
  EXPECT_ERROR(tile_module_get_function(module, "axpy", &function),
               TILE_STATUS_INVALID_ARGUMENT,
               "expected the name of a function, found 'axpy'");
  EXPECT_EQ(function, nullptr);
  EXPECT_GOOD(tile_module_get_function(module, "total", &function));
  tile_call *call;
  EXPECT_ERROR(tile_call_create(function, forCount, 1, &call),
               TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': expected 2 arguments, found 1");
  EXPECT_ERROR(tile_call_create(function, forCount, 2, &call),
               TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': argument 1 ('sums'): expected size 2 along "
               "dimension 0, found 1 (shape 1)");
  EXPECT_ERROR(tile_call_create(function, forCount, 2, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'call', found null");
  auto *asCall = reinterpret_cast<tile_call *>(function);
  EXPECT_ERROR(tile_call_launch(asCall, nullptr), TILE_STATUS_WRONG_KIND,
               "expected a call, found a function");
  EXPECT_ERROR(tile_call_launch(nullptr, nullptr), TILE_STATUS_NULL_POINTER,
               "expected a call, found null");
  int64_t bytes;
  EXPECT_ERROR(tile_function_get_memory(function, forCount, 2, nullptr),
               TILE_STATUS_NULL_POINTER,
               "expected a pointer for 'bytes', found null");
  EXPECT_ERROR(tile_function_get_memory(function, forCount, 1, &bytes),
               TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': expected 2 arguments, found 1");
  int64_t two = 2;
  alignas(256) int64_t sums[2];
  tile_argument arguments[] = {
      forCount[0], {sizeof(tile_argument), sums, 1, &two, nullptr, nullptr}};
  auto *memory = reinterpret_cast<void *>(uintptr_t(256));
  tile_plan *plan;
  EXPECT_ERROR(
      tile_function_create_plan(function, arguments, 2, nullptr, &plan),
      TILE_STATUS_INVALID_ARGUMENT,
      "function 'total': expected memory at a multiple of 256 bytes, found it "
      "at 0");
  EXPECT_ERROR(tile_function_create_plan(function, forCount, 1, memory, &plan),
               TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': expected 2 arguments, found 1");
  EXPECT_EQ(plan, nullptr);
  EXPECT_GOOD(tile_function_create_plan(function, arguments, 2, memory, &plan));
  EXPECT_ERROR(tile_plan_set_array(plan, 3, x), TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': expected an argument below 2, found 3");
  EXPECT_ERROR(tile_plan_set_array(plan, 2, nullptr),
               TILE_STATUS_INVALID_ARGUMENT,
               "function 'total': expected memory at a multiple of 256 bytes, "
               "found it at 0");
  EXPECT_ERROR(
      tile_plan_set_array(plan, 1, nullptr), TILE_STATUS_INVALID_ARGUMENT,
      "function 'total': launch 0: kernel 'count': argument 1 ('out'): "
      "expected a pointer, found null");
  EXPECT_GOOD(tile_plan_destroy(plan));
  EXPECT_GOOD(tile_function_destroy(function));
  EXPECT_ERROR(tile_call_create(function, forCount, 2, &call),
               TILE_STATUS_DESTROYED_HANDLE,
               "expected a function, found one that was destroyed");
}
