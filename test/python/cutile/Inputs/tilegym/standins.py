# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stand-ins for the packages that TileGym imports and its kernels do not use, so that its
modules load without PyTorch. An attribute of one is a class that can be called, indexed,
compared and used as a decorator, which leaves the function as it is."""

import importlib.abc
import importlib.machinery
import sys
import types


class _StandIn(type):
    def __getattr__(cls, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _make(name)

    def __call__(cls, *arguments, **named):
        if not vars(cls).get("is_standin"):
            return type.__call__(cls, *arguments, **named)
        is_decorator = len(arguments) == 1 and callable(arguments[0]) and not named
        return arguments[0] if is_decorator else cls

    def __bool__(cls):
        return True

    def __hash__(cls):
        return id(cls)

    def _itself(cls, *_):
        return cls

    def _agrees(cls, *_):
        return True

    __getitem__ = __or__ = __ror__ = __enter__ = _itself
    __add__ = __sub__ = __mul__ = __truediv__ = __exit__ = _itself
    __lt__ = __le__ = __gt__ = __ge__ = _agrees

    def __iter__(cls):
        return iter(())


def _make(name):
    return _StandIn(name, (), {"is_standin": True, "__module__": __name__})


class _Module(types.ModuleType):
    __version__ = "5.3.0"  # of transformers, which TileGym compares

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        value = _make(name)
        setattr(self, name, value)
        return value


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, names):
        self._names = names

    def find_spec(self, name, path=None, target=None):
        if name in self._names or name.split(".")[0] in self._names or any(
                name.startswith(other + ".") for other in self._names):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        module.__path__ = []


def install(*names):
    """Lets these packages be imported, with all that is in them."""
    sys.meta_path.insert(0, _Finder(names))
