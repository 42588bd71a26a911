// Npy.cpp - NumPy's .npy files
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is described in NumPy's documentation ("NPY format"): the magic
// string, a version, the length of the header, the header as a Python
// dictionary padded with blanks, then the data.

#include "tile/Runtime/Npy.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tile::runtime;

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the runtime reads and writes little-endian data as it is in memory"
#endif

static constexpr char kMagic[] = "\x93NUMPY";
static constexpr size_t kMagicBytes = 6;
/// Alignment of the data in the file.
static constexpr size_t kHeaderAlignment = 64;
/// Maximum length of a header; those of plain arrays have about 128 bytes.
static constexpr uint32_t kMaxHeaderBytes = 1 << 20;
/// Maximum size of an allocation: no process has more addresses, and sanitizers
/// abort at a larger request.
static constexpr int64_t kMaxAllocation = int64_t(1) << 48;
/// Maximum rank of an array in NumPy 2.
static constexpr size_t kMaxRank = 64;

//===----------------------------------------------------------------------===//
// Memory and shapes
//===----------------------------------------------------------------------===//

Result<HostBuffer> HostBuffer::allocate(int64_t size) {
  void *memory = nullptr;
  size_t bytes = std::max<size_t>(static_cast<size_t>(size), 1);
  if (size > kMaxAllocation ||
      posix_memalign(&memory, kHostAlignment, bytes) != 0)
    return runtimeError("cannot allocate ", size, " bytes of memory");
  return HostBuffer(static_cast<unsigned char *>(memory), size);
}

Result<HostBuffer> HostBuffer::allocate(int64_t size, unsigned char fill) {
  Result<HostBuffer> buffer = allocate(size);
  if (buffer)
    std::memset(buffer->data(), fill, static_cast<size_t>(size));
  return buffer;
}

std::vector<int64_t>
tile::runtime::getDenseStrides(const std::vector<int64_t> &shape,
                               bool fortranOrder) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t dimension = fortranOrder ? i : shape.size() - 1 - i;
    strides[dimension] = stride;
    stride *= std::max<int64_t>(shape[dimension], 1);
  }
  return strides;
}

std::string tile::runtime::shapeToString(const std::vector<int64_t> &shape) {
  if (shape.empty())
    return "scalar";
  std::string text;
  for (int64_t size : shape)
    text += concat(text.empty() ? "" : "x", size);
  return text;
}

std::optional<int64_t>
tile::runtime::getDenseBytes(const std::vector<int64_t> &shape,
                             int64_t elementBytes) {
  int64_t bytes = elementBytes;
  bool isEmpty = false;
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    isEmpty |= size == 0;
    if (size != 0 && __builtin_mul_overflow(bytes, size, &bytes))
      return std::nullopt;
  }
  return isEmpty ? 0 : bytes;
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

namespace {
/// Reads the Python literals that occur in a header. Each function consumes the
/// text that it reads, and returns false if the text is something else.
class LiteralReader {
public:
  explicit LiteralReader(std::string_view text) : rest(text) {}

  bool eat(std::string_view token) {
    skipBlanks();
    if (rest.substr(0, token.size()) != token)
      return false;
    rest.remove_prefix(token.size());
    return true;
  }

  bool readString(std::string &value) {
    skipBlanks();
    if (rest.empty() || (rest[0] != '\'' && rest[0] != '"'))
      return false;
    size_t end = rest.find(rest[0], 1);
    if (end == rest.npos)
      return false;
    value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    // The name of a plain type needs no escapes.
    return value.find('\\') == value.npos;
  }

  bool readBool(bool &value) {
    value = eat("True");
    return value || eat("False");
  }

