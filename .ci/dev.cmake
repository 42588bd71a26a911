# Settings of a development build: cmake -G Ninja -C .ci/dev.cmake -B BUILD
set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "")
set(CMAKE_C_COMPILER clang-22 CACHE STRING "")
set(CMAKE_CXX_COMPILER clang++-22 CACHE STRING "")
set(LLVM_USE_LINKER lld CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -gline-tables-only" CACHE STRING "assertions stay on in our code")
set(CMAKE_CXX_COMPILER_LAUNCHER ccache CACHE STRING "")
# ccache can reuse precompiled headers, and objects built with them, only if they
# contain no timestamps.
set(TILE_PRECOMPILE_HEADERS ON CACHE BOOL "")
set(CMAKE_CXX_FLAGS "-Xclang -fno-pch-timestamp" CACHE STRING "")
set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir CACHE PATH "")
set(LLVM_DIR /usr/lib/llvm-22/lib/cmake/llvm CACHE PATH "")
set(LLVM_EXTERNAL_LIT /usr/lib/llvm-22/bin/lit CACHE FILEPATH "")
set(CMAKE_EXPORT_COMPILE_COMMANDS ON CACHE BOOL "")
