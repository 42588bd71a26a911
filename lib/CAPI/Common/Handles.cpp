// Handles.cpp - the objects to which the handles of the C libraries refer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Handles.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

static_assert(sizeof(void *) == sizeof(uint64_t), "handles have 64 bits");

/// Returns the table. It is never destroyed, since threads may be in a call
/// when the process ends.
static HandleTable &getTable() {
  static HandleTable &table = *new HandleTable;
  return table;
}

static uint64_t getId(const void *handle) {
  return reinterpret_cast<uintptr_t>(handle);
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

/// Reports why `handle` is not a living handle of `kind`.
static tile_status refuse(const void *handle, HandleKind kind) {
  auto expected = concat("expected a ", getName(kind), ", found ");
  if (!handle)
    return fail(TILE_STATUS_NULL_POINTER, expected + "null");
  auto kindOf = HandleKind(HandleTable::getKind(getId(handle)));
  const char *nameOf = getName(kindOf);
  if (!nameOf || !getTable().isKnown(getId(handle)))
    return fail(TILE_STATUS_UNKNOWN_HANDLE,
                expected + "a handle that was never given out");
  if (kindOf != kind)
    return fail(TILE_STATUS_WRONG_KIND, concat(expected, "a ", nameOf));
  return fail(TILE_STATUS_DESTROYED_HANDLE,
              expected + "one that was destroyed");
}

void *capi::addHandle(HandleKind kind, std::shared_ptr<void> object) {
  uint64_t id = getTable().add(unsigned(kind), std::move(object));
  return reinterpret_cast<void *>(id);
}

tile_status capi::borrowHandle(const void *handle, HandleKind kind,
                               Borrowing borrowing, HandleSlot *&slot) {
  HandleTable &table = getTable();
  slot = borrowing == Borrowing::Alone
             ? table.enterAlone(getId(handle), unsigned(kind))
             : table.enter(getId(handle), unsigned(kind));
  return slot ? TILE_STATUS_OK : refuse(handle, kind);
}

void capi::giveBack(HandleSlot &slot, Borrowing borrowing) {
  if (borrowing == Borrowing::Alone)
    getTable().leaveAlone(slot);
  else
    getTable().leave(slot);
}

tile_status capi::findHandle(const void *handle, HandleKind kind,
                             std::shared_ptr<void> &object) {
  HandleSlot *slot;
  if (tile_status status = borrowHandle(handle, kind, Borrowing::Shared, slot))
    return status;
  object = slot->object;
  giveBack(*slot, Borrowing::Shared);
  return TILE_STATUS_OK;
}

tile_status capi::removeHandle(const void *handle, HandleKind kind) {
  if (!handle || getTable().remove(getId(handle), unsigned(kind)))
    return TILE_STATUS_OK;
  return refuse(handle, kind);
}
