# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks how the modules of a Python package import each other, without running them.

  check_imports.py FOLDER [SUBPACKAGE...]

A module of a sub-package imports modules of its own sub-package and of those named
before it. Modules of the package's folder are below all sub-packages, except that
__init__.py, __main__.py and modules that only import names and list them in `__all__`
are above. No function imports a module of the package, and imports make no circle.
Imports for static checks count too.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Import(NamedTuple):
    """An import of a module of the package, with the file and the line of the
    import."""

    file: Path
    line: int
    target: str
    is_in_function: bool


def list_modules(folder: Path) -> dict[str, Path]:
    """Returns the files of the package's modules by the modules' names within the
    package, such as "tracing.trace". The file of a compiled module is its .pyi file."""
    modules = {}
    for file in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        parts = file.relative_to(folder).with_suffix("").parts
        modules[".".join(part for part in parts if part != "__init__")] = file
    return modules


def list_nodes(tree: ast.AST, is_in_function: bool = False
               ) -> Iterator[tuple[ast.AST, bool]]:
    """Yields each node of a module, and whether a function contains it."""
    for node in ast.iter_child_nodes(tree):
        yield node, is_in_function
        yield from list_nodes(node, is_in_function or isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))


def list_targets(node: ast.AST, package: str, parents: list[str]) -> Iterator[str]:
    """Yields the names within the package that an import names; "" for the package
    itself."""
    if isinstance(node, ast.Import):
        for name in node.names:
            first, _, rest = name.name.partition(".")
            if first == package:
                yield rest
    elif isinstance(node, ast.ImportFrom):
        names = (node.module or "").split(".") if node.module else []
        if node.level:
            names = parents[:len(parents) - node.level + 1] + names
        elif names[0] == package:
            names = names[1:]
        else:
            return
        for name in node.names:
            yield ".".join([*names, name.name])


def list_imports(module: str, modules: dict[str, Path], package: str
                 ) -> Iterator[Import]:
    file = modules[module]
    parents = module.split(".") if module else []
    if file.name != "__init__.py":
        parents = parents[:-1]
    for node, is_in_function in list_nodes(ast.parse(file.read_text())):
        for target in list_targets(node, package, parents):
            # A name that is not a module is a member of a module.
            found = target if target in modules else target.rpartition(".")[0]
            yield Import(file, getattr(node, "lineno"), found, is_in_function)


def stands_for_others(file: Path) -> bool:
    """Returns whether a module only re-exports names of other modules."""
    if file.name in ("__init__.py", "__main__.py"):
        return True
    return all(isinstance(node, (ast.ImportFrom, ast.Expr)) or
               isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
               for node in ast.parse(file.read_text()).body)


def get_level(module: str, file: Path, order: list[str]) -> int:
    """Returns the position of the module's sub-package in the order."""
    parts = module.split(".")
    is_in_folder = len(parts) == 1 and (module == "" or file.name != "__init__.py")
    if is_in_folder:
        return len(order) if stands_for_others(file) else -1
    return order.index(parts[0])


def find_circle(edges: dict[str, set[str]]) -> list[str]:
    """Returns a circle of imports: a list of modules, each of which imports the next
    one, and the last one the first. Returns an empty list if there is none."""
    done: set[str] = set()

    def visit(module: str, way: list[str]) -> list[str]:
        if module in way:
            return way[way.index(module):]
        if module in done:
            return []
        for target in sorted(edges[module]):
            circle = visit(target, [*way, module])
            if circle:
                return circle
        done.add(module)
        return []

    return next(filter(None, (visit(module, []) for module in edges)), [])


def check(folder: Path, order: list[str]) -> list[str]:
    modules = list_modules(folder)
    errors = [f"{file}: sub-package {module.split('.')[0]!r} is not in the order"
              for module, file in modules.items()
              if file.parent != folder and module.split(".")[0] not in order]
    if errors:
        return errors
    levels = {module: get_level(module, file, order)
              for module, file in modules.items()}
    edges: dict[str, set[str]] = {module: set() for module in modules}
    for module in modules:
        for one in list_imports(module, modules, folder.name):
            edges[module].add(one.target)
            what = f"{one.file}:{one.line}: import of {one.target or folder.name!r}"
            if one.is_in_function:
                errors.append(f"{what} by a function")
            if levels[one.target] > levels[module]:
                errors.append(f"{what} against the order of sub-packages")
    circle = find_circle(edges)
    if circle:
        way = " -> ".join(module or folder.name for module in [*circle, circle[0]])
        errors.append(f"{modules[circle[0]]}: circle of imports: {way}")
    return errors


def main() -> None:
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, order = Path(sys.argv[1]), sys.argv[2:]
    errors = check(folder, order)
    for error in errors:
        print(f"error: {error}")
    print(f"{len(list_modules(folder))} modules, {len(errors)} errors")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
