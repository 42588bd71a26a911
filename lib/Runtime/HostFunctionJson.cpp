// HostFunctionJson.cpp - functions of the host as JSON
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MetadataJson.h"

using namespace tile::runtime;
using nlohmann::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static std::string toHex(const std::string &bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string text;
  for (unsigned char byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

OrderedJson tile::runtime::toJsonValue(const Temporary &temporary) {
  OrderedJson object;
  object["type"] = getElementTypeName(temporary.type);
  object["shape"] = toJsonList(temporary.shape);
  if (!temporary.content.empty())
    object["content"] = toHex(temporary.content);
  return object;
}

OrderedJson tile::runtime::toJsonValue(const LaunchArgument &argument) {
  using Kind = LaunchArgument::Kind;
  OrderedJson object;
  switch (argument.kind) {
  case Kind::Array:
  case Kind::Temporary:
    object["array"] = argument.kind == Kind::Array ? "argument" : "temporary";
    object["index"] = argument.index;
    object["offset"] = toJsonValue(argument.offset);
    object["shape"] = toJsonList(argument.shape);
    object["strides"] = toJsonList(argument.strides);
    break;
  case Kind::Scalar:
    object["scalar"] = "argument";
    object["index"] = argument.index;
    break;
  case Kind::Integer:
    object["scalar"] = "integer";
    object["value"] = toJsonValue(argument.value);
    break;
  case Kind::ConstantScalar:
    object["scalar"] = "constant";
    object["text"] = argument.text;
    break;
  }
  return object;
}

OrderedJson tile::runtime::toJsonValue(const Launch &launch) {
  OrderedJson object;
  object["kernel"] = launch.kernel;
  if (launch.grid)
    object["grid"] = toJsonList(*launch.grid);
  object["arguments"] = toJsonList(launch.arguments);
  return object;
}

OrderedJson tile::runtime::toJsonValue(const Requirement &requirement) {
  OrderedJson object;
  object["holds"] = toJsonValue(requirement.holds);
  object["text"] = requirement.text;
  return object;
}

OrderedJson tile::runtime::toJsonValue(const HostFunction &function) {
  OrderedJson object;
  object["name"] = function.name;
  object["arguments"] = toJsonList(function.arguments);
  object["temporaries"] = toJsonList(function.temporaries);
  object["launches"] = toJsonList(function.launches);
  if (!function.requirements.empty())
    object["requires"] = toJsonList(function.requirements);
  return object;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static std::vector<Expression> takeExpressions(ObjectReader &reader,
                                               const char *key) {
  std::vector<Expression> expressions;
  for (const json &value : reader.takeList(key))
    expressions.push_back(readExpression(reader, key, value));
  return expressions;
}

static int readDigit(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static std::string takeContent(ObjectReader &reader) {
  std::string text = reader.takeOptionalString("content");
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    int high = readDigit(text[i]), low = readDigit(text[i + 1]);
    if (high < 0 || low < 0)
      break;
    bytes += static_cast<char>(high << 4 | low);
  }
  if (2 * bytes.size() != text.size())
    reader.fail(concat("expected 'content' of pairs of digits 0 to 9 and a to "
                       "f, found another from place ",
                       2 * bytes.size(), " on"));
  return bytes;
}

static Temporary readTemporary(const json &value, const std::string &where,
                               Status &status) {
  ObjectReader reader(value, where, status);
  Temporary temporary;
  temporary.type = reader.takeElementType();
  temporary.shape = takeExpressions(reader, "shape");
  temporary.content = takeContent(reader);
  reader.finish();
  return temporary;
}

static void readView(ObjectReader &reader, LaunchArgument &argument) {
  using Kind = LaunchArgument::Kind;
  bool isArgument = reader.takeName("array", {"argument", "temporary"}) == 0;
  argument.kind = isArgument ? Kind::Array : Kind::Temporary;
  argument.index = reader.takeInteger("index");
  if (const json *offset = reader.take("offset"))
    argument.offset = readExpression(reader, "offset", *offset);
  argument.shape = takeExpressions(reader, "shape");
  argument.strides = takeExpressions(reader, "strides");
}

static LaunchArgument readLaunchArgument(const json &value,
                                         const std::string &where,
                                         Status &status) {
  using Kind = LaunchArgument::Kind;
  ObjectReader reader(value, where, status);
  LaunchArgument argument;
  if (reader.has("array")) {
    readView(reader, argument);
    reader.finish();
    return argument;
  }
  switch (reader.takeName("scalar", {"argument", "integer", "constant"})) {
  case 0:
    argument.kind = Kind::Scalar;
    argument.index = reader.takeInteger("index");
    break;
  case 1:
    argument.kind = Kind::Integer;
    if (const json *expression = reader.take("value"))
      argument.value = readExpression(reader, "value", *expression);
    break;
  default:
    argument.kind = Kind::ConstantScalar;
    argument.text = reader.takeString("text");
  }
  reader.finish();
  return argument;
}

static Launch readLaunch(const json &value, const std::string &where,
                         Status &status) {
  ObjectReader reader(value, where, status);
  Launch launch;
  launch.kernel = reader.takeString("kernel");
  if (const json *grid = reader.takeOptional("grid"))
    launch.grid = readGrid(reader, *grid);
  launch.arguments =
      reader.takeObjects("arguments", "argument", readLaunchArgument);
  reader.finish();
  return launch;
}

static Requirement readRequirement(const json &value, const std::string &where,
                                   Status &status) {
  ObjectReader reader(value, where, status);
  Requirement requirement;
  if (const json *holds = reader.take("holds"))
    requirement.holds = readExpression(reader, "holds", *holds);
  requirement.text = reader.takeString("text");
  reader.finish();
  return requirement;
}

HostFunction tile::runtime::readHostFunction(const json &value,
                                             const std::string &where,
                                             Status &status) {
  ObjectReader reader(value, where, status);
  HostFunction function;
  function.name = reader.takeString("name");
  function.arguments =
      reader.takeObjects("arguments", "argument", readArgument);
  function.temporaries =
      reader.takeObjects("temporaries", "temporary", readTemporary);
  function.launches = reader.takeObjects("launches", "launch", readLaunch);
  if (reader.has("requires"))
    function.requirements =
        reader.takeObjects("requires", "requirement", readRequirement);
  reader.finish();
  return function;
}
