# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests that run the tools. A test lists its requirements, as in "REQUIRES: sm90",
# and is skipped if one is missing:
#
#   nvptx        LLVM was built with the NVPTX backend
#   llvm=X.Y.Z   LLVM is of that version
#   ptxas        an assembler: $TILE_PTXAS, on PATH, in the CUDA toolkit, or in
#                $TILE_SITE_PACKAGES
#   cuda-device  a GPU; cuda-devices: several; sm80, sm90: of at least that
#                architecture. --param gpu=90 sets them without a GPU: .ci/gpu uses
#                it to check that everything else is available
#   compute-sanitizer
#                CUDA's checker of kernels and of calls of the driver
#   cpu, emulator, compiler
#                the compiler's C library, which runs programs on the CPU
#   numpy        a Python with NumPy, as %python
#   jax          JAX, of that Python or in the build folder
#   cutile       the package cuda-tile, as jax
#   tilegym      the package tilegym in the build folder, with cutile and jax
#   tile-NAME    the tool of that name was built
#   mlir-opt-22  LLVM's own mlir-opt by that name
#   reference    mlir-opt, mlir-translate, llc and a C compiler, by which
#                test/Conversion/LinalgToTile runs linalg without this project
#   chromium     the browser, to look at pages
#   clang-format that of .ci/lint is installed, and the sources are under git
#   asan         built with address sanitizer
#   tsan         built with thread sanitizer
#
# Tests of test/nightly run only with --param suite=nightly.
#
# TILE_VERIFY_ROUNDTRIP=1 in the environment makes each tile-opt also check that its
# input survives printing and bytecode.

import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "tile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "unit"]
if lit_config.params.get("suite") != "nightly":
    config.excludes.append("nightly")
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tile_build_dir, "test")


def find_ptxas():
    """Returns the assembler that tile-compile would find, or None."""
    paths = [os.environ.get("TILE_PTXAS"), shutil.which("ptxas"),
             "/usr/local/cuda/bin/ptxas"]
    for packages in os.environ.get("TILE_SITE_PACKAGES", "").split(os.pathsep):
        if packages:
            paths += glob.glob(packages + "/nvidia/*/bin/ptxas")
    for path in paths:
        if path and os.access(path, os.X_OK):
            return path
    return None


def find_compute_capabilities():
    """Returns ten times the compute capability of each GPU."""
    if "gpu" in lit_config.params:
        return [int(lit_config.params["gpu"])]
    try:
        answer = subprocess.run(
            ["nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader"],
            capture_output=True, text=True, timeout=60)
        return [round(10 * float(line)) for line in answer.stdout.splitlines()]
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return []


# Order of search: this project's tools, LLVM's, then the system's.
config.environment["PATH"] = os.pathsep.join(
    [config.tile_bin_dir, config.llvm_tools_dir, os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"
# The programs of test/device count their cases in this folder.
config.environment["TILE_CASES"] = os.path.join(config.test_exec_root, "cases")
for name in ("TILE_PTXAS", "TILE_FATBINARY", "TILE_LIBDEVICE",
             "TILE_SITE_PACKAGES", "CUDA_HOME", "CUDA_PATH",
             "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
             "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

features = config.available_features
features.add("llvm=" + config.llvm_version)
if "NVPTX" in config.llvm_targets or "all" in config.llvm_targets:
    features.add("nvptx")
if shutil.which("clang-format-22") and os.path.exists(
        os.path.join(config.tile_source_dir, ".git")):
    features.add("clang-format")
if shutil.which("chromium"):
    features.add("chromium")
if shutil.which("mlir-opt-22"):
    features.add("mlir-opt-22")
if all(os.path.exists(os.path.join(config.llvm_tools_dir, name))
       for name in ("mlir-opt", "mlir-translate", "llc")) and shutil.which("cc"):
    features.add("reference")
ptxas = find_ptxas()
if ptxas:
    features.add("ptxas")
capabilities = find_compute_capabilities()
capability = capabilities[0] if capabilities else 0
if capabilities:
    features.add("cuda-device")
if len(capabilities) > 1:
    features.add("cuda-devices")
features.update("sm%d" % version for version in (80, 90) if capability >= version)
sanitizer = shutil.which("compute-sanitizer", path=os.pathsep.join(
    [os.environ.get("PATH", ""), "/usr/local/cuda/bin"]))
if sanitizer:
    features.add("compute-sanitizer")
if os.path.exists(os.path.join(config.tile_lib_dir, "libTileCompiler.so.0")):
    features.update(["compiler", "cpu", "emulator"])
if "Address" in config.tile_sanitizers:
    features.add("asan")
if "Thread" in config.tile_sanitizers:
    features.add("tsan")
if config.tile_python:
    features.add("numpy")
if os.path.isdir(config.tile_bin_dir):
    features.update(name for name in os.listdir(config.tile_bin_dir)
                    if name.startswith("tile-"))

config.substitutions += [
    # The GPU's architecture; code for sm_90a runs on no other architecture.
    ("%cuda_arch", "sm_90a" if capability == 90 else "sm_%d" % capability),
    ("%compute_sanitizer", sanitizer or "compute-sanitizer"),
    # The toolkit that has ptxas.
    ("%cuda_home", os.path.dirname(os.path.dirname(ptxas or ""))),
    ("%python", config.tile_python or "python3"),
    ("%source_dir", config.tile_source_dir),
    ("%bin_dir", config.tile_bin_dir),
    ("%lib_dir", config.tile_lib_dir),
    ("%tile_version", config.tile_version),
    ("%llvm_version", config.llvm_version),
    # tile-run on the CPU path, from both levels.
    ("%levels", os.path.join(config.tile_source_dir,
                             "test/device/Inputs/levels.py")),
    ("%mlir_include_dir", config.mlir_include_dir),
    ("%cmake", config.tile_cmake),
    ("%ninja", config.tile_ninja),
    ("%build_dir", config.tile_build_dir),
]
if os.environ.get("TILE_VERIFY_ROUNDTRIP", "0") not in ("", "0"):
    config.substitutions.append((r"\btile-opt\b", "tile-opt --verify-roundtrip"))
