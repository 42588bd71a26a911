// Operand.cpp - parses arguments of tile-run, and reads and writes their files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Operand.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

using namespace tile::runtime;

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

namespace {
/// A part of an array, in elements.
struct View {
  std::optional<int64_t> offset;
  std::optional<std::vector<int64_t>> shape;
  std::optional<std::vector<int64_t>> strides;
};

/// The parsed text of an array argument.
struct ArrayWords {
  enum class Mode { In, InOut, Out };

  Mode mode = Mode::In;
  std::string inputPath;
  std::string outputPath;
  /// The shape given after the name of an out= array.
  std::optional<std::vector<int64_t>> shape;
  View view;
};
} // namespace

/// Parses a decimal integer, with a sign if `isSigned`.
static std::optional<int64_t> parseInteger(std::string_view text,
                                           bool isSigned) {
  if (text.empty() || (!isSigned && text[0] == '-'))
    return std::nullopt;
  if (text.find('x') != text.npos)
    return std::nullopt;
  Result<ScalarValue> scalar = parseScalar(ElementType::I64, text);
  if (!scalar)
    return std::nullopt;
  int64_t integer;
  std::memcpy(&integer, scalar->bytes.data(), sizeof integer);
  // parseScalar accepts unsigned integers for i64; those from 2^63 on are too
  // large here.
  if (integer < 0 && text[0] != '-')
    return std::nullopt;
  return integer;
}

/// Parses "64x128"; nothing if it is malformed.
static std::optional<std::vector<int64_t>> parseIntegers(std::string_view text,
                                                         bool isSigned) {
  std::vector<int64_t> integers;
  while (true) {
    size_t end = std::min(text.find('x'), text.size());
    std::optional<int64_t> integer =
        parseInteger(text.substr(0, end), isSigned);
    if (!integer)
      return std::nullopt;
    integers.push_back(*integer);
    if (end == text.size())
      return integers;
    text.remove_prefix(end + 1);
  }
}

/// Parses "offset=1,shape=63x8,strides=64x1".
static Result<View> parseView(std::string_view text) {
  View view;
  while (!text.empty()) {
    std::string_view item = text.substr(0, text.find(','));
    text.remove_prefix(std::min(item.size() + 1, text.size()));
    std::string_view key = item.substr(0, item.find('='));
    std::string_view value = item.substr(std::min(key.size() + 1, item.size()));
    bool isValid = false;
    if (key == "offset" && !view.offset) {
      view.offset = parseInteger(value, /*isSigned=*/false);
      isValid = view.offset.has_value();
    } else if (key == "shape" && !view.shape) {
      view.shape = parseIntegers(value, /*isSigned=*/false);
      isValid = view.shape.has_value();
    } else if (key == "strides" && !view.strides) {
      view.strides = parseIntegers(value, /*isSigned=*/true);
      isValid = view.strides.has_value();
    }
    if (!isValid)
      return inputError("expected a view such as "
                        "[offset=1,shape=63x8,strides=64x1], found '",
                        item, "'");
  }
  return view;
}

/// Removes "[...]" from the end of `path` and parses it.
static Result<View> takeView(std::string &path) {
  size_t start = path.rfind('[');
  if (path.empty() || path.back() != ']' || start == path.npos)
    return View();
  std::string inside = path.substr(start + 1, path.size() - start - 2);
  path.resize(start);
  return parseView(inside);
}

/// Removes a prefix such as "in=" from `text`, and returns its mode.
static std::optional<ArrayWords::Mode> takeMode(std::string &text) {
  using Mode = ArrayWords::Mode;
  for (auto [prefix, mode] : {std::pair<const char *, Mode>{"in=", Mode::In},
                              {"inout=", Mode::InOut},
                              {"out=", Mode::Out}}) {
    if (text.rfind(prefix, 0) != 0)
      continue;
    text.erase(0, std::strlen(prefix));
    return mode;
  }
  return std::nullopt;
}

/// Checks that the argument's prefix matches how the kernel accesses the array.
static Status checkMode(Access access, ArrayWords::Mode mode) {
  using Mode = ArrayWords::Mode;
  if (access == Access::Read && mode != Mode::In)
    return inputError("expected in=FILE.npy, as the kernel only reads it");
  if (access == Access::Write && mode == Mode::In)
    return inputError("expected out=FILE.npy or inout=FILE.npy, as the kernel "
                      "writes it");
  if (access == Access::ReadWrite && mode != Mode::InOut)
    return inputError("expected inout=FILE.npy, as the kernel reads and writes "
                      "it");
  return success();
}

