// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- KernelMetadataJson.cpp - kernel metadata as JSON -------------------===//
//
// Writing and reading the schema that KernelMetadata.h states. The reader takes
// nothing on trust: a key that is missing, unknown or of another type is an
// error that says where.
//
//===----------------------------------------------------------------------===//

#include "tile/Runtime/KernelMetadata.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>

using namespace tile::runtime;
using OrderedJson = nlohmann::ordered_json;

/// How deep expressions may nest; the compiler's are some five deep.
static constexpr int kMaxExpressionDepth = 100;
/// Columns up to which a list or an object is written on one line.
static constexpr size_t kLineWidth = 120;

namespace {
/// The spelling of each arithmetic kind of expression.
struct OperatorRow {
  Expression::Kind kind;
  const char *name;
};
} // namespace

static constexpr OperatorRow kOperators[] = {
    {Expression::Kind::Add, "+"},
    {Expression::Kind::Subtract, "-"},
    {Expression::Kind::Multiply, "*"},
    {Expression::Kind::FloorDivide, "floordiv"},
    {Expression::Kind::CeilDivide, "ceildiv"},
    {Expression::Kind::Modulo, "mod"},
    {Expression::Kind::Minimum, "min"},
    {Expression::Kind::Maximum, "max"},
};

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static OrderedJson toJsonValue(const Expression &expression) {
  switch (expression.kind) {
  case Expression::Kind::Constant:
    return expression.value;
  case Expression::Kind::Size:
    return {"size", expression.argument, expression.dimension};
  case Expression::Kind::Stride:
    return {"stride", expression.argument, expression.dimension};
  case Expression::Kind::Scalar:
    return {"arg", expression.argument};
  default:
    break;
  }
  OrderedJson list = OrderedJson::array();
  for (const OperatorRow &row : kOperators)
    if (row.kind == expression.kind)
      list.push_back(row.name);
  for (const Expression &operand : expression.operands)
    list.push_back(toJsonValue(operand));
  return list;
}

static OrderedJson toJsonValue(const StaticOrRunTime &number) {
  return number ? OrderedJson(*number) : OrderedJson(nullptr);
}

static OrderedJson toJsonValue(const Argument &argument);
static OrderedJson toJsonValue(const Predicate &predicate);
static OrderedJson toJsonValue(const EntryPoint &entry);
static OrderedJson toJsonValue(const HiddenArgument &hidden);
static OrderedJson toJsonValue(const KernelMetadata &kernel);

template <typename T>
static OrderedJson toJsonList(const T &elements) {
  OrderedJson list = OrderedJson::array();
  for (const auto &element : elements)
    list.push_back(toJsonValue(element));
  return list;
}

