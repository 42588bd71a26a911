// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeDriver.h - make the fake driver the driver -----------*- C++ -*-===//

#ifndef TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include <gtest/gtest.h>

#include <dlfcn.h>

/// Loads the fake driver; the loader then takes it for any later
/// "libcuda.so.1", as that is the name it has in itself.
inline void useFakeDriver() {
  ASSERT_NE(dlopen(TILE_RUNTIME_FAKES_DIR "/libcuda.so.1", RTLD_NOW), nullptr)
      << dlerror();
}

#endif // TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H
