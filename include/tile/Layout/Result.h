// Result.h - a value, or the reason why there is none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout library refuses operations that it cannot do exactly, and gives
// the reason. It is built without exceptions and without LLVM, so a refusal is
// a value:
//
//   Result<Layout> layout = parseLayout("(4,8):(1,4)");
//   if (!layout)
//     return report(layout.error());
//   use(layout->size());
//
// Messages follow the project's form: lower case, no period, with the values.

#ifndef TILE_LAYOUT_RESULT_H
#define TILE_LAYOUT_RESULT_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace tile {

/// A value of type T, or an error message; never both, never neither.
/// Example: `Result<int> r = 3;` holds 3; `Result<int>::failure("no")` holds
/// the message "no".
template <class T>
class [[nodiscard]] Result {
public:
  /// A success. @post bool(*this) and **this == value.
  Result(T value) : value(std::move(value)) {}

  /// A refusal. @post !bool(*this) and error() == message.
  static Result failure(std::string message) {
    Result result;
    result.message = std::move(message);
    return result;
  }

  /// Whether there is a value.
  explicit operator bool() const { return value.has_value(); }

  /// The value, owned by this result. @pre bool(*this).
  const T &operator*() const & {
    assert(value && "no value in a result that failed");
    return *value;
  }
  T &operator*() & {
    assert(value && "no value in a result that failed");
    return *value;
  }
  /// The value of a temporary result is moved out, so that
  /// `for (auto mode : (*f()).flattened())` cannot dangle.
  T operator*() && {
    assert(value && "no value in a result that failed");
    return std::move(*value);
  }
  const T *operator->() const {
    assert(value && "no value in a result that failed");
    return &*value;
  }
  T *operator->() {
    assert(value && "no value in a result that failed");
    return &*value;
  }

  /// The reason why there is no value. @pre !bool(*this).
  const std::string &error() const {
    assert(!value && "no error in a result that succeeded");
    return message;
  }

private:
  Result() = default;

  std::optional<T> value;
  std::string message;
};

} // namespace tile

#endif // TILE_LAYOUT_RESULT_H
