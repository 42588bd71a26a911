# Settings of a build without precompiled headers, in which each file must include
# the headers that it uses: cmake -G Ninja -C .ci/includes.cmake -B BUILD.
set(TILE_PRECOMPILE_HEADERS OFF CACHE BOOL "")
include(${CMAKE_CURRENT_LIST_DIR}/dev.cmake)
