# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-editors.py PAGE: the options of docs/Editors.md are those of
# tile-lsp-server, the settings that it shows are JSON and TOML, and no editor
# is given an initialization option that the table does not have.

import json
import pathlib
import re
import subprocess
import sys

page = pathlib.Path(sys.argv[1]).read_text()
problems = []

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
json.loads(blocks["json"])
try:
    import tomllib
except ImportError:  # Python before 3.11
    pass
else:
    tomllib.loads(blocks["toml"])
given = re.findall(r"(?:init_options = \{ |:initializationOptions \(:|"
                   r"config = \{ )(\w+)", page)
if len(given) != 3 or not set(given) <= {name for _, name in table}:
    problems.append("expected three of the table's options, found %s" % given)

for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
