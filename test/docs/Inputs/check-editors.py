# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-editors.py PAGE: the options of docs/Editors.md are those of
# tile-lsp-server, the settings that it shows are JSON and TOML, its script starts
# the server, brackets of Lua and Lisp close in order, and no editor is given an
# initialization option that the table does not have.

import json
import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
problems = []


def is_closed(text, quotes):
    """Returns whether each bracket outside of strings is closed by one of its kind."""
    for quote in quotes:
        text = re.sub("%s[^%s\n]*%s" % (quote, quote, quote), "", text)
    text = re.sub(r"[^][(){}]", "", text)
    while True:
        shorter = re.sub(r"\(\)|\[\]|\{\}", "", text)
        if shorter == text:
            return not text
        text = shorter


help_text = subprocess.run(["tile-lsp-server", "--help"], capture_output=True,
                           text=True).stdout
table = re.findall(r"^\| `--(\w+)=\w+` \| `(\w+)`", page, re.M)
for option, initialization in table:
    if not re.search(r"^ *--%s\b" % option, help_text, re.M):
        problems.append("expected --%s in --help, found none" % option)
    if option != initialization:
        problems.append("expected the names to be the same, found %s and %s"
                        % (option, initialization))
if len(table) < 3:
    problems.append("expected three options, found %s" % table)

blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```", page, re.M | re.S))
if sorted(blocks) != ["elisp", "json", "lua", "sh", "toml"]:
    problems.append("expected a block for each editor, found %s"
                    % sorted(blocks))
try:
    json.loads(blocks["json"])
except ValueError as error:
    problems.append("expected JSON: %s" % error)
try:
    import tomllib
except ImportError:  # Python before 3.11
    pass
else:
    try:
        tomllib.loads(blocks["toml"])
    except ValueError as error:
        problems.append("expected TOML: %s" % error)
for kind, quotes in ("lua", "'\""), ("elisp", "\""):
    if not is_closed(blocks[kind], quotes):
        problems.append("expected brackets of %s that close" % kind)
script = blocks["sh"].replace("/path/to/", "")
started = subprocess.run(["sh", "-s", "--", "--version"], input=script,
                         capture_output=True, text=True)
if started.returncode != 0 or "LLVM" not in started.stdout:
    problems.append("expected a script that starts the server, found exit code"
                    " %d\n%s" % (started.returncode, started.stderr))
for option in re.findall(r" --(\w+)=", script):
    if option not in dict(table):
        problems.append("expected an option of the table, found --" + option)
given = re.findall(r"(?:init_options = \{ |:initializationOptions \(:|"
                   r"config = \{ )(\w+)", page)
if len(given) != 3 or not set(given) <= {name for _, name in table}:
    problems.append("expected three of the table's options, found %s" % given)

for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
