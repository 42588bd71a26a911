# Settings of a build with address and undefined-behaviour sanitizers:
# cmake -G Ninja -C .ci/asan.cmake -B BUILD. MLIR and LLVM stay as packaged.
include(${CMAKE_CURRENT_LIST_DIR}/dev.cmake)
set(LLVM_USE_SANITIZER "Address;Undefined" CACHE STRING "")
