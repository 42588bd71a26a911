# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-commands.py PAGE FOLDER [--from WORD] [--until WORD]: each command of the
# page's blocks of ```sh, run in the folder in order, exits with 0, or with N if it
# has "# exits with N". --from skips the commands before the first one whose first
# word is WORD; --until stops before the first such command. Commands with
# "# needs a GPU" are skipped.

import argparse
import re
import shlex
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("page")
parser.add_argument("folder")
parser.add_argument("--from", dest="first")
parser.add_argument("--until")
options = parser.parse_args()


def commands_of(text):
    """Returns the commands; one continues after a backslash or pipe at a line end."""
    joined = re.sub(r"(\\|\|)\n\s*", lambda end: end[1].strip("\\") + " ", text)
    return [line for line in joined.splitlines() if line]


def index_of(word, commands):
    for index, command in enumerate(commands):
        if command.split()[0] == word:
            return index
    sys.exit("error: %s: expected a command %s, found none" % (options.page, word))


def run(command):
    # The python that has NumPy.
    line = re.sub(r"^python3\b", shlex.quote(sys.executable), command)
    expected = re.search(r"# exits with (\d)", command)
    expected = int(expected[1]) if expected else 0
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line],
                          cwd=options.folder, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != expected:
        sys.exit("error: %s: %s\n  expected exit code %d, found %d\n%s"
                 % (options.page, command, expected, done.returncode,
                    done.stderr))


with open(options.page) as file:
    blocks = re.findall(r"^```sh\n(.*?)^```", file.read(), re.M | re.S)
commands = [command for block in blocks for command in commands_of(block)]
if options.first:
    commands = commands[index_of(options.first, commands):]
if options.until:
    commands = commands[:index_of(options.until, commands)]
commands = [command for command in commands if "# needs a GPU" not in command]
if not commands:
    sys.exit("error: %s: expected commands, found none" % options.page)
for command in commands:
    run(command)
print("%d commands exit as they say" % len(commands))
