// KernelMetadataJson.cpp - kernel metadata as JSON
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the schema that KernelMetadata.h specifies. The reader does
// not trust the text: a key that is missing, unknown or of another type is an
// error, which names its position.

#include "tile/Runtime/KernelMetadata.h"

#include "MetadataJson.h"
#include "VerifyMetadata.h"

#include <algorithm>
#include <limits>
#include <set>

using namespace tile::runtime;

/// Maximum depth of expressions. The compiler's expressions have a depth of
/// about five.
static constexpr int kMaxExpressionDepth = 100;
/// Maximum width of a line: a list or an object that fits is written on one
/// line.
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
    {Expression::Kind::Equal, "=="},
    {Expression::Kind::Less, "<"},
    {Expression::Kind::AtMost, "<="},
};

const char *tile::runtime::getOperatorName(Expression::Kind kind) {
  for (const OperatorRow &row : kOperators)
    if (row.kind == kind)
      return row.name;
  return "";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

OrderedJson tile::runtime::toJsonValue(const Expression &expression) {
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
  OrderedJson list = {getOperatorName(expression.kind)};
  for (const Expression &operand : expression.operands)
    list.push_back(toJsonValue(operand));
  return list;
}

OrderedJson tile::runtime::toJsonValue(const StaticOrRunTime &value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

OrderedJson tile::runtime::toJsonValue(const Argument &argument) {
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

OrderedJson tile::runtime::toJsonValue(const Predicate &predicate) {
  OrderedJson object;
  object["argument"] = predicate.argument;
  object["what"] = getPredicateName(predicate.what);
  if (predicate.what == Predicate::What::Stride ||
      predicate.what == Predicate::What::Size)
    object["dim"] = predicate.dimension;
  object["multipleOf"] = predicate.multipleOf;
  return object;
}

static OrderedJson toJsonTriple(const std::array<int64_t, 3> &triple) {
  return {triple[0], triple[1], triple[2]};
}

OrderedJson tile::runtime::toJsonValue(const EntryPoint &entry) {
  OrderedJson object;
  object["symbol"] = entry.symbol;
  object["requires"] = toJsonList(entry.predicates);
  if (entry.block)
    object["block"] = toJsonTriple(*entry.block);
  if (entry.sharedBytes)
    object["sharedBytes"] = *entry.sharedBytes;
  object["registers"] = toJsonValue(entry.registers);
  object["spillStoreBytes"] = toJsonValue(entry.spillStoreBytes);
  object["spillLoadBytes"] = toJsonValue(entry.spillLoadBytes);
  object["stackBytes"] = toJsonValue(entry.stackBytes);
  return object;
}

OrderedJson tile::runtime::toJsonValue(const HiddenArgument &hidden) {
  OrderedJson object;
  object["kind"] = "workspace";
  object["bytes"] = toJsonValue(hidden.bytes);
  object["zero"] = hidden.zero;
  return object;
}

OrderedJson tile::runtime::toJsonValue(const KernelMetadata &kernel) {
  OrderedJson object;
  object["name"] = kernel.name;
  object["arch"] = kernel.arch;
  object["binary"] =
      kernel.binary.empty() ? OrderedJson(nullptr) : OrderedJson(kernel.binary);
  object["block"] = toJsonTriple(kernel.block);
  if (kernel.threads)
    object["threads"] = *kernel.threads;
  object["cluster"] = toJsonTriple(kernel.cluster);
  object["grid"] =
      kernel.grid ? toJsonList(*kernel.grid) : OrderedJson(nullptr);
  object["sharedBytes"] = kernel.sharedBytes;
  if (kernel.waitsForLaunches)
    object["waitsForLaunches"] = true;
  object["arguments"] = toJsonList(kernel.arguments);
  object["entries"] = toJsonList(kernel.entries);
  object["hiddenArguments"] = toJsonList(kernel.hiddenArguments);
  object["tmaDescriptors"] = OrderedJson::array();
  return object;
}

/// Prints a string, a numeric value, true, false or null as JSON text.
template <typename Json>
static std::string printAtom(const Json &value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Appends the JSON text of `value` on one line, with a blank after each comma
/// and colon. Returns false as soon as `text` has more than `limit` characters.
static bool appendInline(const OrderedJson &value, size_t limit,
                         std::string &text) {
  if (!value.is_structured()) {
    text += printAtom(value);
    return text.size() <= limit;
  }
  bool isObject = value.is_object();
  text += isObject ? '{' : '[';
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it != value.begin())
      text += ", ";
    if (isObject)
      text += printAtom(OrderedJson(it.key())) + ": ";
    if (!appendInline(*it, limit, text))
      return false;
  }
  text += isObject ? '}' : ']';
  return text.size() <= limit;
}

/// Returns the JSON text of `value` on one line.
static std::string printInline(const OrderedJson &value) {
  std::string text;
  appendInline(value, text.max_size(), text);
  return text;
}

/// Appends the JSON text of `value` to `text`. If it fits in the current line,
/// of which `used` columns are taken, it is on this line. Otherwise each
/// element is on a line of its own, indented from `indent` blanks.
static void print(const OrderedJson &value, size_t indent, size_t used,
                  std::string &text) {
  std::string line;
  bool isWhole = !value.is_structured() || value.empty();
  size_t room = used < kLineWidth ? kLineWidth - used - 1 : 0;
  if (appendInline(value, isWhole ? line.max_size() : room, line)) {
    text += line;
    return;
  }
  bool isObject = value.is_object();
  std::string separator(indent + 2, ' ');
  text += isObject ? "{\n" : "[\n";
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (it != value.begin())
      text += ",\n";
    std::string key = isObject ? printAtom(OrderedJson(it.key())) + ": " : "";
    text += separator + key;
    // The additional column is that of the comma.
    print(*it, indent + 2, separator.size() + key.size() + 1, text);
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
  if (!module.functions.empty())
    object["functions"] = toJsonList(module.functions);
  std::string text;
  print(object, 0, 0, text);
  return text + "\n";
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

using nlohmann::json;

namespace {
/// Accepts any JSON, and keeps the error if a text is not JSON.
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

/// Returns the error "FILE:LINE:COLUMN: malformed JSON: ..." for a text that is
/// not JSON.
static Error locateSyntaxError(std::string_view text,
                               std::string_view fileName) {
  SyntaxChecker checker;
  (void)json::sax_parse(text.begin(), text.end(), &checker);
  size_t end =
      std::min(checker.position ? checker.position - 1 : 0, text.size());
  std::string_view before = text.substr(0, end);
  auto line = std::count(before.begin(), before.end(), '\n') + 1;
  size_t lineStart = before.rfind('\n') + 1; // 0 if there is no newline
  // The library's message starts with its own description of the position.
  std::string message = checker.message;
  if (size_t prefix = message.find("syntax error"); prefix != message.npos)
    message = message.substr(prefix);
  return inputError(fileName, ":", line, ":", end - lineStart + 1,
                    ": malformed JSON: ", message);
}

std::string tile::runtime::describe(const json &value) {
  std::string text = value.is_object()  ? "an object"
                     : value.is_array() ? "a list"
                                        : printAtom(value);
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

Expression tile::runtime::readExpression(ObjectReader &reader, const char *key,
                                         const json &value, int depth) {
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
                     "floordiv, ceildiv, mod, min, max, ==, <, <=) in '",
                     key, "', found '", name, "'"));
  return {};
}

std::array<Expression, 3> tile::runtime::readGrid(ObjectReader &reader,
                                                  const json &grid) {
  std::array<Expression, 3> extents;
  if (!grid.is_array() || grid.size() != 3)
    reader.fail(concat("expected 'grid' to be null or 3 expressions, found ",
                       grid.is_array() ? concat(grid.size()) : describe(grid)));
  for (size_t axis = 0; axis < 3 && reader.status; ++axis)
    extents[axis] = readExpression(reader, "grid", grid[axis]);
  return extents;
}

Argument tile::runtime::readArgument(const json &value,
                                     const std::string &where, Status &status) {
  ObjectReader reader(value, where, status);
  Argument argument;
  argument.name = reader.takeString("name");
  argument.kind = reader.takeName("kind", {"array", "scalar"}) == 0
                      ? Argument::Kind::Array
                      : Argument::Kind::Scalar;
  argument.type = reader.takeElementType();
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
  entry.predicates = reader.takeObjects("requires", "predicate", readPredicate);
  if (reader.has("block"))
    entry.block = reader.takeTriple("block");
  entry.sharedBytes = reader.takeOptionalInteger("sharedBytes");
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

/// Returns the prefix of messages about an object: "kernel 'gemm': ", or
/// "kernel 0: " with its position if it has no name.
static std::string describeNamed(const char *what, const json &value,
                                 size_t position) {
  if (value.is_object())
    if (auto name = value.find("name");
        name != value.end() && name->is_string())
      return concat(what, " '", name->get<std::string>(), "': ");
  return concat(what, " ", position, ": ");
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
  if (const json *grid = reader.take("grid"); grid && !grid->is_null())
    kernel.grid = readGrid(reader, *grid);
  kernel.sharedBytes = reader.takeInteger("sharedBytes");
  kernel.waitsForLaunches = reader.takeOptionalBool("waitsForLaunches");
  kernel.arguments = reader.takeObjects("arguments", "argument", readArgument);
  kernel.entries = reader.takeObjects("entries", "entry", readEntry);
  kernel.hiddenArguments = reader.takeObjects(
      "hiddenArguments", "hidden argument", readHiddenArgument);
  if (!reader.takeList("tmaDescriptors").empty())
    reader.fail("expected no 'tmaDescriptors', which this version of the "
                "runtime cannot make");
  reader.finish();
  return kernel;
}

/// Reads the host functions, if there are any. The kernels must have been read.
static void readFunctions(ObjectReader &reader, const std::string &where,
                          ModuleMetadata &module, Status &status) {
  if (!reader.has("functions"))
    return;
  const json &functions = reader.takeList("functions");
  for (size_t i = 0; i < functions.size() && status; ++i) {
    HostFunction function = readHostFunction(
        functions[i], where + describeNamed("function", functions[i], i),
        status);
    if (!status)
      return;
    if (Status verified = verify(function, module); !verified)
      reader.fail(verified.error().message);
    else if (findFunction(module, function.name))
      reader.fail(
          concat("expected one function '", function.name, "', found two"));
    module.functions.push_back(std::move(function));
  }
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
    KernelMetadata kernel = readKernel(
        kernels[i], where + describeNamed("kernel", kernels[i], i), status);
    if (!status)
      break;
    if (Status verified = verify(kernel); !verified)
      return inputError(where, verified.error().message);
    if (!names.insert({kernel.name, kernel.arch}).second)
      return inputError(where, "expected one kernel '", kernel.name, "' for ",
                        kernel.arch, ", found two");
    module.kernels.push_back(std::move(kernel));
  }
  readFunctions(reader, where, module, status);
  reader.finish();
  if (!status)
    return status.takeError();
  return module;
}
