// Arguments.cpp - arguments of kernels as a C program passes them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include "tile/Runtime/Npy.h"

#include <cstring>

using namespace tile;
using namespace tile::capi;
using namespace tile::runtime;

/// Returns the element type that the caller names or, if it names none, the
/// declared type.
static std::optional<ElementType> readType(const tile_argument &argument,
                                           const Argument &declared) {
  return argument.type ? parseElementType(argument.type) : declared.type;
}

static ScalarValue readScalar(const tile_argument &argument, ElementType type) {
  ScalarValue scalar;
  scalar.type = type;
  std::memcpy(scalar.bytes.data(), argument.data,
              static_cast<size_t>(getByteSize(type)));
  return scalar;
}

static ArrayView readArray(const tile_argument &argument, ElementType type) {
  ArrayView array;
  array.type = type;
  array.address = reinterpret_cast<uintptr_t>(argument.data);
  if (argument.rank == 0)
    return array;
  array.sizes.assign(argument.sizes, argument.sizes + argument.rank);
  if (argument.strides)
    array.strides.assign(argument.strides, argument.strides + argument.rank);
  else if (getDenseBytes(array.sizes, 1))
    array.strides = getDenseStrides(array.sizes, /*fortranOrder=*/false);
  else // These sizes are refused later.
    array.strides.assign(array.sizes.size(), 1);
  return array;
}

/// Checks the conditions that must hold before memory is read through a pointer
/// of the argument. `where` is the start of the message.
static tile_status checkArgument(const std::string &where,
                                 const Argument &declared,
                                 const tile_argument &argument) {
  auto failHere = [&](tile_status status, const std::string &message) {
    return fail(status, where + message);
  };
  if (argument.rank < TILE_SCALAR)
    return failHere(TILE_STATUS_OUT_OF_RANGE,
                    concat("expected a rank of at least 0, or TILE_SCALAR, "
                           "found ",
                           argument.rank));
  std::optional<ElementType> type = readType(argument, declared);
  if (!type)
    return failHere(
        TILE_STATUS_INVALID_ARGUMENT,
        concat("expected an element type, found '", argument.type, "'"));
  bool isArray = declared.kind == Argument::Kind::Array;
  int64_t rank = isArray ? int64_t(declared.shape.size()) : TILE_SCALAR;
  if (argument.rank != rank)
    return failHere(
        TILE_STATUS_INVALID_ARGUMENT,
        concat("expected ",
               isArray ? concat("an array of rank ", rank) : "a scalar",
               ", found ",
               argument.rank == TILE_SCALAR
                   ? "a scalar"
                   : concat("an array of rank ", argument.rank)));
  // A scalar of another type may have fewer bytes than would be read.
  if (*type != declared.type) {
    const char *kind = isArray ? "an array of " : "a scalar of ";
    return failHere(TILE_STATUS_INVALID_ARGUMENT,
                    concat("expected ", kind, getElementTypeName(declared.type),
                           ", found ", kind, getElementTypeName(*type)));
  }
  if (!isArray && !argument.data)
    return failHere(TILE_STATUS_NULL_POINTER,
                    "expected a pointer to a value, found null");
  if (rank > 0 && !argument.sizes)
    return failHere(TILE_STATUS_NULL_POINTER, "expected sizes, found null");
  return TILE_STATUS_OK;
}

tile_status capi::readArguments(const std::string &callee,
                                const std::vector<Argument> &declared,
                                const tile_argument *arguments, size_t count,
                                std::vector<KernelArgument> &result) {
  if (count != declared.size())
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                concat(callee, ": expected ", declared.size(),
                       " arguments, found ", count));
  if (count != 0)
    if (tile_status status = expectPointer(arguments, "arguments"))
      return status;
  for (size_t i = 0; i < count; ++i) {
    tile_argument argument;
    tile_status status = readStruct("tile_argument", arguments + i, argument);
    if (status == TILE_STATUS_OK)
      status = checkArgument(
          concat(callee, ": argument ", i, " ('", declared[i].name, "'): "),
          declared[i], argument);
    if (status != TILE_STATUS_OK)
      return status;
    ElementType type = declared[i].type;
    if (argument.rank == TILE_SCALAR)
      result.emplace_back(readScalar(argument, type));
    else
      result.emplace_back(readArray(argument, type));
  }
  return TILE_STATUS_OK;
}

std::optional<Grid> capi::readGrid(const int64_t *grid) {
  if (!grid)
    return std::nullopt;
  return Grid{grid[0], grid[1], grid[2]};
}
