// Emulator.cpp - runs a hand-written kernel on the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/Machine.h"

#include <iostream>

using namespace tile::emulator;

/// Writes the index of each thread to its element.
static void writeIndex(tile_emulator_thread *thread, void **params) {
  uint32_t index = tile_emulator_thread_index(thread, 0);
  uint32_t *element = *static_cast<uint32_t **>(params[0]) + index;
  tile_emulator_access(thread, /*site=*/0, element);
  *element = index;
}

int main() {
  Site store;
  store.kind = SiteKind::Access;
  store.instruction = "st.global";
  store.memory.space = AddressSpace::Global;
  store.memory.mode = AccessMode::Write;
  store.memory.bytes = store.memory.alignment = sizeof(uint32_t);
  Kernel kernel;
  kernel.entry = writeIndex;
  kernel.sites = {store};
  kernel.block = {64, 1, 1};

  uint32_t values[64] = {};
  void *pointer = values;
  Array array;
  array.base = values;
  array.bytes = sizeof values;
  Launch launch;
  launch.params = {&pointer};
  launch.arrays = {array};
  Outcome outcome = run(kernel, launch, Options());
  std::cout << outcome.findings.size() << " findings, the last thread wrote "
            << values[63] << "\n";
}
