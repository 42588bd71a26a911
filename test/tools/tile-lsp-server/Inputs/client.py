# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An editor for tests: it starts a tile-lsp-server, writes messages, and waits
# for expected ones. A message that takes more than a minute is an error.

import collections
import json
import queue
import subprocess
import threading

SECONDS = 60
COMMAND = "tile-lsp-server", "--log=error"


class Editor:
    def __init__(self, *options, initialization=None,
                 command=COMMAND):
        self.server = subprocess.Popen([*command, *options],
                                       stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        self.waiting = collections.deque()
        self.versions = {}
        self.identifiers = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.capabilities = self.request("initialize", {
            "processId": None, "rootUri": None, "capabilities": {},
            "initializationOptions": initialization})["capabilities"]
        self.notify("initialized", {})

    def _read(self):
        out = self.server.stdout
        while True:
            size = 0
            while (line := out.readline()) not in (b"\r\n", b""):
                name, value = line.decode().split(":")
                if name == "Content-Length":
                    size = int(value)
            if line == b"":
                return self.messages.put(None)
            self.messages.put(json.loads(out.read(size)))

    def write(self, text):
        """Writes bytes without a header."""
        self.server.stdin.write(text)
        self.server.stdin.flush()

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params=None):
        """Sends a request and returns its result."""
        self.identifiers += 1
        identifier = "r%d" % self.identifiers
        self.send({"id": identifier, "method": method, "params": params})
        answer = self.wait(lambda message: message.get("id") == identifier)
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        return answer["result"]

    def wait(self, condition):
        """Returns the first message that fulfils `condition`; keeps the others."""
        for message in self.waiting:
            if condition(message):
                self.waiting.remove(message)
                return message
        while True:
            message = self.messages.get(timeout=SECONDS)
            if message is None:
                raise EOFError("the server has ended")
            if condition(message):
                return message
            self.waiting.append(message)

    # A document's URI is derived from its name, such as "a.mlir".

    def write_text(self, name, text):
        """Opens a document, or changes it."""
        uri = "file:///" + name
        version = self.versions[name] = self.versions.get(name, 0) + 1
        if version == 1:
            self.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": "mlir", "version": version,
                "text": text}})
        else:
            self.notify("textDocument/didChange", {
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"text": text}]})

    def close(self, name):
        self.notify("textDocument/didClose",
                    {"textDocument": {"uri": "file:///" + name}})

    def published(self, name):
        """Returns the next diagnostics of the newest version of a document."""
        def is_it(message):
            params = message.get("params") or {}
            return (message.get("method") == "textDocument/publishDiagnostics"
                    and params["uri"] == "file:///" + name
                    and params["version"] == self.versions[name])
        return self.wait(is_it)["params"]["diagnostics"]

    def hover(self, name, line, character):
        """Returns the hover's text and range; positions are counted from 0."""
        result = self.request("textDocument/hover", {
            "textDocument": {"uri": "file:///" + name},
            "position": {"line": line, "character": character}})
        if result is None:
            return None, None
        positions = [(result["range"][end]["line"],
                      result["range"][end]["character"])
                     for end in ("start", "end")]
        return result["contents"]["value"], tuple(positions)

    def exit(self):
        """Ends the server as the protocol requires; returns its exit code."""
        self.request("shutdown")
        self.notify("exit", None)
        return self.server.wait(SECONDS)


def show(diagnostics):
    """Returns a line for each diagnostic, counting lines from 1, and its notes."""
    severities = {1: "error", 2: "warning", 3: "information"}
    text = ""
    for each in diagnostics:
        start, end = each["range"]["start"], each["range"]["end"]
        text += "%d:%d-%d: %s of %s: %s\n" % (
            start["line"] + 1, start["character"] + 1, end["character"] + 1,
            severities[each["severity"]], each["source"], each["message"])
        for note in each.get("relatedInformation", []):
            text += "  %d: note: %s\n" % (
                note["location"]["range"]["start"]["line"] + 1,
                note["message"])
    return text or "nothing\n"
