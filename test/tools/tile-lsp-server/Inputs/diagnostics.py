# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# diagnostics.py SCENARIO [SOURCE_DIR]: prints the server's diagnostics of documents that are opened,
# changed and closed.

import pathlib
import sys
import time

from client import Editor, show


def kernel(name, tiling="<warps = [2, 2]>"):
    """Returns a matmul of 64x64x16, in ten lines; the matmul is in the sixth."""
    return """tile.kernel @%s(%%x: memref<?x?xf16>, %%y: memref<?x?xf32>) {
  %%c0 = arith.constant 0 : index
  %%a = tile.load %%x[%%c0, %%c0] : memref<?x?xf16> -> !tile.tile<64x16xf16>
  %%b = tile.load %%x[%%c0, %%c0] : memref<?x?xf16> -> !tile.tile<16x64xf16>
  %%c = tile.load %%y[%%c0, %%c0] : memref<?x?xf32> -> !tile.tile<64x64xf32>
  %%d = tile.matmul %%a, %%b, %%c tiling %s : !tile.tile<64x16xf16>, !tile.tile<16x64xf16> -> !tile.tile<64x64xf32>
  tile.store %%d, %%y[%%c0, %%c0] : !tile.tile<64x64xf32>, memref<?x?xf32>
  tile.return
}
""" % (name, tiling)


RIGHT = kernel("right")
# The diagnostic has a note, which states what would be accepted.
REFUSED = kernel("refused", "<warps = [2, 2], sub = [3, 4]>")
MANY_WARPS = kernel("many_warps", "<warps = [8, 8]>")
WARPGROUP = kernel("warpgroup", '<warps = [4, 1], atom = "m64nNk16">')
UNFINISHED = RIGHT.replace(" -> !tile.tile<64x64xf32>", " ->")

# A pass remarks that the copy of its first load cannot be started ahead.
PADDED = """tile.kernel @padded(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %d: memref<?x?xf32>, %n: index, %p: f16) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant dense<0.0> : !tile.tile<16x8xf32>
  %r = scf.for %k = %c0 to %n step %c16 iter_args(%acc = %z) -> !tile.tile<16x8xf32> {
    %x = tile.load %a[%c0, %k] pad %p : memref<?x?xf16> -> !tile.tile<16x16xf16>
    %y = tile.load %b[%k, %c0] : memref<?x?xf16> -> !tile.tile<16x8xf16>
    %s = tile.matmul %x, %y, %acc : !tile.tile<16x16xf16>, !tile.tile<16x8xf16> -> !tile.tile<16x8xf32>
    scf.yield %s : !tile.tile<16x8xf32>
  }
  tile.store %r, %d[%c0, %c0] : !tile.tile<16x8xf32>, memref<?x?xf32>
  tile.return
}
"""
KERNEL_AND_FUNCTIONS = """tile.kernel @k(%a: memref<64xf32>) {
  %zero = arith.constant dense<0.0> : !tile.tile<64xf32>
  %c0 = arith.constant 0 : index
  tile.store %zero, %a[%c0] : !tile.tile<64xf32>, memref<64xf32>
  tile.return
}
func.func @loop(%a: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    tile.launch @k grid(%n) (%a) : memref<64xf32>
  }
  return
}
func.func private @not_called() {
  return
}
"""


def said(editor, name):
    """Prints the diagnostics of the newest text: MLIR's first, then all."""
    first = editor.published(name)
    if any(each["severity"] == 1 and each["source"] == "mlir"
           for each in first):
        return show(first)
    return show(editor.published(name))


def say(title, text):
    print("== %s\n%s" % (title, text), end="")


def opened(title, text, *options, initialization=None):
    """Prints the diagnostics of a single document."""
    editor = Editor("--delay=0", *options, initialization=initialization)
    editor.write_text("a.mlir", text)
    say(title, said(editor, "a.mlir"))
    if editor.exit() != 0:
        print("expected exit code 0")
    return editor


def documents():
    editor = Editor("--delay=0")
    editor.write_text("a.mlir", REFUSED)
    say("refused", said(editor, "a.mlir"))
    editor.write_text("b.mlir", "// A line more.\n" + MANY_WARPS)
    say("another document", said(editor, "b.mlir"))
    # No other message comes between the diagnostics of two invalid versions.
    editor.write_text("a.mlir", "\n\n" + REFUSED)
    say("moved", show(editor.published("a.mlir")))
    editor.write_text("a.mlir", UNFINISHED)
    say("unfinished", said(editor, "a.mlir"))
    editor.write_text("a.mlir", REFUSED)
    say("refused again", said(editor, "a.mlir"))
    editor.write_text("a.mlir", RIGHT)
    say("right", show(editor.published("a.mlir")))
    editor.write_text("b.mlir", MANY_WARPS + "// Still.\n")
    say("another document, later", show(editor.published("b.mlir")))
    editor.close("b.mlir")
    say("closed", show(editor.published("b.mlir")))
    print("exit code", editor.exit())


