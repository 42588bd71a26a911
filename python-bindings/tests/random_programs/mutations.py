# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wrong programs. Each is a right program with a change of an expression, of a
statement, of the kernel's definition, or of the call."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .program import Arm, Body, Compound, Line, Program, Statement

# ----------------------------------------------------------------------------
# Expressions
# ----------------------------------------------------------------------------

# Replacements of a value.
_OBJECTS = ("None", "'text'", "b'bytes'", "[]", "{}", "()", "[1, 2]", "{1: 2}", "...", "tile",
            "math", "np", "len", "int", "object()", "NotImplemented", "lambda a: a",
            "np.zeros(3)", "np.float32(2)", "x0", "kernel", "State", "undefined_name",
            "tile.f32", "slice(0, 2)", "range(3)", "tile.load", "make_arguments", "__name__",
            "(i for i in [1, 2])", "type", "math.nan", "float('inf')", "1j", "2 ** 64",
            "-2 ** 63 - 1", "10 ** 400", "True", "1e400", "np.datetime64('2026-01-01')",
            "np.array(3)", "np.longdouble(1)", "frozenset((1,))", "Exception")
# Replacements of a literal.
_NUMBERS = ("0", "-1", "-4", "1", "2 ** 31", "2 ** 31 - 1", "2 ** 32", "2 ** 40", "-2 ** 31",
            "2 ** 63", "2 ** 63 - 1", "-2 ** 63", "2 ** 64", "10 ** 30", "1.5", "-0.0",
            "math.nan", "math.inf", "None", "'3'", "True", "block", "(1, 2)", "[]",
            "1j", "np.int8(3)", "np.float64(2)", "1e308", "3.0", "65536", "100000")
_NAMES = ("sum", "max", "reshape", "astype", "T", "load", "store", "zeros", "where", "shape",
          "values", "_value", "__class__", "item", "numpy", "copy", "flatten", "data", "at",
          "dot", "transpose", "sort", "exp", "clip", "arange", "cumsum", "broadcast_to",
          "matmul", "bitcast", "gather", "take", "full", "f33", "float32", "int", "program_id",
          "kernel", "function", "cpu", "fft", "cholesky", "inverse", "top_k", "map", "reduce",
          "scan", "histogram", "per_thread", "print_", "fence", "iota", "random", "unpack",
          "squeeze", "eye", "stack", "static_range", "var", "std", "softmax", "argmax", "dtype")
_KEYWORDS = ("axis", "keepdims", "dtype", "pad", "mask", "dims", "shape", "out", "where", "by",
             "in_bounds", "order", "descending", "storage", "other", "initial", "fast")


class _Replacer(ast.NodeTransformer):
    """Replaces one node, which is identified by its object, by another one."""

    def __init__(self, target: ast.AST, change: Callable[[Any], ast.AST]):
        self.target = target
        self.change = change

    def visit(self, node: ast.AST) -> Any:
        if node is self.target:
            return self.change(node)
        return self.generic_visit(node)


