// ObjectReader.h - reads a JSON object that is not trusted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_RUNTIME_OBJECTREADER_H
#define TILE_RUNTIME_OBJECTREADER_H

#include "tile/Runtime/KernelMetadata.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

namespace tile::runtime {

/// Returns `value` as text of at most 40 bytes for a message.
std::string describe(const nlohmann::json &value);

/// Reads one object: the functions take its keys one by one, and `finish`
/// refuses the remaining ones. The first error is stored in `status`. After an
/// error the functions do nothing, and return default values.
class ObjectReader {
  using json = nlohmann::json;

public:
  ObjectReader(const json &value, std::string where, Status &status)
      : where(std::move(where)), status(status) {
    if (value.is_object())
      object = &value;
    else
      fail(concat("expected an object, found ", describe(value)));
  }

  bool has(const char *key) const { return object && object->contains(key); }

  /// Takes the key `key` and returns its value. Returns null if the key is
  /// missing, which is an error, or after an earlier error.
  const json *take(const char *key) {
    if (!object || !status)
      return nullptr;
    taken.insert(key);
    auto it = object->find(key);
    if (it != object->end())
      return &*it;
    fail(concat("expected key '", key, "', found none"));
    return nullptr;
  }

  /// Takes a key that may be absent or null; returns null in both cases.
  const json *takeOptional(const char *key) {
    if (!object || !status)
      return nullptr;
    taken.insert(key);
    auto it = object->find(key);
    return it == object->end() || it->is_null() ? nullptr : &*it;
  }

  std::string takeString(const char *key) {
    const json *value = take(key);
    return value ? readString(key, *value) : "";
  }

  std::string takeOptionalString(const char *key) {
    const json *value = takeOptional(key);
    return value ? readString(key, *value) : "";
  }

  int64_t takeInteger(const char *key) {
    const json *value = take(key);
    return value ? readInteger(key, *value) : 0;
  }

  StaticOrRunTime takeOptionalInteger(const char *key) {
    const json *value = takeOptional(key);
    return value ? StaticOrRunTime(readInteger(key, *value)) : std::nullopt;
  }

  bool takeBool(const char *key) {
    const json *value = take(key);
    return value && readBool(key, *value);
  }

  /// Takes a key that may be absent or null, which is false.
  bool takeOptionalBool(const char *key) {
    const json *value = takeOptional(key);
    return value && readBool(key, *value);
  }

  /// Takes the list `key`. Returns an empty list after an error.
  const json &takeList(const char *key) {
    const json *value = take(key);
    if (value && !value->is_array()) {
      fail(concat("expected '", key, "' to be a list, found ",
                  describe(*value)));
      value = nullptr;
    }
    static const json empty = json::array();
    return value ? *value : empty;
  }

  /// Reads each element of the list `key` by `read(value, where, status)`.
  /// Messages start with `what` and the index, such as "argument 0: ".
  template <typename Read>
  auto takeObjects(const char *key, const char *what, Read read) {
    std::vector<decltype(read(json(), where, status))> objects;
    const json &list = takeList(key);
    for (size_t i = 0; i < list.size() && status; ++i)
      objects.push_back(
          read(list[i], concat(where, what, " ", i, ": "), status));
    return objects;
  }

  /// Takes the key `type`, whose value is the name of an element type.
  ElementType takeElementType() {
    std::string name = takeString("type");
    std::optional<ElementType> type = parseElementType(name);
    if (!type)
      fail(concat("expected 'type' to be an element type such as f32, found '",
                  name, "'"));
    return type.value_or(ElementType::F32);
  }

  std::array<int64_t, 3> takeTriple(const char *key) {
    std::array<int64_t, 3> triple = {1, 1, 1};
    const json &list = takeList(key);
    if (status && list.size() != 3)
      fail(concat("expected '", key, "' of 3 numbers, found ", list.size()));
    for (size_t i = 0; i < 3 && status; ++i)
      triple[i] = readInteger(key, list[i]);
    return triple;
  }

  /// Takes a list of integers and nulls.
  std::vector<StaticOrRunTime> takeStaticOrRunTime(const char *key) {
    std::vector<StaticOrRunTime> values;
    for (const json &value : takeList(key)) {
      if (value.is_null())
        values.push_back(std::nullopt);
      else
        values.push_back(readInteger(key, value));
    }
    return values;
  }

  /// Takes a key whose value must be one of `names`. Returns its index in
  /// `names`.
  size_t takeName(const char *key, const std::vector<std::string> &names) {
    const json *value = take(key);
    if (!value)
      return 0;
    std::string known;
    for (size_t i = 0; i < names.size(); ++i) {
      if (value->is_string() && *value == names[i])
        return i;
      known += concat(i == 0                  ? "'"
                      : i + 1 == names.size() ? " or '"
                                              : ", '",
                      names[i], "'");
    }
    fail(concat("expected '", key, "' to be ", known, ", found ",
                describe(*value)));
    return 0;
  }

  bool readBool(const char *key, const json &value) {
    if (!value.is_boolean())
      fail(concat("expected '", key, "' to be true or false, found ",
                  describe(value)));
    return status && value.get<bool>();
  }

  int64_t readInteger(const char *key, const json &value) {
    // The library represents non-negative integers as unsigned ones, which may
    // be too large.
    bool fits = value.is_number_integer() &&
                (!value.is_number_unsigned() ||
                 value.get<uint64_t>() <=
                     uint64_t(std::numeric_limits<int64_t>::max()));
    if (fits)
      return value.get<int64_t>();
    fail(concat("expected '", key, "' to be a 64-bit integer, found ",
                describe(value)));
    return 0;
  }

  void fail(const std::string &message) {
    if (status)
      status = inputError(where, message);
  }

  /// Refuses keys that were not taken.
  void finish() {
    if (!object)
      return;
    for (const auto &item : object->items())
      if (!taken.count(item.key()))
        fail(concat("expected no key '", item.key(), "' in schema ",
                    kMetadataSchema));
  }

  std::string where;
  Status &status;

private:
  std::string readString(const char *key, const json &value) {
    if (value.is_string())
      return value.get<std::string>();
    fail(
        concat("expected '", key, "' to be a string, found ", describe(value)));
    return "";
  }

  const json *object = nullptr;
  std::set<std::string> taken;
};

} // namespace tile::runtime

#endif // TILE_RUNTIME_OBJECTREADER_H
