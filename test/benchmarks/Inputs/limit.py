# limit.py SECONDS COMMAND...: runs a command with a limit on its processor
# time, which does not depend on other work of the machine.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import resource
import subprocess
import sys

seconds = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
sys.exit(subprocess.call(sys.argv[2:]) != 0)
