# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian packages of the installed files (docs/Embedding.md):
#
#   cpack --config build/CPackConfig.cmake -B FOLDER
#
#   tile-mlir-runtime  libTileCompiler.so.0 and libTileRuntime.so.0
#   tile-mlir-tools    the programs, and the plugin for mlir-opt
#   tile-mlir-dev      headers, libraries to link, the CMake package
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The tile-mlir developers <tile-mlir@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL runtime tools dev)
# Makes several packages, one for each component.
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "")

set(version "(= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME tile-mlir-runtime)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "The compiler and the runtime of tile programs as C libraries.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tile-mlir-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "tile-mlir-runtime ${version}")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
  "Compiles, runs, inspects and reduces tile programs; a plugin for mlir-opt.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME tile-mlir-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "tile-mlir-runtime ${version}")
# These packages are only recommended, since not all components need them: the C
# libraries, the layouts and the runtime need none of them.
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS
  "tile-mlir-tools ${version}, libmlir-${LLVM_VERSION_MAJOR}-dev, llvm-${LLVM_VERSION_MAJOR}-dev, libboost-context-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Headers, libraries and the CMake package to embed the compiler and runtime.")
include(CPack)
