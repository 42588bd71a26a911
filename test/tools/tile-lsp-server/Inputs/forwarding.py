# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# forwarding.py: checks that this project's server answers each request that MLIR's
# server supports with the same answer.

import sys

from client import Editor

TEXT = """func.func @callee(%x: i32) -> i32 {
  %sum = arith.addi %x, %x : i32
  return %sum : i32
}
func.func @caller(%y: i32) -> i32 {
  %r = func.call @callee(%y) : (i32) -> i32
  return %r : i32
}
"""
WRONG = TEXT.replace("return %r : i32", "return %y, %r : i32, i32")
DOCUMENT = {"uri": "file:///a.mlir"}
POSITION = {"textDocument": DOCUMENT, "position": {"line": 5, "character": 20}}
RANGE = {"start": {"line": 0, "character": 0},
         "end": {"line": 9, "character": 0}}


def answers(*command):
    """Returns a server's answers to each request."""
    editor = Editor(command=command)
    yield "capabilities", editor.capabilities
    editor.write_text("a.mlir", TEXT)
    yield "diagnostics", editor.published("a.mlir")
    for method, params in [
            ("textDocument/hover", POSITION),
            ("textDocument/definition", POSITION),
            ("textDocument/references",
             {**POSITION, "context": {"includeDeclaration": True}}),
            ("textDocument/completion",
             {"textDocument": DOCUMENT,
              "position": {"line": 1, "character": 20}}),
            ("mlir/convertToBytecode", {"uri": "file:///a.mlir"}),
            ("textDocument/none", POSITION)]:
        try:
            yield method, editor.request(method, params)
        except RuntimeError as error:
            yield method, str(error)
    editor.write_text("a.mlir", WRONG)
    diagnostics = editor.published("a.mlir")
    yield "diagnostics of errors", diagnostics
    yield "textDocument/codeAction", editor.request("textDocument/codeAction", {
        "textDocument": DOCUMENT, "range": RANGE,
        "context": {"diagnostics": diagnostics}})
    yield "exit code", editor.exit()


ours = list(answers("tile-lsp-server", "--log=error", "--phases=false"))
theirs = list(answers("tile-lsp-server", "--as-server-of-mlir",
                      "--log=error"))
for (name, answer), (_, expected) in zip(ours, theirs):
    if answer != expected:
        print("%s: %s, expected %s" % (name, answer, expected))
    else:
        print("%s: the same%s" % (name, "" if answer else ", empty"))
sys.exit(ours != theirs)
