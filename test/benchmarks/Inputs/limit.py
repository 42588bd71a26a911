# limit.py SECONDS COMMAND...: runs a command that may take so many seconds of the
# processor, which other work on the machine does not lengthen.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import resource
import subprocess
import sys

seconds = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
sys.exit(subprocess.call(sys.argv[2:]) != 0)
