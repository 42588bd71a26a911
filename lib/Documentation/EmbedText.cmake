# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Writes the bytes of a file as the initializer of a C++ array:
#
#   cmake -D TEXT=FILE -D OUTPUT=FILE -P EmbedText.cmake
file(READ "${TEXT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE "${OUTPUT}" "${bytes}\n")
