// Print.cpp - printf of a GPU thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Print.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

using namespace tile::emulator;

namespace {
/// Reads values from the buffer into which a thread packed the arguments of
/// printf.
struct ArgumentReader {
  const char *next;
  int count = 0;

  template <typename Value>
  Value read() {
    auto address = reinterpret_cast<uintptr_t>(next);
    address = (address + sizeof(Value) - 1) / sizeof(Value) * sizeof(Value);
    Value value;
    std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof value);
    next = reinterpret_cast<const char *>(address + sizeof value);
    ++count;
    return value;
  }
};
} // namespace

template <typename Value>
static std::string formatOne(const std::string &conversion, Value value) {
  int size = std::snprintf(nullptr, 0, conversion.c_str(), value);
  if (size < 0)
    return conversion;
  std::string text(size_t(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), conversion.c_str(), value);
  text.pop_back();
  return text;
}

/// Returns the text of the next argument for the conversion that consists of
/// `flags`, such as "%-8.3", the length modifier `length` and `letter`.
static std::string convert(const std::string &flags, const std::string &length,
                           char letter, ArgumentReader &arguments) {
  bool isWide = length.find_first_of("ljzt") != std::string::npos;
  switch (letter) {
  case 'd':
  case 'i': {
    int64_t value =
        isWide ? arguments.read<int64_t>() : arguments.read<int32_t>();
    if (length == "h")
      value = int16_t(value);
    if (length == "hh")
      value = int8_t(value);
    return formatOne(flags + "lld", static_cast<long long>(value));
  }
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    uint64_t value =
        isWide ? arguments.read<uint64_t>() : arguments.read<uint32_t>();
    if (length == "h")
      value = uint16_t(value);
    if (length == "hh")
      value = uint8_t(value);
    return formatOne(flags + "ll" + letter,
                     static_cast<unsigned long long>(value));
  }
  case 'c':
    return formatOne(flags + 'c', int(arguments.read<int32_t>()));
  case 's': {
    auto *value = arguments.read<const char *>();
    return formatOne(flags + 's', value ? value : "(null)");
  }
  case 'p':
    return formatOne(flags + 'p', arguments.read<const void *>());
  default:
    return formatOne(flags + letter, arguments.read<double>());
  }
}

std::string tile::emulator::formatPrint(const char *format,
                                        const void *arguments, int &count) {
  ArgumentReader reader = {static_cast<const char *>(arguments)};
  std::string text;
  while (*format) {
    if (*format != '%') {
      text += *format++;
      continue;
    }
    const char *begin = format++;
    if (*format == '%') {
      text += *format++;
      continue;
    }
    std::string flags = "%", length;
    for (; *format && std::strchr("-+ #0123456789.*", *format); ++format)
      flags += *format == '*' ? std::to_string(reader.read<int32_t>())
                              : std::string(1, *format);
    for (; *format && std::strchr("hljztL", *format); ++format)
      length += *format;
    if (*format && std::strchr("diuoxXcspeEfFgGaA", *format))
      text += convert(flags, length, *format++, reader);
    else
      text.append(begin, format);
  }
  count = reader.count;
  return text;
}
