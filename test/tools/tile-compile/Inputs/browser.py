# browser.py - checks a page in a browser
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   browser.py CHROMIUM PAGE.html WIDTH [SCREENSHOT.png]
#
# Loads the page from its file in a window of that width, without a network, and
# opens all collapsed parts. Expects
#
#   - no error or warning in the console, and no request except for the page;
#   - visible content under each heading;
#   - nothing wider than the window, except scrollable elements, and no text
#     of a picture outside of it.
#
# The last line of the output has the number of headings.

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
           "--disable-dev-shm-usage", "--hide-scrollbars",
           "--disable-background-networking", "--disable-component-update",
           "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe"]

# Returns a line per problem.
CHECK = r"""
(() => {
  const problems = [];
  for (const details of document.querySelectorAll("details"))
    details.open = true;

  const isSeen = element => {
    const box = element.getBoundingClientRect();
    return box.width > 0 && box.height > 0 &&
           getComputedStyle(element).visibility === "visible" &&
           (element.textContent.trim() !== "" ||
            element.querySelector("svg, rect") !== null);
  };
  const level = element => ({H1: 1, H2: 2, H3: 3, SUMMARY: 3})[element.tagName];
  const headings = [...document.querySelectorAll("h1, h2, h3, summary")];
  const isUnder = (element, heading, next) =>
      heading.compareDocumentPosition(element) & 4 && !heading.contains(element) &&
      (!next || (next.compareDocumentPosition(element) & 2 &&
                 !element.contains(next)));
  headings.forEach((heading, i) => {
    const name = "'" + heading.textContent.trim() + "'";
    if (!isSeen(heading))
      problems.push("expected to see the heading " + name);
    const next = headings.slice(i + 1).find(other =>
        level(other) <= level(heading));
    const content = [...document.body.querySelectorAll("*")].filter(element =>
        element.children.length === 0 && isUnder(element, heading, next));
    if (!content.some(isSeen))
      problems.push("expected something under " + name + ", found nothing");
  });

  const root = document.documentElement, width = root.clientWidth;
  if (root.scrollWidth > width)
    problems.push("expected a page of " + width + " pixels, found " +
                  root.scrollWidth);
  const scrolls = element => {
    for (; element; element = element.parentElement)
      if (getComputedStyle(element).overflowX === "auto")
        return true;
    return false;
  };
  const describe = element => "<" + element.tagName.toLowerCase() + "> '" +
      element.textContent.trim().slice(0, 40) + "'";
  for (const element of document.body.querySelectorAll("*")) {
    const box = element.getBoundingClientRect();
    if (box.right > width + 1 && !scrolls(element)) {
      problems.push("expected it inside of the window: " + describe(element));
      break;
    }
  }
  for (const text of document.querySelectorAll("svg text")) {
    const box = text.getBoundingClientRect(),
          frame = text.ownerSVGElement.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
        box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
      problems.push("expected it inside of the picture: " + describe(text));
      break;
    }
  }
  return [headings.length, problems];
})()
"""


class Browser:
    """Chromium, by the DevTools protocol over a pair of pipes."""

    def __init__(self, program, profile):
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()

        def place_pipes():
            # The new ends of the pipes must not overwrite each other.
            kept = os.dup(answers)
            os.dup2(commands, 3)
            os.dup2(kept, 4)

        self.process = subprocess.Popen(
            [program, *OPTIONS, "--user-data-dir=" + profile, "about:blank"],
            preexec_fn=place_pipes, pass_fds=(3, 4), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.rest, self.last_id, self.events = b"", 0, []
        self.session = None

    def read(self):
        """Returns the next message."""
        while b"\0" not in self.rest:
            part = os.read(self.from_browser, 1 << 16)
            if not part:
                sys.exit("error: expected an answer of the browser, found its end")
            self.rest += part
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """Returns the result of a method; keeps the events before it."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    sys.exit("error: %s: %s" % (method, answer["error"]))
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read())

    def open(self, width):
        """Opens an empty window."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Runtime", "Log", "Network", "Page":
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=False)

    def load(self, url):
        self.call("Page.navigate", url=url)
        self.wait_for("Page.loadEventFired")

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script,
                           returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit("error: %s" % result["exceptionDetails"])
        return result["result"]["value"]

    def save_screenshot(self, path):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(60)


def list_complaints(events, url):
    """Yields the browser's messages about the page, and its requests."""
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            yield "exception: " + parameters["exceptionDetails"]["text"]
        elif (method == "Runtime.consoleAPICalled" and
              parameters["type"] in ("error", "warning", "assert")):
            yield "console: %s" % parameters["args"]
        elif (method == "Log.entryAdded" and
              parameters["entry"]["level"] in ("error", "warning")):
            yield "console: " + parameters["entry"]["text"]
        elif (method == "Network.requestWillBeSent" and
              parameters["request"]["url"] != url):
            yield ("expected nothing from elsewhere, found a request of "
                   + parameters["request"]["url"])


def main(program, page, width, screenshot=None):
    url = pathlib.Path(page).resolve().as_uri()
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        browser.open(int(width))
        browser.load(url)
        headings, problems = browser.evaluate(CHECK)
        if screenshot:
            browser.save_screenshot(screenshot)
        problems = [*list_complaints(browser.events, url), *problems]
        browser.close()
    for problem in problems:
        print("error:", problem)
    print("%d headings" % headings)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