  /// Reads a non-negative integer, after which there may be an L (Python 2).
  bool readInteger(int64_t &value) {
    skipBlanks();
    size_t digits = 0;
    value = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, rest[digits] - '0', &value))
        return false;
      ++digits;
    }
    rest.remove_prefix(digits);
    (void)(digits != 0 && eat("L"));
    return digits != 0;
  }

  /// Reads a tuple of integers such as "()", "(3,)" or "(3, 4)".
  bool readShape(std::vector<int64_t> &shape) {
    if (!eat("("))
      return false;
    while (!eat(")")) {
      int64_t size;
      if (!readInteger(size) || shape.size() == kMaxRank)
        return false;
      shape.push_back(size);
      if (eat(","))
        continue;
      // "(3)" is an integer, not a tuple.
      return shape.size() > 1 && eat(")");
    }
    return true;
  }

  bool atEnd() {
    skipBlanks();
    return rest.empty();
  }

  /// Describes the next text, for a message.
  std::string describeNext() {
    skipBlanks();
    // The blanks at the end are padding.
    rest = rest.substr(0, rest.find_last_not_of(" \t\r\n") + 1);
    if (rest.empty())
      return "the end of the header";
    std::string text;
    for (char character : rest.substr(0, 24))
      text += character >= ' ' && character < 127 ? character : '?';
    return concat("\"", text, rest.size() > 24 ? "...\"" : "\"");
  }

private:
  void skipBlanks() {
    size_t count = rest.find_first_not_of(" \t\r\n");
    rest.remove_prefix(std::min(count, rest.size()));
  }

  std::string_view rest;
};
} // namespace

/// Reads the dictionary of a header. Errors do not contain the file's name.
static Result<NpyHeader> parseHeader(std::string_view text) {
  LiteralReader reader(text);
  NpyHeader header;
  auto fail = [&](const char *expected) {
    return inputError("expected ", expected, " in the header, found ",
                      reader.describeNext());
  };

  if (!reader.eat("{"))
    return fail("a dictionary");
  bool hasDescr = false, hasOrder = false, hasShape = false;
  while (!reader.eat("}")) {
    std::string key;
    if (!reader.readString(key) || !reader.eat(":"))
      return fail("a key");
    if (key == "descr" && !hasDescr) {
      hasDescr = true;
      if (reader.eat("["))
        return inputError("expected plain numbers, found a structured type");
      if (!reader.readString(header.descr))
        return fail("the type");
    } else if (key == "fortran_order" && !hasOrder) {
      hasOrder = true;
      if (!reader.readBool(header.fortranOrder))
        return fail("True or False");
    } else if (key == "shape" && !hasShape) {
      hasShape = true;
      if (!reader.readShape(header.shape))
        return fail("a tuple of at most 64 sizes");
    } else {
      return inputError("expected the keys descr, fortran_order and shape once "
                        "each in the header, found '",
                        key.substr(0, 24), "'");
    }
    if (!reader.eat(",")) {
      if (!reader.eat("}"))
        return fail("',' or '}'");
      break;
    }
  }
  if (!hasDescr || !hasOrder || !hasShape)
    return inputError("expected key '",
                      !hasDescr   ? "descr"
                      : !hasOrder ? "fortran_order"
                                  : "shape",
                      "' in the header, found none");
  if (!reader.atEnd())
    return fail("nothing after the dictionary");
  return header;
}

/// Fails for a dtype that corresponds to no element type, with the reason.
static Status checkDescr(const std::string &descr) {
  auto fail = [&](const char *found) {
    return inputError("expected plain numbers, found ", found, " (dtype '",
                      descr.substr(0, 24), "')");
  };
  size_t digits = descr.size() < 3 ? 0 : descr.size() - 2;
  char order = descr.empty() ? '\0' : descr[0];
  bool isWellFormed = std::strchr("<>=|", order) && order != '\0' &&
                      (descr.size() > 1) &&
                      descr.find_first_not_of("0123456789", 2) == descr.npos;
  if (!isWellFormed)
    return fail("an unknown type");
  switch (descr[1]) {
  case 'O':
    return fail("pickled objects");
  case 'S':
  case 'a':
  case 'U':
    return fail("text");
  case 'M':
  case 'm':
    return fail("dates");
  default:
    break;
  }
  // At most four digits, so that the number of bytes cannot overflow.
  if (digits == 0 || digits > 4 ||
      std::strtol(descr.c_str() + 2, nullptr, 10) == 0)
    return fail("an unknown type");
  if (order == '>' && descr.substr(2) != "1")
    return fail("big-endian data");
  return success();
}