static Result<ArrayWords> parseArrayWords(const Argument &declared,
                                          std::string text) {
  ArrayWords words;
  std::string given = text;
  std::optional<ArrayWords::Mode> mode = takeMode(text);
  words.mode = mode.value_or(ArrayWords::Mode::In);
  bool isScalar = !mode && bool(parseScalar(ElementType::ComplexF64, given));
  if (text.empty() || isScalar)
    return inputError("expected an array (in=FILE.npy, inout=FILE.npy or "
                      "out=FILE.npy), found '",
                      given, "'");
  if (Status status = checkMode(declared.access, words.mode); !status)
    return status.takeError();

  // For inout=, the output path follows the last colon. For out=, a shape may
  // follow it; otherwise the colon is part of the path.
  size_t colon = text.rfind(':');
  bool hasColon = colon != text.npos && colon > 0 && colon + 1 < text.size();
  switch (words.mode) {
  case ArrayWords::Mode::In:
    words.inputPath = text;
    break;
  case ArrayWords::Mode::InOut:
    words.inputPath = hasColon ? text.substr(0, colon) : text;
    words.outputPath = hasColon ? text.substr(colon + 1) : "";
    break;
  case ArrayWords::Mode::Out:
    if (hasColon)
      words.shape = parseIntegers(text.substr(colon + 1), /*isSigned=*/false);
    words.outputPath = words.shape ? text.substr(0, colon) : text;
    return words;
  }
  Result<View> view = takeView(words.inputPath);
  if (!view)
    return view.takeError();
  words.view = *view;
  if (words.mode == ArrayWords::Mode::InOut && words.outputPath.empty())
    words.outputPath = words.inputPath;
  return words;
}

//===----------------------------------------------------------------------===//
// Arrays that are read
//===----------------------------------------------------------------------===//

/// Checks that the elements of `array`, which starts at element `offset` of a
/// file of `numElements`, all lie in it.
static Status checkViewBounds(const ArrayView &array, int64_t offset,
                              int64_t numElements) {
  int64_t lowest = offset, highest = offset;
  bool isEmpty = false, overflows = false;
  for (size_t i = 0; i < array.sizes.size(); ++i) {
    isEmpty |= array.sizes[i] == 0;
    int64_t &bound = array.strides[i] < 0 ? lowest : highest;
    int64_t distance = 0;
    overflows |= __builtin_mul_overflow(array.sizes[i] - 1, array.strides[i],
                                        &distance) ||
                 __builtin_add_overflow(bound, distance, &bound);
  }
  bool isInside = isEmpty ? offset <= numElements
                          : !overflows && lowest >= 0 && highest < numElements;
  if (isInside)
    return success();
  return inputError("expected a view inside the ", numElements,
                    " elements of the file, found elements ",
                    overflows ? "far outside"
                              : concat(lowest, " to ", highest));
}

/// Returns the array that `view` selects in a file, without an address. Sets
/// `offset` to the element of the file at which it starts.
static Result<ArrayView> applyView(const View &view, const Npy &file,
                                   ElementType type, int64_t &offset) {
  const NpyHeader &header = file.header;
  ArrayView array;
  array.type = type;
  array.sizes = view.shape.value_or(header.shape);
  if (!getDenseBytes(array.sizes, getByteSize(type)))
    return inputError("expected a view inside the file, found shape ",
                      shapeToString(array.sizes));
  if (view.strides)
    array.strides = *view.strides;
  else if (view.shape)
    array.strides = getDenseStrides(array.sizes, /*fortranOrder=*/false);
  else
    array.strides = getDenseStrides(header.shape, header.fortranOrder);
  if (array.strides.size() != array.sizes.size())
    return inputError("expected ", array.sizes.size(),
                      " strides of the view, found ", array.strides.size());
  offset = view.offset.value_or(0);
  int64_t numElements = file.data.size() / getByteSize(type);
  if (Status status = checkViewBounds(array, offset, numElements); !status)
    return status.takeError();
  return array;
}

static Result<Operand> readArray(const Argument &declared,
                                 const ArrayWords &words) {
  Result<Npy> file = readNpy(words.inputPath);
  if (!file)
    return file.takeError();
  const std::string &path = words.inputPath;
  if (Status status = checkNpyType(file->header.descr, declared.type,
                                   concat("'", path, "'"));
      !status)
    return status.takeError();
  if (declared.type == ElementType::I1)
    for (int64_t i = 0; i < file->data.size(); ++i)
      if (file->data.data()[i] > 1)
        return inputError("'", path,
                          "': expected bytes 0 and 1 in an array of "
                          "i1, found ",
                          int(file->data.data()[i]), " at element ", i);

  int64_t offset = 0;
  Result<ArrayView> array = applyView(words.view, *file, declared.type, offset);
  if (!array)
    return inputError("'", path, "': ", array.error().message);

  Operand operand;
  operand.offsetBytes = offset * getByteSize(declared.type);
  array->address = reinterpret_cast<uintptr_t>(file->data.data()) +
                   static_cast<uint64_t>(operand.offsetBytes);
  operand.argument = std::move(*array);
  operand.header = std::move(file->header);
  operand.data = std::move(file->data);
  operand.outputPath = words.outputPath;
  operand.access = declared.access;
  return operand;
}

