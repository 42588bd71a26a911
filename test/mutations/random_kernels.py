# random_kernels.py - compares the proof of synchronization with executions of kernels
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   python3 test/mutations/random_kernels.py TILE_OPT [SEED [COUNT]]
#
# Writes kernels of random accesses, copies, commits, waits, barriers, branches and
# loops over circular buffers. Each is executed here many times, sequentially, with
# random branches, trip counts and run-time stages, and races are found by the
# definitions of the memory model (docs/Synchronization.md). A barrier or a wait is
# inserted at each race until no execution has any; then one barrier, wait or commit
# is removed from half of the kernels.
#
# A kernel with a race that the proof accepts is an error. So is a proof that refuses
# too much: at most a twentieth of the kernels without a race in any execution may be
# refused, since executions are samples.

import random
import re
import subprocess
import sys

EXECUTIONS = 100
MAX_TRIPS = 5
STAGE_BYTES = 128
# Name, offset, stages: %c shares bytes with the second stage of %r.
BUFFERS = [("a", 0, 1), ("r", 128, 3), ("c", 256, 1), ("q", 512, 2)]
HEAD = """#row = #tile.shared<(32):(1)>
!stage = memref<32xf32, strided<[1], offset: ?>, #row>
!t = !tile.tile<32xf32, #tile.register<(32,1,1):(1,0,0), box = [32]>>
tile.kernel @k(%x: memref<?xf32>, %n: index, %s: index, %if: i1, %v: f32) attributes {block = 32 : i64, tile.shared_bytes = 768 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
%COUNTERS  %t = tile.fill %v : !t
"""


def get_type(stages):
    """Returns the type of a buffer; one without stages has no dimension for them."""
    return "memref<%s32xf32, #row>" % ("%dx" % stages if stages > 1 else "")


def write_counters():
    """Returns the constant counters, and one for each number of stages that is known only
    at run time."""
    text = ""
    for stages in (2, 3):
        for value in range(stages):
            text += "  %%n%dof%d = tile_gpu.counter %d : !tile_gpu.counter<%d>\n" % (
                value, stages, value, stages)
        text += ("  %%sof%d = scf.index_switch %%s -> !tile_gpu.counter<%d>\n"
                 "  case 0 {\n    scf.yield %%n0of%d : !tile_gpu.counter<%d>\n  }\n"
                 "  default {\n    scf.yield %%n1of%d : !tile_gpu.counter<%d>\n  }\n" % (
                     (stages,) * 6))
    return text


