# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of launch/xla.c's functions as XLA makes them."""

import ctypes
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64,
                    c_size_t, c_uint32, c_void_p)

import numpy as np

F32, S64 = 11, 5


def make_struct(name, *fields, extended=True):
    head = [("struct_size", c_size_t)] + [("extensions", c_void_p)] * extended
    return type(name, (Structure,), {"_fields_": head + list(fields)})


Version = make_struct("Version", ("major", c_int), ("minor", c_int))
ErrorCreate = make_struct("ErrorCreate", ("message", c_char_p), ("code", c_int))
ErrorDestroy = make_struct("ErrorDestroy", ("error", c_void_p))
StreamGet = make_struct("StreamGet", ("context", c_void_p), ("stream", c_void_p))
Allocate = make_struct("Allocate", ("context", c_void_p), ("size", c_size_t),
                       ("alignment", c_size_t), ("data", c_void_p))
Free = make_struct("Free", ("context", c_void_p), ("size", c_size_t),
                   ("data", c_void_p))
OrdinalGet = make_struct("OrdinalGet", ("context", c_void_p), ("ordinal", c_int32))
Buffer = make_struct("Buffer", ("type", c_int), ("data", c_void_p),
                     ("rank", c_int64), ("sizes", POINTER(c_int64)))
Buffers = make_struct("Buffers", ("count", c_int64), ("kinds", c_void_p),
                      ("buffers", c_void_p))
Attributes = make_struct("Attributes", ("count", c_int64), ("kinds", c_void_p),
                         ("names", c_void_p), ("values", c_void_p))
Frame = make_struct("Frame", ("api", c_void_p), ("context", c_void_p),
                    ("stage", c_int), ("operands", Buffers), ("results", Buffers),
                    ("attributes", Attributes))
Metadata = make_struct("Metadata", ("version", Version), ("traits", c_uint32),
                       extended=False)
FUNCTIONS = ["create_error", "get_message", "destroy_error", "register_handler",
             "get_stream", "register_type", "get_context", "set_state", "get_state",
             "allocate", "release", "schedule", "count_threads", "create_future",
             "set_available", "set_error", "get_run", "get_ordinal"]
Api = make_struct("Api", ("version", Version), ("internal", c_void_p),
                  *((name, c_void_p) for name in FUNCTIONS))


class Extension(Structure):
    _fields_ = [("struct_size", c_size_t), ("type", c_int), ("next", c_void_p),
                ("metadata", POINTER(Metadata))]


class Text(Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class Numbers(Structure):
    _fields_ = [("type", c_int), ("size", c_size_t), ("data", c_void_p)]


def get_address(array):
    """Returns the address of a NumPy array or a PyTorch tensor."""
    return array.ctypes.data if isinstance(array, np.ndarray) else array.data_ptr()


class Xla:
    """Calls handlers as XLA does, for a GPU with an ordinal, a stream and an
    allocator."""

    STREAM, MEMORY = 0x5eed, 0x10020

    def __init__(self, ordinal=0, minor=3, stream=STREAM,
                 allocate=lambda size: Xla.MEMORY + 0x10000 * size):
        self.log, self.errors, self.fails, self._kept = [], {}, set(), []

        def create(arguments):
            code = len(self.errors) + 1
            self.errors[code] = (arguments[0].code, arguments[0].message.decode())
            return code

        def answer(name, arguments, **results):
            self.log.append((name, getattr(arguments[0], "size", None),
                             getattr(arguments[0], "data", None)))
            for member, value in results.items():
                setattr(arguments[0], member, value)
            if name in self.fails:
                self.errors[99] = (13, f"no {name}")
                return 99
            return 0

        def declare(struct, function):
            return CFUNCTYPE(c_void_p, POINTER(struct))(function)

        self.api = Api(
            struct_size=ctypes.sizeof(Api),
            version=Version(ctypes.sizeof(Version), None, 0, minor))
        self.functions = {
            "create_error": declare(ErrorCreate, create),
            "destroy_error": CFUNCTYPE(None, POINTER(ErrorDestroy))(
                lambda a: self.log.append(("destroy", a[0].error))),
            "get_stream": declare(StreamGet, lambda a: answer(
                "stream", a, stream=stream)),
            "get_ordinal": declare(OrdinalGet, lambda a: answer(
                "ordinal", a, ordinal=ordinal)),
            "allocate": declare(Allocate, lambda a: answer(
                "allocate", a, data=allocate(a[0].size))),
            "release": declare(Free, lambda a: answer("release", a))}
        for name, function in self.functions.items():
            setattr(self.api, name, ctypes.cast(function, c_void_p).value)

    def keep(self, value):
        self._kept.append(value)
        return ctypes.addressof(value)

    def call(self, handler, operands=(), results=(), **attributes):
        """Calls a handler; raises an exception if it fails."""
        names = sorted(attributes)
        pointers = c_void_p * len(names)
        frame = Frame(
            struct_size=ctypes.sizeof(Frame), api=ctypes.addressof(self.api),
            context=0xc0de, stage=3, operands=self.make_buffers(operands),
            results=self.make_buffers(results),
            attributes=Attributes(
                count=len(names),
                kinds=self.keep((c_int * len(names))(*(
                    4 if isinstance(attributes[name], str) else 1
                    for name in names))),
                names=self.keep(pointers(*(
                    self.keep(Text(name.encode(), len(name))) for name in names))),
                values=self.keep(pointers(*(
                    self.make_attribute(attributes[name]) for name in names)))))
        return self.finish(handler(ctypes.byref(frame)))

    def make_buffers(self, arrays):
        buffers = [self.keep(Buffer(
            type=F32, data=get_address(a), rank=a.ndim,
            sizes=(c_int64 * a.ndim)(*a.shape))) for a in arrays]
        return Buffers(count=len(arrays),
                       buffers=self.keep((c_void_p * len(arrays))(*buffers)))

    def make_attribute(self, value):
        if isinstance(value, str):
            data = value.encode()
            return self.keep(Text(data, len(data)))
        self._kept.append(value)
        return self.keep(Numbers(S64 if value.dtype == np.int64 else F32,
                                 value.size, value.ctypes.data))

    def finish(self, error):
        if error:
            raise RuntimeError(*self.errors[error])

    def take(self):
        log, self.log[:] = list(self.log), []
        return log
