# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-commands.py PAGE FOLDER [FIRST]: each command of the page's blocks of ```sh,
# from the one that begins with the word FIRST on, run in the folder in their order,
# exits with 0. One that says "# needs a GPU" is left out.

import re
import shlex
import subprocess
import sys

page, folder, *first = sys.argv[1:]
with open(page) as file:
    blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S)
# A command goes on in the next line behind a backslash or a pipe.
commands = [command for block in blocks for command in
            re.sub(r"(\\|\|)\n\s*", lambda end: end[1].strip("\\") + " ",
                   block).splitlines() if command]
if first:
    places = [i for i, command in enumerate(commands)
              if command.split()[0] == first[0]]
    commands = commands[places[0]:] if places else []
if not commands:
    sys.exit("error: %s: expected commands, found none" % page)
commands = [command for command in commands if "# needs a GPU" not in command]
for command in commands:
    # The python that has NumPy.
    line = re.sub(r"^python3\b", shlex.quote(sys.executable), command)
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], cwd=folder,
                          text=True, stdin=subprocess.DEVNULL,
                          capture_output=True)
    if done.returncode != 0:
        sys.exit("error: %s: %s\n  expected exit code 0, found %d\n%s"
                 % (page, command, done.returncode, done.stderr))
print("%d commands exit with 0" % len(commands))