int64_t NpyHeader::elementBytes() const {
  return std::strtoll(descr.c_str() + 2, nullptr, 10);
}

/// Returns the header of version 1 of the format: all bytes before the data.
static std::string printHeader(const NpyHeader &header) {
  std::string shape;
  for (int64_t size : header.shape)
    shape += concat(shape.empty() ? "" : ", ", size);
  if (header.shape.size() == 1)
    shape += ",";
  std::string text =
      concat("{'descr': '", header.descr,
             "', 'fortran_order': ", header.fortranOrder ? "True" : "False",
             ", 'shape': (", shape, "), }");
  // The header consists of the magic string, the version, the length, the text,
  // blanks and a newline.
  size_t fixed = kMagicBytes + 4;
  size_t total = (fixed + text.size() + 1 + kHeaderAlignment - 1) /
                 kHeaderAlignment * kHeaderAlignment;
  size_t length = total - fixed;
  text.resize(length - 1, ' ');
  std::string start(kMagic, kMagicBytes);
  start += '\1';
  start += '\0';
  start += static_cast<char>(length & 0xff);
  start += static_cast<char>(length >> 8);
  return start + text + "\n";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {
/// A file open for reading, closed with the object.
class InputFile {
public:
  explicit InputFile(const std::string &path)
      : descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile() {
    if (descriptor >= 0)
      close(descriptor);
  }

  bool isOpen() const { return descriptor >= 0; }

  /// Returns the size of a regular file; nothing for another file.
  std::optional<int64_t> getSize() const {
    struct stat info;
    if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode))
      return std::nullopt;
    return info.st_size;
  }

  /// Reads `size` bytes. Returns false at an error or the end of the file.
  bool read(void *dest, size_t size) {
    char *bytes = static_cast<char *>(dest);
    while (size > 0) {
      ssize_t count =
          ::read(descriptor, bytes, std::min(size, size_t(1) << 30));
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        return false;
      bytes += count;
      size -= static_cast<size_t>(count);
    }
    return true;
  }

private:
  int descriptor;
};
} // namespace

/// Reads the bytes before the dictionary, and returns the length of the
/// dictionary. Adds the number of bytes that were read to `offset`.
static Result<uint32_t> readPreamble(InputFile &file, int64_t fileSize,
                                     int64_t &offset) {
  unsigned char start[kMagicBytes + 2];
  if (fileSize < int64_t(sizeof start) || !file.read(start, sizeof start))
    return inputError("expected a .npy file, found ", fileSize, " bytes");
  if (std::memcmp(start, kMagic, kMagicBytes) != 0)
    return inputError("expected a .npy file, found another magic string");
  int major = start[kMagicBytes], minor = start[kMagicBytes + 1];
  if (major < 1 || major > 3 || minor != 0)
    return inputError("expected .npy format version 1.0, 2.0 or 3.0, found ",
                      major, ".", minor);

  unsigned char length[4] = {};
  size_t lengthBytes = major == 1 ? 2 : 4;
  if (!file.read(length, lengthBytes))
    return inputError("expected the length of the header, found the end of the "
                      "file");
  offset += static_cast<int64_t>(sizeof start + lengthBytes);
  return uint32_t(length[0]) | uint32_t(length[1]) << 8 |
         uint32_t(length[2]) << 16 | uint32_t(length[3]) << 24;
}

