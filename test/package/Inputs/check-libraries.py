# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check-libraries.py FOLDER...: checks that the sources there do not use
# process-wide state: environment, command line, signals, LLVM's handlers, exit.

import pathlib
import re
import sys

OF_THE_PROCESS = {
    r"\b(secure_)?getenv\b|\b(Get|Has)Env\b|\bsetenv\b|\bputenv\b|\benviron\b":
        "the environment",
    r"\bfindProgramByName\b|\bhome_directory\b": "PATH and HOME",
    r"\bcl::(opt|list|bits|alias|ParseCommandLineOptions"
    r"|getRegisteredOptions)\b": "the command line",
    r"\b(std::signal|sigaction|sigprocmask|AddSignalHandler|SetInterruptFunction"
    r"|PrintStackTraceOnErrorSignal|EnablePrettyStackTrace|InitLLVM)\b":
        "signals",
    r"\bCrashRecoveryContext::(Enable|Disable)\b": "signals",
    r"\b(install|remove)_(fatal_error|bad_alloc_error)_handler\b"
    r"|\bScopedFatalErrorHandler\b": "LLVM's handlers",
    r"\b(std::|::)exit\b|\bquick_exit\b|\bset_terminate\b|\batexit\b":
        "the end of the process",
}

# Exceptions and their reasons.
ALLOWED = {
    ("lib/Target/ReadBytecode.cpp", "signals"):
        "in a child process, which gives them back to the system",
    ("lib/CAPI/Compiler/FatalErrors.cpp", "LLVM's handlers"):
        "of the C library's own LLVM, which nobody else has",
    ("include/tile/Target/CodeGenPrepare.h", "the command line"):
        "for who has an LLVM alone: tools, and the C library",
}


def without_comments(text):
    """Returns the text without comments, with the same lines."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text,
                  flags=re.DOTALL)
    return re.sub(r"//.*", "", text)


def relative_path(path):
    """Returns the path from lib or include on."""
    parts = path.parts
    for root in ("lib", "include"):
        if root in parts:
            return "/".join(parts[parts.index(root):])
    return str(path)


problems = []
used = set()
count = 0
for folder in sys.argv[1:]:
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix not in (".cpp", ".h", ".c", ".td"):
            continue
        count += 1
        lines = without_comments(path.read_text()).splitlines()
        for row, line in enumerate(lines, start=1):
            for pattern, owner in OF_THE_PROCESS.items():
                found = re.search(pattern, line)
                key = (relative_path(path), owner)
                if found and key in ALLOWED:
                    used.add(key)
                elif found:
                    problems.append("%s:%d: expected %s left to the process, "
                                    "got '%s'" % (path, row, owner, found[0]))
if not count:
    problems.append("expected sources in %s" % " ".join(sys.argv[1:]))
for problem in problems:
    print("error:", problem)
print("%d sources, %d exceptions" % (count, len(used)))
sys.exit(bool(problems))
