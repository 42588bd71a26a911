// Handles.h - the objects to which the handles of the C libraries refer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle is an id in the form of a pointer. The id identifies an object and
// contains its kind. Ids are not reused, so that a destroyed handle is
// recognised (HandleTable.h). Each call that uses an object shares or borrows
// it: if the handle is destroyed during a call, the object is freed when the
// last call that uses it ends.

#ifndef TILE_LIB_CAPI_COMMON_HANDLES_H
#define TILE_LIB_CAPI_COMMON_HANDLES_H

#include "Errors.h"
#include "HandleTable.h"

#include <memory>

namespace tile::capi {

/// Kinds of objects in both libraries, since each library recognises handles of
/// the other.
enum class HandleKind : uint8_t {
  Compiler = 1,
  Result,
  Outcome,
  Device,
  Module,
  Kernel,
  Plan,
  Function,
  Call
};

/// Returns a handle for `object`.
void *addHandle(HandleKind kind, std::shared_ptr<void> object);

/// Sets `object` to the object of `handle`, or returns an error.
tile_status findHandle(const void *handle, HandleKind kind,
                       std::shared_ptr<void> &object);

/// Destroys a handle, which may be null.
tile_status removeHandle(const void *handle, HandleKind kind);

/// Sets `object` to the object of a handle, or returns an error. The class of
/// the object has its kind as the member `kKind`.
template <typename Object>
tile_status findHandle(const void *handle, std::shared_ptr<Object> &object) {
  std::shared_ptr<void> found;
  tile_status status = findHandle(handle, Object::kKind, found);
  object = std::static_pointer_cast<Object>(std::move(found));
  return status;
}

template <typename Handle, typename Object>
void addHandle(std::shared_ptr<Object> object, Handle **handle) {
  *handle = static_cast<Handle *>(addHandle(Object::kKind, std::move(object)));
}

/// Mode of borrowing an object: shared with other borrowers, or exclusively. An
/// exclusive borrower waits until the others have given the object back, and
/// later borrowers wait for it.
enum class Borrowing : uint8_t { Shared, Alone };

/// Borrows the object of `handle` until giveBack is called. Returns an error if
/// the handle has no object of this kind.
tile_status borrowHandle(const void *handle, HandleKind kind,
                         Borrowing borrowing, HandleSlot *&slot);
void giveBack(HandleSlot &slot, Borrowing borrowing);

/// Borrows the object of a handle during a scope, at half the cost of sharing
/// it.
template <typename Object, Borrowing borrowing = Borrowing::Shared>
class Borrowed {
public:
  explicit Borrowed(const void *handle)
      : status(borrowHandle(handle, Object::kKind, borrowing, slot)) {}
  Borrowed(const Borrowed &) = delete;
  Borrowed &operator=(const Borrowed &) = delete;
  ~Borrowed() {
    if (slot)
      giveBack(*slot, borrowing);
  }

  tile_status getStatus() const { return status; }
  /// @pre the status is good.
  Object *operator->() const {
    return static_cast<Object *>(slot->object.get());
  }

private:
  HandleSlot *slot = nullptr;
  tile_status status;
};

} // namespace tile::capi

#endif // TILE_LIB_CAPI_COMMON_HANDLES_H