/// Reads an open file. Errors do not contain the file's name.
static Result<Npy> readOpenFile(InputFile &file) {
  std::optional<int64_t> fileSize = file.getSize();
  if (!fileSize)
    return inputError("expected a regular file");

  int64_t offset = 0;
  Result<uint32_t> length = readPreamble(file, *fileSize, offset);
  if (!length)
    return length.takeError();
  if (*length > kMaxHeaderBytes)
    return inputError("expected a header of at most ", kMaxHeaderBytes,
                      " bytes, found ", *length);
  std::string text(*length, '\0');
  if (!file.read(&text[0], text.size()))
    return inputError("expected a header of ", *length, " bytes, found ",
                      std::max<int64_t>(*fileSize - offset, 0));
  offset += *length;

  Result<NpyHeader> header = parseHeader(text);
  if (!header)
    return header.takeError();
  if (Status status = checkDescr(header->descr); !status)
    return status.takeError();

  std::optional<int64_t> bytes =
      getDenseBytes(header->shape, header->elementBytes());
  if (!bytes)
    return inputError("expected a shape of fewer than 2^63 bytes, found ",
                      shapeToString(header->shape), " of dtype '",
                      header->descr, "'");
  if (*bytes != *fileSize - offset)
    return inputError("expected ", *bytes, " bytes of data for shape ",
                      shapeToString(header->shape), " of dtype '",
                      header->descr, "', found ", *fileSize - offset);

  Result<HostBuffer> data = HostBuffer::allocate(*bytes);
  if (!data)
    return data.takeError();
  if (!file.read(data->data(), static_cast<size_t>(*bytes)))
    return runtimeError("expected ", *bytes,
                        " bytes of data, found fewer while reading");
  return Npy{std::move(*header), std::move(*data)};
}

Result<Npy> tile::runtime::readNpy(const std::string &path) {
  InputFile file(path);
  if (!file.isOpen())
    return inputError("cannot read '", path, "': ", describeErrno());
  Result<Npy> array = readOpenFile(file);
  if (!array)
    return Error{array.error().kind,
                 concat("cannot read '", path, "': ", array.error().message)};
  return array;
}

const char *tile::runtime::getNpyDescr(ElementType type) {
  switch (type) {
  case ElementType::F64:
    return "<f8";
  case ElementType::F32:
    return "<f4";
  case ElementType::F16:
    return "<f2";
  case ElementType::BF16:
    return "<u2";
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return "|u1";
  case ElementType::I1:
    return "|b1";
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
  case ElementType::Index:
    return "<i8";
  case ElementType::ComplexF32:
    return "<c8";
  case ElementType::ComplexF64:
    break;
  }
  return "<c16";
}

/// Returns the second dtype from which elements of `type` can be read; null if
/// there is none.
static const char *getAlternativeDescr(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return "|V2";
  case ElementType::F8E4M3FN:
  case ElementType::F8E5M2:
    return "|V1";
  case ElementType::I8:
    return "|u1";
  case ElementType::I16:
    return "<u2";
  case ElementType::I32:
    return "<u4";
  case ElementType::I64:
  case ElementType::Index:
    return "<u8";
  default:
    return nullptr;
  }
}

Status tile::runtime::checkNpyType(const std::string &descr, ElementType type,
                                   const std::string &what) {
  const char *first = getNpyDescr(type);
  const char *second = getAlternativeDescr(type);
  // Big-endian data has been refused before, so the first character is not
  // significant: '<V2' and '|V2' are equal, as are '=f4' and '<f4'.
  std::string_view kind = std::string_view(descr).substr(1);
  if (kind == first + 1 || (second && kind == second + 1))
    return success();
  return inputError(what, ": expected dtype '", first,
                    second ? concat("' or '", second) : "", "' for ",
                    getElementTypeName(type), ", found '", descr, "'");
}

Result<PendingFile> tile::runtime::stageNpy(const std::string &path,
                                            const NpyHeader &header,
                                            const void *data, int64_t size) {
  Result<PendingFile> file = PendingFile::create(path);
  if (!file)
    return file;
  std::string start = printHeader(header);
  if (Status status = file->write(start.data(), start.size()); !status)
    return status.takeError();
  if (Status status = file->write(data, static_cast<size_t>(size)); !status)
    return status.takeError();
  return file;
}

Status tile::runtime::writeNpy(const std::string &path, const NpyHeader &header,
                               const void *data, int64_t size) {
  Result<PendingFile> file = stageNpy(path, header, data, size);
  if (!file)
    return file.takeError();
  return file->commit();
}
