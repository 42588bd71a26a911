# Settings of a build with the thread sanitizer: cmake -G Ninja -C .ci/tsan.cmake -B
# BUILD. MLIR and LLVM stay as packaged, without instrumentation. Reports about races in
# MLIR and LLVM, and about accesses that they order by atomics, which the sanitizer does
# not see, are suppressed by name (.ci/tsan-suppressions).
include(${CMAKE_CURRENT_LIST_DIR}/dev.cmake)
set(LLVM_USE_SANITIZER "Thread" CACHE STRING "")
