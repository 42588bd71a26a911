/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Checks that the declarations of XLA's FFI in xla.c agree with XLA's header.
 */
#include "xla.c"

#include "xla/ffi/api/c_api.h"

#define SIZE(OURS, THEIRS)                                                     \
  _Static_assert(sizeof(OURS) == sizeof(THEIRS), "the size of " #OURS)
#define MEMBER(OURS, OUR_MEMBER, THEIRS, THEIR_MEMBER)                         \
  _Static_assert(offsetof(OURS, OUR_MEMBER) ==                                 \
                         offsetof(THEIRS, THEIR_MEMBER) &&                     \
                     sizeof(((OURS *)0)->OUR_MEMBER) ==                        \
                         sizeof(((THEIRS *)0)->THEIR_MEMBER),                  \
                 #OURS "." #OUR_MEMBER)

_Static_assert(
    (int)EXTENSION_METADATA == XLA_FFI_Extension_Metadata &&
        (int)ATTRIBUTE_ARRAY == XLA_FFI_AttrType_ARRAY &&
        (int)ATTRIBUTE_STRING == XLA_FFI_AttrType_STRING &&
        (int)TYPE_S64 == XLA_FFI_DataType_S64 &&
        (int)INVALID_ARGUMENT == XLA_FFI_Error_Code_INVALID_ARGUMENT &&
        (int)FAILED_PRECONDITION == XLA_FFI_Error_Code_FAILED_PRECONDITION &&
        (int)INTERNAL == XLA_FFI_Error_Code_INTERNAL && XLA_FFI_API_MAJOR == 0,
    "numbers");

SIZE(Extension, XLA_FFI_Extension_Base);
MEMBER(Extension, type, XLA_FFI_Extension_Base, type);
MEMBER(Extension, next, XLA_FFI_Extension_Base, next);

SIZE(Version, XLA_FFI_Api_Version);
MEMBER(Version, major, XLA_FFI_Api_Version, major_version);
MEMBER(Version, minor, XLA_FFI_Api_Version, minor_version);

/* XLA's structs may have further members at their ends. */
MEMBER(Metadata, version, XLA_FFI_Metadata, api_version);
MEMBER(Metadata, traits, XLA_FFI_Metadata, traits);
MEMBER(MetadataExtension, metadata, XLA_FFI_Metadata_Extension, metadata);

SIZE(ErrorCreate, XLA_FFI_Error_Create_Args);
MEMBER(ErrorCreate, message, XLA_FFI_Error_Create_Args, message);
MEMBER(ErrorCreate, code, XLA_FFI_Error_Create_Args, errc);

SIZE(ErrorDestroy, XLA_FFI_Error_Destroy_Args);
MEMBER(ErrorDestroy, error, XLA_FFI_Error_Destroy_Args, error);

SIZE(StreamGet, XLA_FFI_Stream_Get_Args);
MEMBER(StreamGet, context, XLA_FFI_Stream_Get_Args, ctx);
MEMBER(StreamGet, stream, XLA_FFI_Stream_Get_Args, stream);

SIZE(MemoryAllocate, XLA_FFI_DeviceMemory_Allocate_Args);
MEMBER(MemoryAllocate, context, XLA_FFI_DeviceMemory_Allocate_Args, ctx);
MEMBER(MemoryAllocate, size, XLA_FFI_DeviceMemory_Allocate_Args, size);
MEMBER(MemoryAllocate, alignment, XLA_FFI_DeviceMemory_Allocate_Args,
       alignment);
MEMBER(MemoryAllocate, data, XLA_FFI_DeviceMemory_Allocate_Args, data);

SIZE(MemoryFree, XLA_FFI_DeviceMemory_Free_Args);
MEMBER(MemoryFree, context, XLA_FFI_DeviceMemory_Free_Args, ctx);
MEMBER(MemoryFree, size, XLA_FFI_DeviceMemory_Free_Args, size);
MEMBER(MemoryFree, data, XLA_FFI_DeviceMemory_Free_Args, data);

SIZE(OrdinalGet, XLA_FFI_DeviceOrdinal_Get_Args);
MEMBER(OrdinalGet, context, XLA_FFI_DeviceOrdinal_Get_Args, ctx);
MEMBER(OrdinalGet, ordinal, XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);

MEMBER(Api, version, XLA_FFI_Api, api_version);
MEMBER(Api, create_error, XLA_FFI_Api, XLA_FFI_Error_Create);
MEMBER(Api, destroy_error, XLA_FFI_Api, XLA_FFI_Error_Destroy);
MEMBER(Api, get_stream, XLA_FFI_Api, XLA_FFI_Stream_Get);
MEMBER(Api, allocate, XLA_FFI_Api, XLA_FFI_DeviceMemory_Allocate);
MEMBER(Api, release, XLA_FFI_Api, XLA_FFI_DeviceMemory_Free);
MEMBER(Api, get_ordinal, XLA_FFI_Api, XLA_FFI_DeviceOrdinal_Get);

SIZE(Buffer, XLA_FFI_Buffer);
MEMBER(Buffer, data, XLA_FFI_Buffer, data);
MEMBER(Buffer, rank, XLA_FFI_Buffer, rank);
MEMBER(Buffer, sizes, XLA_FFI_Buffer, dims);

SIZE(Buffers, XLA_FFI_Args);
MEMBER(Buffers, count, XLA_FFI_Args, size);
MEMBER(Buffers, buffers, XLA_FFI_Args, args);
SIZE(Buffers, XLA_FFI_Rets);
MEMBER(Buffers, count, XLA_FFI_Rets, size);
MEMBER(Buffers, buffers, XLA_FFI_Rets, rets);

SIZE(Text, XLA_FFI_ByteSpan);
MEMBER(Text, data, XLA_FFI_ByteSpan, ptr);
MEMBER(Text, size, XLA_FFI_ByteSpan, len);

SIZE(Numbers, XLA_FFI_Array);
MEMBER(Numbers, type, XLA_FFI_Array, dtype);
MEMBER(Numbers, size, XLA_FFI_Array, size);
MEMBER(Numbers, data, XLA_FFI_Array, data);

SIZE(Attributes, XLA_FFI_Attrs);
MEMBER(Attributes, count, XLA_FFI_Attrs, size);
MEMBER(Attributes, kinds, XLA_FFI_Attrs, types);
MEMBER(Attributes, names, XLA_FFI_Attrs, names);
MEMBER(Attributes, values, XLA_FFI_Attrs, attrs);

MEMBER(Frame, extensions, XLA_FFI_CallFrame, extension_start);
MEMBER(Frame, api, XLA_FFI_CallFrame, api);
MEMBER(Frame, context, XLA_FFI_CallFrame, ctx);
MEMBER(Frame, stage, XLA_FFI_CallFrame, stage);
MEMBER(Frame, operands, XLA_FFI_CallFrame, args);
MEMBER(Frame, results, XLA_FFI_CallFrame, rets);
MEMBER(Frame, attributes, XLA_FFI_CallFrame, attrs);