static OrderedJson toJsonValue(const std::array<int64_t, 3> &numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

static OrderedJson toJsonValue(const Argument &argument) {
  OrderedJson object;
  bool isArray = argument.kind == Argument::Kind::Array;
  object["name"] = argument.name;
  object["kind"] = isArray ? "array" : "scalar";
  object["type"] = getElementTypeName(argument.type);
  object["access"] = getAccessName(argument.access);
  if (isArray) {
    object["shape"] = toJsonList(argument.shape);
    object["strides"] = toJsonList(argument.strides);
  }
  return object;
}

static OrderedJson toJsonValue(const Predicate &predicate) {
  OrderedJson object;
  object["argument"] = predicate.argument;
  object["what"] = getPredicateName(predicate.what);
  if (predicate.what == Predicate::What::Stride ||
      predicate.what == Predicate::What::Size)
    object["dim"] = predicate.dimension;
  object["multipleOf"] = predicate.multipleOf;
  return object;
}

static OrderedJson toJsonValue(const EntryPoint &entry) {
  OrderedJson object;
  object["symbol"] = entry.symbol;
  object["requires"] = toJsonList(entry.predicates);
  object["registers"] = toJsonValue(entry.registers);
  object["spillStoreBytes"] = toJsonValue(entry.spillStoreBytes);
  object["spillLoadBytes"] = toJsonValue(entry.spillLoadBytes);
  object["stackBytes"] = toJsonValue(entry.stackBytes);
  return object;
}

static OrderedJson toJsonValue(const HiddenArgument &hidden) {
  OrderedJson object;
  object["kind"] = "workspace";
  object["bytes"] = toJsonValue(hidden.bytes);
  object["zero"] = hidden.zero;
  return object;
}

static OrderedJson toJsonValue(const KernelMetadata &kernel) {
  OrderedJson object;
  object["name"] = kernel.name;
  object["arch"] = kernel.arch;
  object["binary"] =
      kernel.binary.empty() ? OrderedJson(nullptr) : OrderedJson(kernel.binary);
  object["block"] = toJsonValue(kernel.block);
  if (kernel.threads)
    object["threads"] = *kernel.threads;
  object["cluster"] = toJsonValue(kernel.cluster);
  object["grid"] =
      kernel.grid ? toJsonList(*kernel.grid) : OrderedJson(nullptr);
  object["sharedBytes"] = kernel.sharedBytes;
  object["arguments"] = toJsonList(kernel.arguments);
  object["entries"] = toJsonList(kernel.entries);
  object["hiddenArguments"] = toJsonList(kernel.hiddenArguments);
  object["tmaDescriptors"] = OrderedJson::array();
  return object;
}

/// A string, number, true, false or null as JSON text.
template <typename Json>
static std::string printAtom(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// `value` on one line, with a blank after each comma and colon.
static std::string printInline(const OrderedJson &value) {
  if (!value.is_structured())
    return printAtom(value);
  std::string text;
  for (const auto &item : value.items()) {
    if (!text.empty())
      text += ", ";
    if (value.is_object())
      text += printAtom(OrderedJson(item.key())) + ": ";
    text += printInline(item.value());
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

/// Appends `value` to `text`: on the current line, of which `used` columns are
/// taken, if it fits, else one element a line below `indent` blanks.
static void print(const OrderedJson &value, size_t indent, size_t used,
                  std::string &text) {
  std::string line = printInline(value);
  if (!value.is_structured() || value.empty() ||
      used + line.size() < kLineWidth) {
    text += line;
    return;
  }
  bool isObject = value.is_object();
  std::string separator(indent + 2, ' ');
  text += isObject ? "{\n" : "[\n";
  bool isFirst = true;
  for (const auto &item : value.items()) {
    if (!isFirst)
      text += ",\n";
    isFirst = false;
    std::string key = isObject ? printAtom(OrderedJson(item.key())) + ": " : "";
    text += separator + key;
    // One more column for the comma.
    print(item.value(), indent + 2, separator.size() + key.size() + 1, text);
  }
  text += "\n" + std::string(indent, ' ') + (isObject ? "}" : "]");
}

std::string tile::runtime::toString(const Expression &expression) {
  return printInline(toJsonValue(expression));
}

std::string tile::runtime::toJson(const ModuleMetadata &module) {
  OrderedJson object;
  object["schema"] = kMetadataSchema;
  object["kernels"] = toJsonList(module.kernels);
  std::string text;
  print(object, 0, 0, text);
  return text + "\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

using nlohmann::json;

namespace {
/// Accepts any JSON, and keeps what is wrong with text that is none.
struct SyntaxChecker : nlohmann::json_sax<json> {
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t offset, const std::string &,
                   const nlohmann::detail::exception &error) override {
    position = offset;
    message = error.what();
    return false;
  }

  size_t position = 0;
  std::string message;
};
} // namespace

/// "FILE:LINE:COLUMN: malformed JSON: ..." of a text that is no JSON.
static Error locateSyntaxError(std::string_view text,
                               std::string_view fileName) {
  SyntaxChecker checker;
  (void)json::sax_parse(text.begin(), text.end(), &checker);
  size_t end =
      std::min(checker.position ? checker.position - 1 : 0, text.size());
  std::string_view before = text.substr(0, end);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t lineStart = before.rfind('\n') + 1; // 0 if there is no newline
  // The library begins with its own idea of the place.
  std::string message = checker.message;
  if (size_t prefix = message.find("syntax error"); prefix != message.npos)
    message = message.substr(prefix);
  return inputError(fileName, ":", line, ":", end - lineStart + 1,
                    ": malformed JSON: ", message);
}

/// `value` for a message: at most 40 bytes.
static std::string describe(const json &value) {
  std::string text = value.is_object()  ? "an object"
                     : value.is_array() ? "a list"
                                        : printAtom(value);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

namespace {
/// Reads one object: takes its keys one by one, and `finish` refuses what is
/// left. The first error wins and is kept in `status`, after which everything
/// else is a no-op that yields a default.
class ObjectReader {
public:
  ObjectReader(const json &value, std::string where, Status &status)
      : where(std::move(where)), status(status) {
    if (value.is_object())
      object = &value;
    else
      fail(concat("expected an object, found ", describe(value)));
  }

  /// The value of `key`, or null if there is none or something is wrong.
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

  /// The same for a key that may be absent or null.
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
    if (!value)
      return false;
    if (!value->is_boolean())
      fail(concat("expected '", key, "' to be true or false, found ",
                  describe(*value)));
    return status && value->get<bool>();
  }

  /// The elements of the list `key`; none if something is wrong.
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

  std::array<int64_t, 3> takeTriple(const char *key) {
    std::array<int64_t, 3> triple = {1, 1, 1};
    const json &list = takeList(key);
    if (status && list.size() != 3)
      fail(concat("expected '", key, "' of 3 numbers, found ", list.size()));
    for (size_t i = 0; i < 3 && status; ++i)
      triple[i] = readInteger(key, list[i]);
    return triple;
  }

  /// A list of numbers and nulls.
  std::vector<StaticOrRunTime> takeStaticOrRunTime(const char *key) {
    std::vector<StaticOrRunTime> numbers;
    for (const json &value : takeList(key)) {
      if (value.is_null())
        numbers.push_back(std::nullopt);
      else
        numbers.push_back(readInteger(key, value));
    }
    return numbers;
  }

  /// One of `names`; its position.
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

  int64_t readInteger(const char *key, const json &value) {
    // What is over 2^63 is kept unsigned.
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
} // namespace

/// Reads an expression, for the object of `reader` and its `key`.
static Expression readExpression(ObjectReader &reader, const char *key,
                                 const json &value, int depth = 0) {
  if (!reader.status || value.is_number())
    return Expression::constant(reader.status ? reader.readInteger(key, value)
                                              : 0);
  if (depth == kMaxExpressionDepth) {
    reader.fail(concat("expected '", key, "' nested at most ",
                       kMaxExpressionDepth, " deep"));
    return {};
  }
  if (!value.is_array() || value.empty() || !value[0].is_string()) {
    reader.fail(concat("expected '", key,
                       "' to be a number or a list that begins with an "
                       "operator, found ",
                       describe(value)));
    return {};
  }

  std::string name = value[0].get<std::string>();
  auto hasOperands = [&](size_t count) {
    if (value.size() == count + 1)
      return true;
    reader.fail(concat("expected ", count, " operands of '", name, "' in '",
                       key, "', found ", value.size() - 1));
    return false;
  };
  if (name == "size" || name == "stride") {
    if (!hasOperands(2))
      return {};
    int64_t argument = reader.readInteger(key, value[1]);
    int64_t dimension = reader.readInteger(key, value[2]);
    return name == "size" ? Expression::size(argument, dimension)
                          : Expression::stride(argument, dimension);
  }
  if (name == "arg") {
    if (!hasOperands(1))
      return {};
    return Expression::scalar(reader.readInteger(key, value[1]));
  }
  for (const OperatorRow &row : kOperators) {
    if (name != row.name)
      continue;
    if (!hasOperands(2))
      return {};
    Expression lhs = readExpression(reader, key, value[1], depth + 1);
    Expression rhs = readExpression(reader, key, value[2], depth + 1);
    return Expression::binary(row.kind, std::move(lhs), std::move(rhs));
  }
  reader.fail(concat("expected an operator (size, stride, arg, +, -, *, "
                     "floordiv, ceildiv, mod, min, max) in '",
                     key, "', found '", name, "'"));
  return {};
}

static Argument readArgument(const json &value, const std::string &where,
                             Status &status) {
  ObjectReader reader(value, where, status);
  Argument argument;
  argument.name = reader.takeString("name");
  argument.kind = reader.takeName("kind", {"array", "scalar"}) == 0
                      ? Argument::Kind::Array
                      : Argument::Kind::Scalar;
  std::string type = reader.takeString("type");
  if (std::optional<ElementType> parsed = parseElementType(type))
    argument.type = *parsed;
  else
    reader.fail(concat("expected 'type' to be an element type such as f32, "
                       "found '",
                       type, "'"));
  argument.access = static_cast<Access>(
      reader.takeName("access", {"read", "write", "readwrite"}));
  if (argument.kind == Argument::Kind::Array) {
    argument.shape = reader.takeStaticOrRunTime("shape");
    argument.strides = reader.takeStaticOrRunTime("strides");
  }
  reader.finish();
  return argument;
}

static Predicate readPredicate(const json &value, const std::string &where,
                               Status &status) {
  ObjectReader reader(value, where, status);
  Predicate predicate;
  predicate.argument = reader.takeInteger("argument");
  predicate.what = static_cast<Predicate::What>(
      reader.takeName("what", {"pointer", "stride", "size", "scalar"}));
  if (predicate.what == Predicate::What::Stride ||
      predicate.what == Predicate::What::Size)
    predicate.dimension = reader.takeInteger("dim");
  predicate.multipleOf = reader.takeInteger("multipleOf");
  reader.finish();
  return predicate;
}

static EntryPoint readEntry(const json &value, const std::string &where,
                            Status &status) {
  ObjectReader reader(value, where, status);
  EntryPoint entry;
  entry.symbol = reader.takeString("symbol");
  const json &predicates = reader.takeList("requires");
  for (size_t i = 0; i < predicates.size() && status; ++i)
    entry.predicates.push_back(readPredicate(
        predicates[i], concat(where, "predicate ", i, ": "), status));
  entry.registers = reader.takeOptionalInteger("registers");
  entry.spillStoreBytes = reader.takeOptionalInteger("spillStoreBytes");
  entry.spillLoadBytes = reader.takeOptionalInteger("spillLoadBytes");
  entry.stackBytes = reader.takeOptionalInteger("stackBytes");
  reader.finish();
  return entry;
}

static HiddenArgument readHiddenArgument(const json &value,
                                         const std::string &where,
                                         Status &status) {
  ObjectReader reader(value, where, status);
  HiddenArgument hidden;
  reader.takeName("kind", {"workspace"});
  if (const json *bytes = reader.take("bytes"))
    hidden.bytes = readExpression(reader, "bytes", *bytes);
  hidden.zero = reader.takeBool("zero");
  reader.finish();
  return hidden;
}

/// "kernel 'gemm': ", or "kernel 0: " for one that has no name.
static std::string describeKernel(const json &value, size_t position) {
  if (value.is_object())
    if (auto name = value.find("name");
        name != value.end() && name->is_string())
      return concat("kernel '", name->get<std::string>(), "': ");
  return concat("kernel ", position, ": ");
}

static KernelMetadata readKernel(const json &value, const std::string &where,
                                 Status &status) {
  ObjectReader reader(value, where, status);
  KernelMetadata kernel;
  kernel.name = reader.takeString("name");
  kernel.arch = reader.takeString("arch");
  kernel.binary = reader.takeOptionalString("binary");
  kernel.block = reader.takeTriple("block");
  kernel.threads = reader.takeOptionalInteger("threads");
  kernel.cluster = reader.takeTriple("cluster");
  if (const json *grid = reader.take("grid"); grid && !grid->is_null()) {
    if (!grid->is_array() || grid->size() != 3) {
      reader.fail(
          concat("expected 'grid' to be null or 3 expressions, found ",
                 grid->is_array() ? concat(grid->size()) : describe(*grid)));
    } else {
      kernel.grid.emplace();
      for (size_t axis = 0; axis < 3; ++axis)
        (*kernel.grid)[axis] = readExpression(reader, "grid", (*grid)[axis]);
    }
  }
  kernel.sharedBytes = reader.takeInteger("sharedBytes");
  const json &arguments = reader.takeList("arguments");
  for (size_t i = 0; i < arguments.size() && status; ++i)
    kernel.arguments.push_back(readArgument(
        arguments[i], concat(where, "argument ", i, ": "), status));
  const json &entries = reader.takeList("entries");
  for (size_t i = 0; i < entries.size() && status; ++i)
    kernel.entries.push_back(
        readEntry(entries[i], concat(where, "entry ", i, ": "), status));
  const json &hidden = reader.takeList("hiddenArguments");
  for (size_t i = 0; i < hidden.size() && status; ++i)
    kernel.hiddenArguments.push_back(readHiddenArgument(
        hidden[i], concat(where, "hidden argument ", i, ": "), status));
  if (!reader.takeList("tmaDescriptors").empty())
    reader.fail("expected no 'tmaDescriptors', which this version of the "
                "runtime cannot make");
  reader.finish();
  return kernel;
}

Result<ModuleMetadata> tile::runtime::fromJson(std::string_view text,
                                               std::string_view fileName) {
  json value = json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                           /*allow_exceptions=*/false);
  if (value.is_discarded())
    return locateSyntaxError(text, fileName);

  Status status = success();
  std::string where = concat(fileName, ": ");
  ObjectReader reader(value, where, status);
  int64_t schema = reader.takeInteger("schema");
  if (status && schema != kMetadataSchema)
    reader.fail(concat("expected schema ", kMetadataSchema, ", found ", schema,
                       " (written by another version of the compiler)"));

  ModuleMetadata module;
  std::set<std::pair<std::string, std::string>> names;
  const json &kernels = reader.takeList("kernels");
  for (size_t i = 0; i < kernels.size() && status; ++i) {
    KernelMetadata kernel =
        readKernel(kernels[i], where + describeKernel(kernels[i], i), status);
    if (!status)
      break;
    if (Status verified = verify(kernel); !verified)
      return inputError(where, verified.error().message);
    if (!names.insert({kernel.name, kernel.arch}).second)
      return inputError(where, "expected one kernel '", kernel.name, "' for ",
                        kernel.arch, ", found two");
    module.kernels.push_back(std::move(kernel));
  }
  reader.finish();
  if (!status)
    return status.takeError();
  return module;
}
