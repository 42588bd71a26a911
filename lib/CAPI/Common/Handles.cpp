// Handles.cpp - the objects behind the handles of the C libraries
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

#include <mutex>
#include <unordered_map>

using namespace tile;
using namespace tile::capi;
using runtime::concat;

namespace {
/// All that live.
struct HandleTable {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::shared_ptr<void>> objects;
  /// How many there have been.
  uintptr_t count = 0;
};
} // namespace

/// A handle is the number of its object, from 1 on, above that of its kind.
static constexpr unsigned kKindBits = 4;

/// Never taken apart: threads may be in a call when the process ends.
static HandleTable &getTable() {
  static HandleTable &table = *new HandleTable;
  return table;
}

static const char *getName(HandleKind kind) {
  switch (kind) {
  case HandleKind::Compiler:
    return "compiler";
  case HandleKind::Result:
    return "result";
  case HandleKind::Outcome:
    return "outcome";
  case HandleKind::Device:
    return "device";
  case HandleKind::Module:
    return "module";
  case HandleKind::Kernel:
    return "kernel";
  case HandleKind::Plan:
    return "plan";
  case HandleKind::Function:
    return "function";
  case HandleKind::Call:
    return "call";
  }
  return nullptr;
}

/// Why `handle` is no live one of `kind`. @pre the table is locked.
static tile_status refuse(const HandleTable &table, uintptr_t handle,
                          HandleKind kind) {
  auto expected = concat("expected a ", getName(kind), ", found ");
  if (handle == 0)
    return fail(TILE_STATUS_NULL_POINTER, expected + "null");
  uintptr_t number = handle >> kKindBits;
  auto kindOf = HandleKind(handle & ((1 << kKindBits) - 1));
  const char *nameOf = getName(kindOf);
  if (!nameOf || number == 0 || number > table.count)
    return fail(TILE_STATUS_UNKNOWN_HANDLE,
                expected + "a handle that was never given out");
  if (kindOf != kind)
    return fail(TILE_STATUS_WRONG_KIND, concat(expected, "a ", nameOf));
  return fail(TILE_STATUS_DESTROYED_HANDLE,
              expected + "one that was destroyed");
}

void *capi::addHandle(HandleKind kind, std::shared_ptr<void> object) {
  HandleTable &table = getTable();
  std::lock_guard<std::mutex> lock(table.mutex);
  uintptr_t handle = ++table.count << kKindBits | uintptr_t(kind);
  table.objects.emplace(handle, std::move(object));
  return reinterpret_cast<void *>(handle);
}

/// The object of a handle, and no more in the table if it `isTaken`.
static tile_status look(const void *pointer, HandleKind kind, bool isTaken,
                        std::shared_ptr<void> &object) {
  auto handle = reinterpret_cast<uintptr_t>(pointer);
  HandleTable &table = getTable();
  std::lock_guard<std::mutex> lock(table.mutex);
  auto found = table.objects.find(handle);
  bool isOfKind = (handle & ((1 << kKindBits) - 1)) == uintptr_t(kind);
  if (found == table.objects.end() || !isOfKind)
    return refuse(table, handle, kind);
  object = found->second;
  if (isTaken)
    table.objects.erase(found);
  return TILE_STATUS_OK;
}

tile_status capi::findHandle(const void *handle, HandleKind kind,
                             std::shared_ptr<void> &object) {
  return look(handle, kind, /*isTaken=*/false, object);
}

tile_status capi::removeHandle(const void *handle, HandleKind kind) {
  // The object goes when the table is free again.
  std::shared_ptr<void> object;
  return handle ? look(handle, kind, /*isTaken=*/true, object) : TILE_STATUS_OK;
}