def _parse(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class Mutator:
    """Makes random changes of statements and expressions, with one random generator."""

    def __init__(self, rng: random.Random, names: list[str]):
        self.rng = rng
        self.names = names

    def change_text(self, text: str) -> str:
        """Changes an expression in a simple statement, or in the head of a compound
        statement."""
        is_head = text.rstrip().endswith(":")
        prefix = "el" if text.startswith("elif ") else ""
        whole = re.sub(r"@(\w+)", r"\1__", text.removeprefix(prefix))
        if whole == "else:":
            return text
        tree = ast.parse(whole + " pass" * is_head)
        nodes = [node for node in ast.walk(tree) if isinstance(node, (
            ast.Name, ast.Constant, ast.Attribute, ast.Call, ast.BinOp, ast.Compare,
            ast.Tuple, ast.Subscript)) and not isinstance(
                getattr(node, "ctx", None), ast.Store)]
        if not nodes:
            return text
        target = self.rng.choice(nodes)
        tree = _Replacer(target, self._change).visit(tree)
        found = re.sub(r"\b(range|become|min|max)__", r"@\1",
                       ast.unparse(ast.fix_missing_locations(tree)))
        if is_head:
            found = found.split("\n")[0]
        return prefix + found

    def _change(self, node: Any) -> ast.AST:
        if isinstance(node, ast.Constant) and self.rng.random() < 0.8:
            return _parse(self.rng.choice(_NUMBERS))
        if isinstance(node, ast.Attribute) and self.rng.random() < 0.7:
            return ast.Attribute(node.value, self.rng.choice(_NAMES), node.ctx)
        if isinstance(node, ast.Call) and self.rng.random() < 0.8:
            return self._change_call(node)
        if isinstance(node, ast.BinOp) and self.rng.random() < 0.7:
            operator = self.rng.choice([ast.MatMult, ast.Pow, ast.LShift, ast.Mod, ast.BitAnd,
                                        ast.FloorDiv, ast.Div, ast.Sub])()
            return ast.BinOp(node.left, operator, node.right)
        if isinstance(node, ast.Compare) and self.rng.random() < 0.7:
            operators: list[ast.cmpop] = [self.rng.choice([
                ast.In, ast.Is, ast.NotIn, ast.Lt, ast.Eq])() for _ in node.ops]
            return ast.Compare(node.left, operators, node.comparators)
        if isinstance(node, ast.Tuple) and self.rng.random() < 0.7:
            return self._change_tuple(node)
        return _parse(self.rng.choice(_OBJECTS))

    def _change_call(self, node: ast.Call) -> ast.AST:
        arguments, keywords = list(node.args), list(node.keywords)
        kind = self.rng.randrange(6)
        if kind == 0 and arguments:
            arguments.pop(self.rng.randrange(len(arguments)))
        elif kind == 1 and keywords:
            keywords.pop()
        elif kind == 2:
            arguments.append(_parse(self.rng.choice(_OBJECTS)))
        elif kind == 3 and arguments:
            at = self.rng.randrange(len(arguments))
            arguments[at] = _parse(self.rng.choice(_OBJECTS + _NUMBERS))
        elif kind == 4:
            self.rng.shuffle(arguments)
        elif not keywords or self.rng.random() < 0.5:
            keywords.append(ast.keyword(self.rng.choice(_KEYWORDS),
                                        _parse(self.rng.choice(_OBJECTS + _NUMBERS))))
        else:
            keywords[0] = ast.keyword(self.rng.choice(_KEYWORDS), keywords[0].value)
        names = [each.arg for each in keywords]
        if len(set(names)) < len(names):
            keywords = keywords[:1]
        return ast.Call(node.func, arguments, keywords)

    def _change_tuple(self, node: ast.Tuple) -> ast.AST:
        parts = list(node.elts)
        if self.rng.random() < 0.5 and parts:
            parts.pop()
        else:
            parts.append(_parse(self.rng.choice(_NUMBERS)))
        return ast.Tuple(parts, node.ctx)

    # ------------------------------------------------------------------------
    # Statements
    # ------------------------------------------------------------------------

    def change_body(self, body: Body) -> Body:
        """Changes, removes or adds one statement of a body or of a nested body."""
        at = self.rng.randrange(len(body))
        statement, rest = body[at], list(body)
        if isinstance(statement, Compound) and self.rng.random() < 0.7:
            rest[at] = self._change_compound(statement)
            return tuple(rest)
        chance = self.rng.random()
        if chance < 0.55 and isinstance(statement, Line):
            rest[at] = Line(self.change_text(statement.text))
        elif chance < 0.65:
            rest.pop(at)
        elif chance < 0.72:
            other = self.rng.randrange(len(body))
            rest[at], rest[other] = rest[other], rest[at]
        else:
            rest.insert(at + 1, self._make_statement())
        return tuple(rest)

    def _change_compound(self, statement: Compound) -> Compound:
        arms = list(statement.arms)
        at = self.rng.randrange(len(arms))
        arm = arms[at]
        if self.rng.random() < 0.4 and not arm.head.startswith("def "):
            arms[at] = Arm(self.change_text(arm.head), arm.body)
        elif arm.body:
            arms[at] = Arm(arm.head, self.change_body(arm.body))
        return replace(statement, arms=tuple(arms))

    def _make_statement(self) -> Statement:
        """Returns a statement that is not allowed, or has no use, in a kernel."""
        text = self.rng.choice(_STATEMENTS)
        return Line(text.replace("v105", self.rng.choice(self.names)))


_STATEMENTS = (
    "return v105", "yield v105", "yield from [v105]", "break", "continue",
    "raise ValueError('own')", "global v105", "del v105", "import os", "v105[0] = 1",
    "v105.x = 1", "v105 += 'a'", "kernel(x0)", "kernel[1](x0)", "exec('v105 = 1')",
    "v105 = eval('v105 + 1')", "x0 + 1", "x0[0] = 3", "len(x0)", "int(v105)", "float(v105)",
    "bool(v105)", "v105 = f'{v105}'", "print(v105)", "assert v105", "assert False",
    "(w := v105)", "v105 = {v105}", "v105 = {v105: 1}", "v105 = [*v105]", "v105, v106 = v105",
    "v105 = x0", "v105 = np.sin(v105)", "v105 = np.asarray(v105)", "v105 = math.sin(v105)",
    "v105 = sorted([v105, 1])", "v105 = sum(v105)", "v105 = max(v105, 1)", "v105 = min(v105)",
    "v105 = round(v105)", "v105 = divmod(v105, 2)", "v105 = list(v105)",
    "v105 = v105 if v105 else 0", "v105 = v105 and 1", "v105 = v105 in (1, 2)",
    "v105 = v105 is None", "v105 = v105 == None", "v105 = hash(v105)", "v105 = v105.__dict__",
    "v105 = pow(v105, 2, 3)", "v105 = v105 @ v105 @ v105", "v105 = tile.zeros(2 ** 31)",
    "v105 = tile.zeros((2 ** 20, 2 ** 20))", "v105 = tile.zeros(2 ** 24)",
    "v105 = tile.zeros(-1)", "v105 = tile.zeros((0,))", "v105 = tile.zeros((4, None))",
    "v105 = tile.arange(0)", "v105 = tile.arange(block)", "v105 = tile.load(x0, 0, block)",
    "tile.store(x0, 0, 1)", "tile.store(v105, 0, 1)", "tile.store(out_i32, 0, 'text')",
    "v105 = tile.load(np.zeros(3), 0, 3)", "v105 = tile.load(x0, (0, 0, 0, 0), 4)",
    "v105 = helper_9(v105)", "f = lambda: f()\nf()", "v105 = (lambda *a: a)(v105)",
    "v105 = super()", "v105 = __import__('os')", "v105 = open('/')", "v105 = tile.cpu()",
    "with tile.cpu(): pass", "v105 = tile.kernel", "v105 = globals()",
    "v105 = [v105] * 10 ** 3", "v105 = 'a' * 10 ** 5", "v105 = v105 << 2 ** 40",
    "v105 = 1 / 0", "v105 = [][1]", "v105 = {}['a']", "v105 = None.shape", "v105 = undefined",
    "tile.undefined(v105)", "v105 = tile.where(v105)", "v105 = tile.sum()",
    "v105 = tile.sort(v105, 7)", "v105 = tile.reshape(v105, (7, 7, 7))",
    "v105 = v105.astype('f33')", "v105 = v105.astype(None)", "v105 = v105.astype(str)",
    "v105 = v105.astype(np.object_)", "v105 = v105.reshape(-1, -1)",
    "v105 = tile.program_id(3)", "v105 = tile.program_id(block)",
    "v105 = tile.num_programs('x')", "v105 = tile.concatenate([])",
    "v105 = tile.concatenate([v105, None])", "v105 = tile.stack(v105)", "v105 = block[0]",
    "v105 = block()", "block.x = 1", "v105 = -None", "v105 = ~1.5", "nonlocal block",
    "v105 = tile.range(3)", "v105 = [i for i in tile.range(3)]", "v105 = list(range(block))",
    "v105 = 1 if block else 'text'", "v105 = 1 if block > 0 else None",
    "v105 = (1, 2) if block else 3", "raise StopIteration", "raise SystemExit(3)",
    "raise KeyboardInterrupt", "assert block < 0, block", "tile.atomic_add(x0, 0, 1)",
    "tile.atomic('none', x0, 0, 1)", "v105 = tile.take(v105, block, 0)",
    "v105 = 10 ** 10 ** 3", "v105 = tile.full((2,), 10 ** 400)", "v105 = tile.full((2,), 'a')",
    "for i in @range(0, 5, 0):\n    v105 = i",
    "for i in @range(block, 5, block):\n    v105 = i", "for i in v105:\n    pass",
    "for i in block:\n    pass", "for i in x0:\n    pass", "for i in @range(1.5):\n    pass",
    "for i in @range('3'):\n    pass", "for i in @range():\n    pass",
    "for i in @range(1, 2, 3, 4):\n    pass", "for i in @range(v105):\n    pass",
    "for i in None:\n    pass", "for i in @range(block):\n    break",
    "for i in @range(block):\n    continue", "for i in @range(block):\n    return",
    "for i in @range(block):\n    yield i", "for i in @range(block):\n    block = None",
    "for i in @range(block):\n    block = 'a'", "for i in @range(2):\n    block = (block, i)",
    "for i in @range(2):\n    block = [block]",
    "for i in @range(2):\n    block = tile.zeros(3)", "for i in @range(2):\n    del block",
    "for i in @range(2):\n    raise ValueError('own')", "for i, j in @range(2):\n    pass",
    "for i in enumerate(@range(2)):\n    pass", "for i in reversed(v105):\n    pass",
    "for i in zip(@range(2), [1]):\n    pass", "for x0 in @range(2):\n    pass",
    "for i in @range(2 ** 63):\n    pass", "for block.x in @range(2):\n    pass",
    "if v105:\n    pass", "if x0:\n    pass", "if block > 0:\n    return",
    "if block >= 0:\n    raise ValueError('own')", "if block == None:\n    v105 = 1",
    "if block > 0:\n    w = 1\n    w += block", "if 'text' < block:\n    pass",
    "if block >= 0:\n    block = 'text'", "if block >= 0:\n    block = None",
    "if block > 5:\n    import os", "if block >= 0:\n    global block",
    "if block in (1, 2):\n    pass", "if block is None:\n    pass",
    "while v105:\n    v105 = v105 - 1", "while block < 'a':\n    pass",
    "while (w := block) < 0:\n    pass", "while block < 0:\n    break", "while x0:\n    pass",
    "while block < 0 or None:\n    pass",
    "try:\n    v105 = 1 / 0\nexcept ZeroDivisionError:\n    v105 = 2",
    "try:\n    v105 = v105 + 'a'\nexcept Exception:\n    pass",
    "try:\n    tile.zeros(-1)\nexcept tile.TileError:\n    pass",
    "with open('/dev/null') as file:\n    v105 = file", "with v105:\n    pass",
    "with block as b:\n    pass",
    "def recursive(n):\n    return recursive(n + 1)\nrecursive(0)",
    "def recursive(n):\n    return recursive(n)\nrecursive(v105)",
    "async def later():\n    return 1\nv105 = later()",
    "def gives():\n    yield 1\nv105 = gives()\nv105 + 1",
    "class Inner:\n    value = 1\nv105 = Inner + 1", "class Inner:\n    v105 = block",
    "match block:\n    case 1:\n        v105 = 2", "match v105:\n    case None:\n        pass",
    "@tile.kernel\ndef inner(x):\n    pass\ninner[1](x0)",
    "@tile.function\ndef inner(a):\n    return inner(a)\ninner(block)",
    "@tile.function\ndef inner(a):\n    return a.nothing\ninner(block)",
    "for i in tile.static_range(block):\n    pass",
    "for i in tile.static_range(10 ** 12):\n    v105 = 1 / 0",
)

# ----------------------------------------------------------------------------
# Definitions
# ----------------------------------------------------------------------------

_HEAD = "@tile.kernel\ndef kernel("


def _wrap_in_exec(text: str) -> str:
    before, _, behind = text.partition(_HEAD)
    body, _, rest = behind.partition("\n\n\ndef make_arguments")
    source = (_HEAD + body + "\n").replace("\\", "\\\\").replace('"""', "'''")
    return f'{before}exec("""{source}""")\n\n\ndef make_arguments{rest}'


def _as_method(text: str) -> str:
    return text.replace(_HEAD, "@tile.kernel\ndef kernel(self, ")


DEFINITIONS: dict[str, Callable[[str], str]] = {
    "no decorator": lambda text: text.replace(_HEAD, "def kernel("),
    "async": lambda text: text.replace(_HEAD, "@tile.kernel\nasync def kernel("),
    "a helper as a kernel": lambda text: text.replace(_HEAD, "@tile.function\ndef kernel("),
    "two decorators": lambda text: text.replace(_HEAD, "@tile.kernel\n" + _HEAD),
    "a helper that is a kernel": lambda text: text.replace(_HEAD, "@tile.kernel\n@tile.function\n"
                                                           "def kernel("),
    "a static method": lambda text: text.replace(_HEAD, "@tile.kernel\n@staticmethod\ndef kernel("),
    "a class method": lambda text: text.replace(_HEAD, "@tile.kernel\n@classmethod\ndef kernel("),
    "a property": lambda text: text.replace(_HEAD, "@property\n" + _HEAD),
    "a cached function": lambda text: text.replace(
        _HEAD, "import functools\n\n\n@tile.kernel\n@functools.lru_cache\ndef kernel("),
    "a wrapped function": lambda text: text.replace(
        _HEAD, "import functools\n\n\n@tile.kernel\n@functools.wraps(len)\ndef kernel("),
    "a context": lambda text: text.replace(
        _HEAD, "import contextlib\n\n\n@tile.kernel\n@contextlib.contextmanager\ndef kernel("),
    "exec": _wrap_in_exec,
    "self": _as_method,
    "a grid of texts": lambda text: text.replace(_HEAD, "@tile.kernel(grid='a')\ndef kernel("),
    "a negative block": lambda text: text.replace(_HEAD, "@tile.kernel(block=-32)\ndef kernel("),
    "a large block": lambda text: text.replace(_HEAD, "@tile.kernel(block=2 ** 20)\ndef kernel("),
    "a block of a float": lambda text: text.replace(_HEAD, "@tile.kernel(block=1.5)\ndef kernel("),
    "an unknown option": lambda text: text.replace(_HEAD, "@tile.kernel(threads=3)\ndef kernel("),
    "a wrong tiling": lambda text: text.replace(_HEAD, "@tile.kernel(tiling='a=b')\ndef kernel("),
    "an alignment of three": lambda text: text.replace(_HEAD, "@tile.kernel(alignment=3)\n"
                                                       "def kernel("),
    "a fixed array that is none": lambda text: text.replace(_HEAD, "@tile.kernel(fixed='nothing')\n"
                                                            "def kernel("),
    "fixed arrays": lambda text: text.replace(_HEAD, "@tile.kernel(fixed='x0')\ndef kernel("),
    "more parameters": lambda text: text.replace(_HEAD, "@tile.kernel\ndef kernel(*rest, "),
    "a parameter by default": lambda text: text.replace(_HEAD, "@tile.kernel\ndef kernel(x=1, /, "),
}

# ----------------------------------------------------------------------------
# Calls
# ----------------------------------------------------------------------------

# Lines that change `arguments`, `grid` and `options`. `i` is an input, `o` an output.
CALLS = (
    "grid = 0", "grid = -1", "grid = (1, -2)", "grid = 2 ** 31", "grid = 2 ** 40", "grid = 10 ** 30",
    "grid = 1.5", "grid = '1'", "grid = None", "grid = (1, 2, 3, 4)", "grid = ()", "grid = []",
    "grid = [1]", "grid = (1, None)", "grid = (1, 2 ** 16)", "grid = True", "grid = np.int64(1)",
    "grid = np.array([1, 1])", "grid = {1: 2}", "grid = lambda: 1.5", "grid = lambda: -1",
    "grid = lambda nothing: 1", "grid = lambda x0: 1 / 0", "grid = lambda: None", "grid = range(1, 3)",
    "grid = lambda **rest: (1, 1, 1)", "grid = slice(1, 2)", "grid = ...", "grid = float('nan')",
    "grid = (np.float32(1), 1)", "grid = lambda x0: x0.shape", "grid = (0, 1)", "grid = (1, 1, 0)",
    "arguments.pop()", "arguments.pop(0)", "arguments.append(1)", "arguments.append(None)",
    "arguments.reverse()", "arguments.clear()", "options['nothing'] = 1", "options['x0'] = arguments[0]",
    "options['k0'] = []", "options['k0'] = np.zeros(3)", "options['k0'] = None", "options['k0'] = 'text'",
    "options['k0'] = 10 ** 400", "options['k0'] = float('nan')", "options['k0'] = 2 ** 70",
    "arguments[i] = None", "arguments[i] = 'text'", "arguments[i] = [1.0, 2.0]", "arguments[i] = object()",
    "arguments[i] = 3", "arguments[i] = 2 ** 63", "arguments[i] = -2 ** 63 - 1", "arguments[i] = 1j",
    "arguments[i] = float('nan')", "arguments[i] = np.float64(3)", "arguments[i] = np.longdouble(1)",
    "arguments[i] = memoryview(np.zeros(3))", "arguments[i] = bytearray(8)", "arguments[i] = range(3)",
    "arguments[i] = np.zeros(())", "arguments[i] = np.zeros((0,))", "arguments[i] = np.zeros((2, 0, 2))",
    "arguments[i] = np.zeros((1,) * 9)", "arguments[i] = arguments[i].astype(object)",
    "arguments[i] = arguments[i].astype('U8')", "arguments[i] = np.zeros(3, 'M8[s]')",
    "arguments[i] = np.zeros(3, [('a', 'f4')])", "arguments[i] = np.zeros(3, 'V4')",
    "arguments[i] = np.zeros(3, 'S2')", "arguments[i] = np.zeros(3, np.longdouble)",
    "arguments[i] = arguments[i].astype(np.float64)", "arguments[i] = arguments[i].astype(np.int8)",
    "arguments[i] = arguments[i].astype(bool)", "arguments[i] = arguments[i].astype(np.complex64)",
    "arguments[i] = arguments[i].reshape(-1)", "arguments[i] = arguments[i][None]",
    "arguments[i] = arguments[i][..., :0]", "arguments[i] = arguments[i][::-1]",
    "arguments[i] = np.asfortranarray(arguments[i])", "arguments[i] = arguments[i][:1]",
    "arguments[i] = arguments[i].astype(arguments[i].dtype.newbyteorder())",
    "arguments[i] = np.ma.masked_array(arguments[i], mask=True)",
    "arguments[i] = np.asmatrix(np.zeros((3, 3)))", "arguments[i] = np.rec.array(arguments[i])",
    "arguments[i] = np.frombuffer(bytes(65), np.float32, 16, 1)",
    "arguments[i] = np.lib.stride_tricks.as_strided(np.zeros(8), (4, 4), (8, 8))",
    "arguments[i] = np.lib.stride_tricks.as_strided(np.zeros(8, np.int8), (2 ** 40,), (0,))",
    "arguments[i] = np.lib.stride_tricks.as_strided(np.zeros(8, np.int32), (4,), (3,))",
    "arguments[i] = np.lib.stride_tricks.as_strided(np.zeros(64, np.int8), (2, 2), (7, 3)).view()",
    "arguments[i] = type('Own', (np.ndarray,), {})((4,), np.float32)",
    "arguments[i] = arguments[i].tolist()", "arguments[i] = type(arguments[i])",
    "arguments[i] = arguments[o]", "arguments[o] = arguments[i]",
    "arguments[o] = arguments[o].copy(); arguments[o].flags.writeable = False",
    "arguments[o] = np.broadcast_to(arguments[o][:1], arguments[o].shape)",
    "arguments[o] = arguments[o].astype(np.int8)", "arguments[o] = arguments[o].astype(np.float16)",
    "arguments[o] = arguments[o][..., ::2]", "arguments[o] = arguments[o][:, :1]",
    "arguments[o] = arguments[o].reshape(-1)", "arguments[o] = arguments[o].astype(object)",
    "arguments[o] = arguments[o].astype(bool)", "arguments[o] = arguments[o].tolist()",
    "arguments[o] = arguments[o].astype(arguments[o].dtype.newbyteorder())",
    "arguments[o] = np.ma.masked_array(arguments[o])", "arguments[o] = None",
    "arguments[o] = np.zeros((0, 4))", "arguments[o] = np.zeros(())", "arguments[o] = 3",
    "arguments[o] = np.lib.stride_tricks.as_strided(np.zeros(64), arguments[o].shape, (0, 8))",
    "arguments = [arguments]", "arguments = [np.asarray(each) for each in arguments]",
)


@dataclass(frozen=True)
class Wrong:
    """A wrong program. `definition` names a change of the kernel's definition, and
    `call` has lines that change the call."""

    program: Program
    definition: str = ""
    call: tuple[str, ...] = ()


def mutate(program: Program, rng: random.Random) -> Wrong:
    """Returns the program with a mistake in its definition or its call, or with one or
    two mistakes in its statements."""
    mutator = Mutator(rng, _list_names(program))
    chance = rng.random()
    if chance < 0.12:
        return Wrong(program, definition=rng.choice(list(DEFINITIONS)))
    if chance < 0.37:
        return Wrong(program, call=tuple(_make_call(program, rng)))
    body = mutator.change_body(program.body)
    if rng.random() < 0.2:
        body = mutator.change_body(body)
    return Wrong(program.with_body(body))


def _list_names(program: Program) -> list[str]:
    """Lists the variables that statements of the program's body assign."""
    found = [line.text.split(" = ")[0] for line in program.body if isinstance(line, Line)]
    return [name for name in found if name.isidentifier() and name != "block"]


def _make_call(program: Program, rng: random.Random) -> Iterator[str]:
    inputs = [at for at, name in enumerate(program.parameters) if name.startswith("x")]
    outputs = [at for at, name in enumerate(program.parameters) if name.startswith("out_")]
    yield f"i, o = {rng.choice(inputs)}, {rng.choice(outputs or inputs)}"
    yield from rng.choice(CALLS).split("; ")