//===----------------------------------------------------------------------===//
// Arrays that are new
//===----------------------------------------------------------------------===//

/// Whether `strides` match the declared ones in dimensions larger than 1.
static bool fitsStrides(const std::vector<StaticOrRunTime> &declared,
                        const std::vector<int64_t> &shape,
                        const std::vector<int64_t> &strides) {
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] > 1 && declared[i] && *declared[i] != strides[i])
      return false;
  return true;
}

/// Returns the shape of a new array: the given one, else the static one.
static Result<std::vector<int64_t>> getNewShape(const Argument &declared,
                                                const ArrayWords &words) {
  size_t rank = declared.shape.size();
  std::vector<int64_t> shape(rank);
  if (words.shape && words.shape->size() != rank)
    return inputError("expected rank ", rank, ", found ", words.shape->size(),
                      " (shape ", shapeToString(*words.shape), ")");
  for (size_t i = 0; i < rank; ++i) {
    if (!words.shape && !declared.shape[i])
      return inputError("expected out=FILE.npy:SIZES such as :64x128, as size ",
                        i, " is known only at run time");
    shape[i] = words.shape ? (*words.shape)[i] : *declared.shape[i];
    if (declared.shape[i] && *declared.shape[i] != shape[i])
      return inputError("expected size ", *declared.shape[i],
                        " along dimension ", i, ", found ", shape[i],
                        " (shape ", shapeToString(shape), ")");
  }
  return shape;
}

/// Chooses the strides of a new array: row-major if the kernel accepts it,
/// else column-major, else those that the kernel declares.
static Status layOutNewArray(const Argument &declared, ArrayView &array,
                             Operand &operand) {
  const std::vector<int64_t> &shape = operand.header.shape;
  for (bool fortranOrder : {false, true}) {
    array.strides = getDenseStrides(shape, fortranOrder);
    operand.header.fortranOrder = fortranOrder;
    if (fitsStrides(declared.strides, shape, array.strides))
      return success();
  }
  operand.header.fortranOrder = false;
  operand.isPadded = true;
  std::vector<int64_t> rowMajor = getDenseStrides(shape, false);
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!declared.strides[i] || *declared.strides[i] < 0)
      return inputError("expected strides that can be made for a new array, "
                        "found a kernel with ",
                        declared.strides[i] ? "negative ones"
                                            : "static and run-time ones",
                        "; use inout= with an array that has them");
    array.strides[i] = *declared.strides[i];
  }
  return success();
}

/// Returns the number of bytes from the first to the last element of a new
/// array; nothing on overflow.
static std::optional<int64_t> getExtentBytes(const ArrayView &array) {
  std::optional<int64_t> dense =
      getDenseBytes(array.sizes, getByteSize(array.type));
  if (!dense || *dense == 0)
    return dense;
  int64_t extent = 1, distance;
  for (size_t i = 0; i < array.sizes.size(); ++i)
    if (__builtin_mul_overflow(array.sizes[i] - 1, array.strides[i],
                               &distance) ||
        __builtin_add_overflow(extent, distance, &extent))
      return std::nullopt;
  if (__builtin_mul_overflow(extent, getByteSize(array.type), &extent))
    return std::nullopt;
  return extent;
}