class Writer:
    """A random kernel, as statements and as text."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0
        self.lines = []
        body = self.body = self.block(depth=0, counters=[])
        while race := find_race(body, self.random):
            race.repair()
        if self.random.random() < 0.5:
            self.delete()
        self.text = HEAD.replace("%COUNTERS", write_counters())
        for name, offset, stages in BUFFERS:
            self.text += ("  %%%s = memref.alloc() {tile.shared_offset = %d : i64}"
                          " : %s\n" % (name, offset, get_type(stages)))
        self.write(body, "  ")
        self.text += "".join(self.lines) + "  tile.return\n}\n"

    def block(self, depth, counters):
        return [self.statement(depth, counters)
                for _ in range(self.random.randint(2, 7 - depth))]

    def delete(self):
        """Removes one barrier, wait or commit."""
        found = []

        def collect(block):
            for index, statement in enumerate(block):
                if statement[0] in ("barrier", "wait", "commit"):
                    found.append((block, index))
                elif statement[0] == "for":
                    collect(statement[1])
                elif statement[0] == "if":
                    collect(statement[1])
                    collect(statement[2])

        collect(self.body)
        if found:
            block, index = self.random.choice(found)
            del block[index]

    def statement(self, depth, counters):
        kind = self.random.random()
        if kind < 0.12:
            return ("barrier",)
        if kind < 0.55 or depth == 3:
            return self.access(counters)
        if kind < 0.70:
            return ("commit",)
        if kind < 0.80:
            return ("wait", self.random.choice([0, 1, 1, 2]))
        if kind < 0.88:
            return ("if", self.block(depth + 1, counters),
                    self.block(depth + 1, counters))
        self.names += 1
        own = [("i%d_%d" % (self.names, n), self.random.randrange(stages), stages)
               for n, stages in enumerate((2, 3))]
        return ("for", self.block(depth + 1, counters + own), own)

    def access(self, counters):
        name, offset, stages = self.random.choice(BUFFERS)
        fitting = [c for c, _, count in counters if count == stages]
        stage = "0"
        if stages > 1:
            stage = self.random.choice(
                [str(self.random.randrange(stages))] + fitting * 3 + ["s"] * (
                    self.random.random() < 0.1))
        kind = self.random.choice(["store", "load", "load", "copy"])
        return (kind, name, offset, stages, stage)

    def write(self, body, indent):
        emit = lambda line: self.lines.append(indent + line + "\n")
        for statement in body:
            kind = statement[0]
            if kind == "barrier":
                emit("gpu.barrier")
            elif kind == "commit":
                emit("nvvm.cp.async.commit.group")
            elif kind == "wait":
                emit("nvvm.cp.async.wait.group %d" % statement[1])
            elif kind == "if":
                emit("scf.if %if {")
                self.write(statement[1], indent + "  ")
                emit("} else {")
                self.write(statement[2], indent + "  ")
                emit("}")
            elif kind == "for":
                self.write_loop(statement, indent)
            else:
                self.write_access(statement, indent)

    def write_loop(self, loop, indent):
        emit = lambda line: self.lines.append(indent + line + "\n")
        _, body, counters = loop
        self.names += 1
        emit("%%l%d:%d = scf.for %%u%d = %%c0 to %%n step %%c1 iter_args(%s) -> (%s) {"
             % (self.names, len(counters), self.names,
                ", ".join("%%%s = %%n%dof%d" % counter for counter in counters),
                ", ".join("!tile_gpu.counter<%d>" % s for _, _, s in counters)))
        self.write(body, indent + "  ")
        for name, _, stages in counters:
            emit("  %%%s_n = tile_gpu.next %%%s : !tile_gpu.counter<%d>" % (
                name, name, stages))
        emit("  scf.yield %s : %s" % (
            ", ".join("%%%s_n" % c for c, _, _ in counters),
            ", ".join("!tile_gpu.counter<%d>" % s for _, _, s in counters)))
        emit("}")

    def write_access(self, access, indent):
        kind, name, _, stages, stage = access
        self.names += 1
        view, type = "%%w%d" % self.names, "!stage"
        if stages == 1:
            view, type = "%" + name, get_type(1)
        else:
            at = "%%n%sof%d" % (stage, stages) if stage.isdigit() else "%" + stage
            if stage == "s":
                at += "of%d" % stages
            self.lines.append("%s%s = tile_gpu.stage %%%s[%s] : %s\n" % (
                indent, view, name, at, get_type(stages)))
        line = {"store": "tile_gpu.store_shared %%t, %s : !t, %s" % (view, type),
                "load": "%%t%d = tile_gpu.load_shared %s : %s -> !t" % (
                    self.names, view, type),
                "copy": "tile_gpu.copy_async %%x[%%c0] to %s : memref<?xf32> to %s" % (
                    view, type)}[kind]
        self.lines.append(indent + line + "\n")


class Race(Exception):
    """Unordered accesses, or a copy in flight at the end, at `index` of `block`."""

    def __init__(self, block, index, is_flying):
        self.block, self.index, self.is_flying = block, index, is_flying

    def repair(self):
        is_end = self.index == len(self.block)
        self.block[self.index:self.index] = (
            [("commit",), ("wait", 0)] * self.is_flying
            + [("barrier",)] * (not is_end))


class Execution:
    """One execution of a kernel; raises a Race."""

    def __init__(self, body, choose):
        self.choose = choose
        self.stage = choose.randrange(2)
        self.seen = []    # (byte, writes): since the last barrier
        self.flying = []  # (byte, group): None before its commit
        self.groups = 0
        self.run(body, {})
        if self.flying:
            raise Race(body, len(body), True)

    def run(self, body, counters):
        for index, statement in enumerate(body):
            kind = statement[0]
            if kind == "barrier":
                self.seen = []
            elif kind == "commit":
                self.flying = [(b, self.groups if g is None else g)
                               for b, g in self.flying]
                self.groups += 1
            elif kind == "wait":
                self.wait(self.groups - statement[1])
            elif kind == "if":
                self.run(statement[self.choose.choice([1, 2])], counters)
            elif kind == "for":
                own = dict(counters)
                own.update((name, first) for name, first, _ in statement[2])
                for _ in range(self.choose.randint(0, MAX_TRIPS)):
                    self.run(statement[1], own)
                    for name, _, stages in statement[2]:
                        own[name] = (own[name] + 1) % stages
            else:
                self.access(body, index, counters)

    def wait(self, end):
        """Completes the groups before `end`."""
        flying = self.flying
        self.flying = [(b, g) for b, g in flying if g is None or g >= end]
        self.seen += [(b, True) for b, g in flying if g is not None and g < end]

    def access(self, body, index, counters):
        kind, _, offset, _, stage = body[index]
        at = (int(stage) if stage.isdigit() else
              self.stage if stage == "s" else counters[stage])
        begin = offset + at * STAGE_BYTES
        writes = kind != "load"
        for other, _ in self.flying:
            if abs(other - begin) < STAGE_BYTES:
                raise Race(body, index, True)
        for other, other_writes in self.seen:
            if abs(other - begin) < STAGE_BYTES and (writes or other_writes):
                raise Race(body, index, False)
        if kind == "copy":
            self.flying.append((begin, None))
        else:
            self.seen.append((begin, writes))


def find_race(body, choose):
    """Returns a race of some execution, or None."""
    try:
        for _ in range(EXECUTIONS):
            Execution(body, choose)
    except Race as race:
        return race
    return None


def refused(opt, kernels):
    """Returns for each kernel whether the proof refuses it."""
    source, starts = "", []
    for kernel in kernels:
        starts.append(source.count("\n") + 1)
        source += kernel.text + "// -----\n"
    done = subprocess.run(
        [opt, "-", "-split-input-file", "-tile-verify-synchronization",
         "-mlir-disable-threading", "-o", "/dev/null"],
        input=source, capture_output=True, text=True)
    lines = set()
    for found in re.finditer(r"^[^\n]*?:(\d+):\d+: error: (.*)$", done.stderr, re.M):
        if not re.match("expected (a barrier|the copy|every copy)", found[2]):
            sys.exit(found[0])
        lines.add(int(found[1]))
    result = []
    for start, end in zip(starts, starts[1:] + [source.count("\n") + 2]):
        result.append(any(start <= line < end for line in lines))
    return result


def main():
    opt = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 400
    kernels = [Writer(seed * 1000003 + n) for n in range(count)]
    missed, cautious, right = [], [], 0
    for index, (kernel, is_refused) in enumerate(
            zip(kernels, refused(opt, kernels))):
        races = find_race(kernel.body, random.Random(index)) is not None
        right += not races
        if races and not is_refused:
            missed.append(kernel)
        if is_refused and not races:
            cautious.append(kernel)
    for kernel in missed:
        print("accepted with a race:\n" + kernel.text)
    print("%d kernels, %d without a race; %d of these refused, %d others "
          "accepted" % (count, right, len(cautious), len(missed)))
    if "--show" in sys.argv:
        for kernel in cautious:
            print(kernel.text)
    return bool(missed) or right == 0 or len(cautious) * 20 > right


if __name__ == "__main__":
    sys.exit(main())
