// Result.h - errors as values in the runtime
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime throws nothing: a function that can fail returns a `Result<T>`,
// which is either a value or an `Error`. The error states the expected and the
// actual value, and the file or the argument that it is about:
//
//   Result<Npy> array = readNpy("a.npy");
//   if (!array)
//     return array.takeError();
//   use(array->shape);

#ifndef TILE_RUNTIME_RESULT_H
#define TILE_RUNTIME_RESULT_H

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace tile::runtime {

/// Kind of an error, from which `tile-run` chooses its exit code.
enum class ErrorKind {
  /// Error in the caller's input: a malformed file, an argument of a wrong
  /// shape.
  Input,
  /// Failure during execution: no device, a failed launch, a full disk.
  Runtime,
  /// Operation that is not allowed in the capture of a graph.
  Capture,
};

/// A failure in words: lower case, no final period, "expected X, found Y".
struct Error {
  ErrorKind kind = ErrorKind::Input;
  std::string message;
};

namespace detail {
inline void append(std::string &text, std::string_view part) { text += part; }
inline void append(std::string &text, char part) { text += part; }
template <typename T>
std::enable_if_t<std::is_integral_v<T>> append(std::string &text, T value) {
  text += std::to_string(value);
}
} // namespace detail

/// Concatenates the parts, which are texts, characters and integers.
template <typename... Parts>
std::string concat(const Parts &...parts) {
  std::string text;
  (detail::append(text, parts), ...);
  return text;
}

/// Returns an error of kind Input whose message is the concatenation of
/// `parts`.
template <typename... Parts>
Error inputError(const Parts &...parts) {
  return {ErrorKind::Input, concat(parts...)};
}

/// Returns an error of kind Runtime whose message is the concatenation of
/// `parts`.
template <typename... Parts>
Error runtimeError(const Parts &...parts) {
  return {ErrorKind::Runtime, concat(parts...)};
}

/// A `T` or an `Error`. The caller tests it with `if (result)` and may access
/// only the one that it holds.
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : storage(std::in_place_index<1>, std::move(error)) {}

  /// True if this holds a value.
  explicit operator bool() const { return storage.index() == 0; }

  T &operator*() & { return *std::get_if<0>(&storage); }
  const T &operator*() const & { return *std::get_if<0>(&storage); }
  T &&operator*() && { return std::move(*std::get_if<0>(&storage)); }
  T *operator->() { return std::get_if<0>(&storage); }
  const T *operator->() const { return std::get_if<0>(&storage); }

  const Error &error() const { return *std::get_if<1>(&storage); }
  Error takeError() { return std::move(*std::get_if<1>(&storage)); }

private:
  std::variant<T, Error> storage;
};

/// The value of a `Status` that is not an error.
struct Success {};

/// Success or an `Error`.
using Status = Result<Success>;

/// Returns a `Status` that is not an error.
inline Status success() { return Success(); }

} // namespace tile::runtime

#endif // TILE_RUNTIME_RESULT_H
