# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# malformed.py: whatever an editor sends, the server continues, and its answers
# about a program do not change.

import json

from client import Editor, show

TEXT = """tile.kernel @k(%x: memref<?x?xf32>) {
  tile.return
}
"""
POSITION = {"textDocument": {"uri": "file:///a.mlir"},
            "position": {"line": 1, "character": 4}}

MESSAGES = [
    # The input is not JSON, is not a message, or has no headers.
    b"Content-Length: 5\r\n\r\n{\"a\":",
    b"Content-Length: 0\r\n\r\n",
    b"Content-Length: 99999999999999999999\r\n\r\n",
    b"Content-Length: -1\r\n\r\n",
    b"\r\n\r\n",
    b"Something: else\r\n\r\n",
    b"Content-Length: 2\r\n\r\n\xff\xfe",
]
VALUES = [
    7, [], "text", None, {}, [{"jsonrpc": "2.0", "id": 1, "method": "m"}],
    {"id": 1}, {"id": 1, "result": None}, {"id": {}, "method": "shut"},
    {"method": 7, "params": []}, {"method": "initialize", "params": 1},
    {"id": 10, "method": "textDocument/hover"},
    {"id": [2], "method": "textDocument/hover", "params": POSITION},
    {"method": "textDocument/hover", "params": POSITION},
]
for method in ("textDocument/didOpen", "textDocument/didChange",
               "textDocument/didClose", "textDocument/hover"):
    VALUES += [{"method": method, "params": params, "id": 5} for params in (
        None, 1, [], {}, {"textDocument": 1}, {"textDocument": {}},
        {"textDocument": {"uri": 1}}, {"textDocument": {"uri": "none:/a"}},
        {"textDocument": {"uri": "file:///b.mlir", "version": "x"}},
        {"textDocument": {"uri": "file:///b.mlir", "version": 1,
                          "text": 1, "languageId": "mlir"}},
        {"textDocument": {"uri": "file:///b.mlir", "version": 1},
         "contentChanges": []},
        {"textDocument": {"uri": "file:///b.mlir"},
         "position": {"line": 0, "character": 0}})]
# MLIR's server accepts only whole texts, one at a time, and so does ours.
VALUES += [{"method": "textDocument/didChange", "params": {
    "textDocument": {"uri": "file:///a.mlir", "version": 1},
    "contentChanges": [{"text": "a"}, {"text": "b"}]}}]

editor = Editor("--delay=0", "--log=error")
editor.write_text("a.mlir", TEXT)
print(show(editor.published("a.mlir")), end="")
before, _ = editor.hover("a.mlir", 1, 4)
for message in MESSAGES:
    editor.write(message)
for deep in b"[" * 10**6, b'{"a":' * 10**6:
    editor.write(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
for value in VALUES + [{"jsonrpc": "2.0", **value} for value in VALUES
                       if isinstance(value, dict)]:
    text = json.dumps(value).encode()
    editor.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
after, _ = editor.hover("a.mlir", 1, 4)
print("a hover:", "tile.return" in before and before == after)
# The text has brackets in a string.
editor.write_text("c.mlir", '// "\\"" \\' + "[{" * 2000 + "\n" + TEXT)
print("brackets:", show(editor.published("c.mlir")), end="")
# Positions outside of the document.
for line, character in ((1, 999), (999, 0), (-1, 0), (1, -1), (3, 0),
                        (2**31 - 1, 2**31 - 1), (-2**31, -2**31)):
    print("%d:%d:" % (line, character),
          (editor.hover("a.mlir", line, character)[0] or "nothing")[:13])
print("refused:", *sorted({message["error"]["code"]
                           for message in editor.waiting
                           if message.get("id", 0) is None}, reverse=True))
# Documents that are not open, or are closed while they are compiled.
print("not open:", editor.hover("b.mlir", 0, 0))
editor.write_text("a.mlir", TEXT * 2)
editor.close("a.mlir")
print("closed:", editor.hover("a.mlir", 1, 4))
print("exit code", editor.exit())
