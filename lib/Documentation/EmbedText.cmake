# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the bytes of files, one after the other, as the initializer of a C++ array:
#
#   cmake "-DTEXTS=FILE;FILE" -D OUTPUT=FILE -P EmbedText.cmake
file(WRITE "${OUTPUT}" "")
foreach(text IN LISTS TEXTS)
  file(READ "${text}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  file(APPEND "${OUTPUT}" "${bytes}\n")
endforeach()
