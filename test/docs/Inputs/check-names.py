# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-names.py ROOT BUILD_DIR NINJA LEAST PAGE...: the names in the pages' commands
# exist, in LEAST commands or more, in blocks of ```sh and in `code`:
#
#   - the targets of ninja, the scripts of python3 and of .ci, the tools;
#   - their options, and the values of a tool's options that its --help lists;
#   - files that cmake and cc are given, and options -DTILE_...;
#   - files and folders of the sources and of their tests that are the whole of a
#     `code`, or prefixes of their names.
#
# Only --help is run. A command that starts with "..." continues the one before it
# with other options; "..." at the end of a word matches anything.

import functools
import pathlib
import re
import shlex
import subprocess
import sys

root, build, ninja = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
least, pages = int(sys.argv[4]), sys.argv[5:]
problems = []
commands = 0


@functools.cache
def targets():
    listed = subprocess.run([ninja, "-C", str(build), "-t", "targets", "all"],
                            capture_output=True, text=True).stdout
    return set(re.findall(r"^([^:\n]+): ", listed, re.M))


@functools.cache
def help_of(tool):
    return subprocess.run([tool, "--help"], capture_output=True, text=True).stdout


@functools.cache
def source_of(script):
    """Returns the text of a script and of the modules that it imports from its folder
    or, for an example, from the folder above."""
    text = script.read_text()
    modules = re.findall(r"^(?:import|from) (\w+)", text, re.M)
    files = [folder / (module + ".py") for module in modules
             for folder in (script.parent, script.parent.parent)]
    return text + "".join(file.read_text() for file in files if file.exists())


def texts_of(page):
    """Yields the lines of blocks of ```sh, and the texts in `code`."""
    text = pathlib.Path(page).read_text()
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        yield from re.sub(r"(\\|\|)\n\s*", lambda end: end[1].strip("\\") + " ",
                          block).splitlines()
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.M | re.S)
    for code in re.findall(r"`([^`]+)`", text):
        yield " ".join(code.split())


def words_of(command):
    try:
        words = shlex.split(command, comments=True)
    except ValueError:  # part of a command
        words = command.split()
    while words and re.match(r"[A-Z_]+=", words[0]):
        words = words[1:]
    return words


def options_of(words):
    """Yields each option that has a whole name, and its value."""
    for word in words:
        name, _, value = word.partition("=")
        if re.match(r"--?[a-z]", name) and not name.endswith("..."):
            yield name, value


def expect(condition, page, text):
    if not condition:
        problems.append("%s: expected %s, found none" % (page, text))


def expect_file(page, name):
    """Expects a file or test whose name starts with `name`, where N is any text."""
    pattern = re.sub(r"\bN\b", "*", name) + "*"
    expect(any(root.glob(pattern)) or any(root.glob("test/" + pattern)), page, name)


def check_ninja(page, words):
    if "-C" in words:
        index = words.index("-C")
        words = words[:index] + words[index + 2:]
    for word in words:
        expect(word in targets(), page, "the target " + word)


def check_script(page, script, words):
    """Checks a script of .ci or one that python3 runs."""
    path = root / script
    expect(path.exists(), page, "the script " + script)
    if not path.exists():
        return
    text = source_of(path) if path.suffix == ".py" else path.read_text()
    for name, _ in options_of(words):
        expect(re.search(r"(?<![\w-])%s(?![\w-])" % name, text), page,
               "%s of %s" % (name, script))


def check_tool(page, tool, words):
    expect((build / "bin" / tool).exists(), page, "the tool " + tool)
    if not (build / "bin" / tool).exists():
        return
    for name, value in options_of(words):
        found = re.search(r"(?<![\w-])-?%s(?![\w-])(?: ([\w-]+(?:\|[\w-]+)+))?" % name,
                          help_of(tool))
        expect(found, page, "%s of %s" % (name, tool))
        if found and found[1] and re.fullmatch(r"[\w-]+", value):
            expect(value in found[1].split("|"), page,
                   "%s=%s of %s" % (name, value, tool))


def check_build(page, words):
    """Checks the files and options of a command of cmake or cc."""
    for before, word in zip([""] + words, words):
        if before == "-C" or word.endswith(".c"):
            expect((root / word).exists(), page, "the file " + word)
        option = re.match(r"-D(TILE_\w+)", word)
        if option:
            cache = (build / "CMakeCache.txt").read_text()
            expect(re.search("^%s:" % option[1], cache, re.M), page,
                   "the option " + option[1])


def check_command(page, words):
    """Checks a command; returns whether it is one that has a check."""
    head = words[0]
    if head == "ninja":
        check_ninja(page, words[1:])
    elif head.endswith("python3") and words[1:] and words[1].endswith(".py"):
        check_script(page, words[1], words[2:])
    elif re.fullmatch(r"\.ci/[a-z-]+", head):
        check_script(page, head, words[1:])
    elif re.fullmatch(r"tile-[a-z-]+", head) and words[1:]:
        check_tool(page, head, words[1:])
    elif head in ("cmake", "cc"):
        check_build(page, words[1:])
    else:
        return False
    return True


def check_page(page):
    global commands
    last = []
    for text in texts_of(page):
        if re.fullmatch(r"(test|docs|lib|include|tools|examples|benchmarks)/[\w./-]+",
                        text):
            expect_file(page, text)
            continue
        for part in re.split(r"&&|\|", text):
            words = words_of(part)
            if words[:1] == ["..."]:
                words = last[:2] + words[1:]
            if words and check_command(page, words):
                last = words
                commands += 1


for page in pages:
    check_page(page)
if commands < least:
    problems.append("expected %d commands or more, found %d" % (least, commands))
for problem in problems:
    print("error:", problem)
sys.exit(bool(problems))
