# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exit.py: prints the server's exit code for each way in which the server ends.

import json
import os
import pathlib
import signal
import subprocess
import time

from client import COMMAND, SECONDS, Editor


def children(process):
    path = "/proc/%d/task/%d/children" % (process.pid, process.pid)
    return [int(child) for child in pathlib.Path(path).read_text().split()]


def is_running(process):
    """Returns whether a process runs; one that ended but was not waited for does not."""
    try:
        status = pathlib.Path("/proc/%d/stat" % process).read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(") ")[2][0] != "Z"


print("told to:", Editor().exit())

editor = Editor()
editor.notify("exit", None)
print("without shutdown:", editor.server.wait(SECONDS))

editor = Editor()
editor.server.stdin.close()
print("end of the input:", editor.server.wait(SECONDS))

editor = Editor()
editor.request("shutdown")
editor.server.stdin.close()
print("end after shutdown:", editor.server.wait(SECONDS))

# No one reads the server's output, so every answer fails.
reader, writer = os.pipe()
server = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writer)
os.close(reader)
os.close(writer)
for message in ({"id": 1, "method": "initialize", "params": {}},
                {"id": 2, "method": "shutdown"}, {"method": "exit"}):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
server.stdin.flush()
print("nobody reads:", server.wait(SECONDS))

# MLIR's server is killed while the input is still open.
editor = Editor()
(child,) = children(editor.server)
os.kill(child, signal.SIGKILL)
print("MLIR's server ends:", editor.server.wait(SECONDS))

# MLIR's server ends when this project's server is killed.
editor = Editor()
(child,) = children(editor.server)
editor.server.kill()
editor.server.wait(SECONDS)
until = time.monotonic() + SECONDS
while is_running(child) and time.monotonic() < until:
    time.sleep(0.01)
print("ours ends:", "MLIR's goes on" if is_running(child) else "MLIR's too")