def programs():
    opened("two kernels", REFUSED + MANY_WARPS + RIGHT)
    opened("two programs", RIGHT + "// -----\n" + REFUSED + "// -----\n" +
           MANY_WARPS)
    located = REFUSED.replace("\n", ' loc("front-end.py":1:1)\n')
    located = located.replace('{ loc("front-end.py":1:1)', "{")
    opened("locations elsewhere", located)
    opened("a function of another kernel", RIGHT +
           MANY_WARPS.replace("  tile.return", "  func.call @f() : () -> ()\n"
                              "  tile.return") +
           "func.func private @f() {\n  return\n}\n")
    opened("functions of the host", KERNEL_AND_FUNCTIONS)
    opened("in a module", "module {\n" + REFUSED + "}\n")
    opened("in a nested module", "module {\nmodule {\n" + RIGHT + "}\n}\n")
    opened("no kernel", "func.func @f() {\n  return\n}\n")
    opened("nothing", "")


def settings():
    # Tests where the architecture is specified.
    opened("sm_80 by default", WARPGROUP)
    opened("an option", WARPGROUP, "--arch=sm_90a")
    opened("of the editor", WARPGROUP, initialization={"arch": "sm_90a"})
    opened("the editor's wins", WARPGROUP, "--arch=sm_90a",
           initialization={"arch": "sm_80"})
    module = 'module attributes {tile.target = "sm_80"} {\n' + WARPGROUP + "}\n"
    opened("the module's wins", module, "--arch=sm_90a")
    opened("remarks", PADDED)
    opened("remarks of some", PADDED, "--remarks=.*stages")
    opened("remarks of others", PADDED,
           initialization={"remarks": "tile-warp-tiling"})
    for wrong in ({"arch": "sm_42"}, {"delay": -1}, {"remarks": "("},
                  {"phases": 1}, 7):
        editor = opened("wrong", WARPGROUP, "--arch=sm_90a",
                        initialization=wrong)
        message = editor.wait(
            lambda message: message.get("method") == "window/showMessage")
        print(message["params"]["type"], message["params"]["message"])
    for option, initialization in (("--phases=false", None),
                                   ("--phases", {"phases": False})):
        editor = Editor(option, "--delay=0", initialization=initialization)
        editor.write_text("a.mlir", REFUSED)
        say("without phases", show(editor.published("a.mlir")))
        editor.exit()
        rest = list(iter(editor.messages.get, None))
        print("and no more:", rest == [])


def changes():
    """Sends many versions, slowly and at once: the last diagnostics are the last version's."""
    editor = Editor("--delay=1")
    for index in range(60):
        text = REFUSED if index % 3 else RIGHT
        editor.write_text("a.mlir", "\n" * index + text)
        if index % 20 == 0:
            editor.published("a.mlir")
    last = []
    while not any(each["source"] == "tile" for each in last):
        last = editor.published("a.mlir")
    say("the last", show(last))
    editor.exit()
    while (message := editor.messages.get()) is not None:
        editor.waiting.append(message)
    versions = [message["params"]["version"] for message in editor.waiting
                if message.get("method") == "textDocument/publishDiagnostics"]
    print("in order:", versions == sorted(versions), len(versions) >= 20)
    # With a delay the phases run once.
    editor = Editor("--delay=2000")
    for index in range(10):
        editor.write_text("a.mlir", "\n" * index + REFUSED)
    last = []
    while not last:
        last = editor.published("a.mlir")
    editor.exit()
    print("runs:", 1 + sum("[3, 4]" in str(message)
                           for message in editor.waiting))


def stale():
    """Changes a document, or closes and opens it again, which starts with version
    1 as before, while the phases run: their results are then discarded."""
    example = pathlib.Path(sys.argv[2]) / "examples/36_four_step_fft"
    slow = "// -----\n".join(
        [(example / "four_step_fft.mlir").read_text()] * 5 + [MANY_WARPS])
    editor = Editor("--delay=0")
    for name, again in ("a.mlir", False), ("b.mlir", True):
        editor.write_text(name, slow)
        editor.published(name)
        time.sleep(0.05)
        if again:
            editor.close(name)
            editor.published(name)
            editor.versions.clear()
        editor.write_text(name, REFUSED)
        text = ""
        while "sub = [3, 4]" not in text:
            text = show(editor.published(name))
            print("stale:", "at most 32 warps" in text)
    editor.exit()
    editor.waiting += iter(editor.messages.get, None)
    print("no more:", not editor.waiting)


{"documents": documents, "programs": programs, "settings": settings,
 "changes": changes, "stale": stale}[sys.argv[1]]()