static Result<Operand> makeArray(const Argument &declared,
                                 const ArrayWords &words) {
  Result<std::vector<int64_t>> shape = getNewShape(declared, words);
  if (!shape)
    return shape.takeError();
  if (!getDenseBytes(*shape, getByteSize(declared.type)))
    return inputError(
        "expected an array of fewer than 2^63 bytes, found shape ",
        shapeToString(*shape));
  ArrayView array;
  Operand operand;
  array.type = declared.type;
  array.sizes = *shape;
  operand.header.descr = getNpyDescr(declared.type);
  operand.header.shape = *shape;
  if (Status status = layOutNewArray(declared, array, operand); !status)
    return status.takeError();
  std::optional<int64_t> bytes = getExtentBytes(array);
  if (!bytes)
    return inputError(
        "expected an array of fewer than 2^63 bytes, found shape ",
        shapeToString(*shape), " with the kernel's strides");

  Result<HostBuffer> data = HostBuffer::allocate(*bytes, 0xff);
  if (!data)
    return data.takeError();
  array.address = reinterpret_cast<uintptr_t>(data->data());
  operand.argument = std::move(array);
  operand.data = std::move(*data);
  operand.outputPath = words.outputPath;
  operand.access = declared.access;
  return operand;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Result<Operand> readOperand(const Argument &declared,
                                   const std::string &text) {
  if (declared.kind == Argument::Kind::Scalar) {
    Result<ScalarValue> scalar = parseScalar(declared.type, text);
    if (!scalar)
      return scalar.takeError();
    Operand operand;
    operand.argument = *scalar;
    return operand;
  }
  Result<ArrayWords> words = parseArrayWords(declared, text);
  if (!words)
    return words.takeError();
  return words->mode == ArrayWords::Mode::Out ? makeArray(declared, *words)
                                              : readArray(declared, *words);
}

Result<std::vector<Operand>>
tile::runtime::readOperands(const std::string &callee,
                            const std::vector<Argument> &declared,
                            const std::vector<std::string> &texts) {
  if (texts.size() != declared.size()) {
    std::string names;
    for (const Argument &argument : declared)
      names += concat(names.empty() ? "" : ", ", argument.name);
    return inputError(callee, ": expected ", declared.size(), " arguments (",
                      names.empty() ? "none" : names, "), found ",
                      texts.size());
  }
  std::vector<Operand> operands;
  for (size_t i = 0; i < texts.size(); ++i) {
    Result<Operand> operand = readOperand(declared[i], texts[i]);
    if (!operand)
      return Error{operand.error().kind,
                   concat(callee, ": argument ", i, " ('", declared[i].name,
                          "'): ", operand.error().message)};
    operands.push_back(std::move(*operand));
  }
  return operands;
}

std::vector<KernelArgument>
tile::runtime::getArguments(const std::vector<Operand> &operands) {
  std::vector<KernelArgument> arguments;
  for (const Operand &operand : operands)
    arguments.push_back(operand.argument);
  return arguments;
}

Status tile::runtime::checkOutputs(const std::vector<Operand> &operands,
                                   const std::string &otherPath) {
  std::vector<std::string> outputs = {otherPath};
  for (const Operand &operand : operands)
    outputs.push_back(operand.outputPath);
  std::set<std::string> paths;
  for (const std::string &output : outputs) {
    if (output.empty())
      continue;
    if (Status status = checkWritable(output); !status)
      return status;
    std::error_code ignored;
    std::string path = std::filesystem::weakly_canonical(output, ignored);
    if (!paths.insert(ignored ? output : path).second)
      return inputError("expected different files for the results, found '",
                        output, "' twice");
  }
  return success();
}

/// Copies the elements of a padded array in row-major order.
static Result<HostBuffer> gather(const Operand &operand) {
  const auto &array = std::get<ArrayView>(operand.argument);
  auto elementBytes = static_cast<size_t>(getByteSize(array.type));
  Result<HostBuffer> dense = HostBuffer::allocate(
      *getDenseBytes(array.sizes, getByteSize(array.type)));
  if (!dense)
    return dense;
  std::vector<int64_t> index(array.sizes.size(), 0);
  unsigned char *dest = dense->data();
  unsigned char *end = dest + dense->size();
  for (; dest != end; dest += elementBytes) {
    int64_t source = 0;
    for (size_t i = 0; i < index.size(); ++i)
      source += index[i] * array.strides[i];
    std::memcpy(
        dest, operand.data->data() + static_cast<size_t>(source) * elementBytes,
        elementBytes);
    // Advance to the next index in row-major order.
    for (size_t i = index.size(); i-- > 0 && ++index[i] == array.sizes[i];)
      index[i] = 0;
  }
  return dense;
}

Result<std::vector<PendingFile>>
tile::runtime::stageOutputs(const std::vector<Operand> &operands) {
  std::vector<PendingFile> files;
  auto stage = [&](const Operand &operand, const HostBuffer &data) -> Status {
    Result<PendingFile> file =
        stageNpy(operand.outputPath, operand.header, data.data(), data.size());
    // The output paths were checked before the run, so a failure here is no
    // error of the command line.
    if (!file)
      return runtimeError(file.error().message);
    files.push_back(std::move(*file));
    return success();
  };
  for (const Operand &operand : operands) {
    if (operand.outputPath.empty())
      continue;
    Status status = success();
    if (operand.isPadded) {
      Result<HostBuffer> dense = gather(operand);
      status = dense ? stage(operand, *dense) : Status(dense.takeError());
    } else {
      status = stage(operand, *operand.data);
    }
    if (!status)
      return status.takeError();
  }
  return files;
}
