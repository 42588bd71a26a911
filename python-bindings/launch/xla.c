/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* xla.c - kernels as custom calls of XLA, for JAX
 *
 * XLA calls tile_xla_execute_host or tile_xla_execute_cuda by its FFI
 * (xla/ffi/api/c_api.h of version 0.1 and later), without Python. The
 * attributes of the custom call describe the call completely, and include the
 * text of the program. So an executable that XLA has read from its cache, or
 * that another process has exported, runs like a new one. The attributes are:
 *
 *   program  the text of the program
 *   kernel   the name of the kernel, or of a function that launches kernels
 *   types    for each argument of the kernel, its element type and a space
 *   buffers  for each argument, its index among the operands and then the
 *            results of the call; -1 for a scalar
 *   numbers  for each argument 16 bytes, which have the value of a scalar
 *   aliases  pairs of an operand and a result that must share one buffer
 *   grid     the extents of the grid along x, y and z; -1 for a function, which
 *            takes them as arguments
 *   machine  for the host: TILE_MACHINE_*, threads, schedules, seed, and the
 *            bits of the tolerance
 *   arch     the architecture of the emulator, "" for none
 *   tiling   options of -tile-warp-tiling for a GPU, "" for none
 *
 * Each program is compiled once, and is kept until the process ends. Arrays are
 * contiguous, in row-major order.
 */

#define _GNU_SOURCE
#include "tile-c/Compiler.h"
#include "tile-c/Runtime.h"

#include <fenv.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/*===----------------------------------------------------------------------===*\
|* XLA's FFI
\*===----------------------------------------------------------------------===*/

enum { EXTENSION_METADATA = 1 };
enum { ATTRIBUTE_ARRAY = 1, ATTRIBUTE_STRING = 4 };
enum { TYPE_S64 = 5 };
enum { INVALID_ARGUMENT = 3, FAILED_PRECONDITION = 9, INTERNAL = 13 };

typedef struct Extension {
  size_t struct_size;
  int type;
  struct Extension *next;
} Extension;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  int major;
  int minor;
} Version;

typedef struct {
  size_t struct_size;
  Version version;
  uint32_t traits;
} Metadata;

typedef struct {
  Extension base;
  Metadata *metadata;
} MetadataExtension;

typedef struct Error Error;
typedef struct Context Context;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  const char *message;
  int code;
} ErrorCreate;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Error *error;
} ErrorDestroy;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Context *context;
  void *stream; /* out */
} StreamGet;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Context *context;
  size_t size;
  size_t alignment;
  void *data; /* out */
} MemoryAllocate;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Context *context;
  size_t size;
  void *data;
} MemoryFree;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Context *context;
  int32_t ordinal; /* out */
} OrdinalGet;

typedef void Unused(void);

typedef struct {
  size_t struct_size;
  Extension *extensions;
  Version version;
  const void *internal;
  Error *(*create_error)(ErrorCreate *);
  Unused *get_message;
  void (*destroy_error)(ErrorDestroy *);
  Unused *register_handler;
  Error *(*get_stream)(StreamGet *);
  Unused *register_type, *get_context, *set_state, *get_state;
  Error *(*allocate)(MemoryAllocate *);
  Error *(*release)(MemoryFree *);
  Unused *schedule, *count_threads, *create_future, *set_available, *set_error,
      *get_run;
  Error *(*get_ordinal)(OrdinalGet *);
} Api;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  int type;
  void *data;
  int64_t rank;
  int64_t *sizes;
} Buffer;

/* The operands of a call, or its results. */
typedef struct {
  size_t struct_size;
  Extension *extensions;
  int64_t count;
  int *kinds;
  Buffer **buffers;
} Buffers;

typedef struct {
  const char *data;
  size_t size;
} Text;

typedef struct {
  int type;
  size_t size;
  const void *data;
} Numbers;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  int64_t count;
  int *kinds;
  Text **names;
  void **values;
} Attributes;

typedef struct {
  size_t struct_size;
  Extension *extensions;
  const Api *api;
  Context *context;
  int stage;
  Buffers operands;
  Buffers results;
  Attributes attributes;
} Frame;

/* If this call is XLA's query for the version that a handler needs, answers it
   and returns true. The answer is XLA's own version, since every version 0.x
   has what is used here. */
static bool answer_query(const Frame *frame) {
  for (Extension *e = frame->extensions; e; e = e->next)
    if (e->type == EXTENSION_METADATA) {
      Metadata *metadata = ((MetadataExtension *)e)->metadata;
      bool is_known = frame->api && frame->api->version.major == 0;
      metadata->version.major = 0;
      metadata->version.minor = is_known ? frame->api->version.minor : 1;
      metadata->traits = 0;
      return true;
    }
  return false;
}

static Error *fail_with(const Frame *frame, int code, const char *text) {
  ErrorCreate arguments = {sizeof arguments, NULL, text, code};
  return frame->api->create_error(&arguments);
}

__attribute__((format(printf, 3, 4))) static Error *
fail(const Frame *frame, int code, const char *format, ...) {
  char *text = NULL;
  va_list values;
  va_start(values, format);
  int size = vasprintf(&text, format, values);
  va_end(values);
  Error *error = fail_with(frame, code, size < 0 ? format : text);
  free(size < 0 ? NULL : text);
  return error;
}

/* Returns the first of two errors, either of which may be null; a second one is
   destroyed. */
static Error *keep_first(const Frame *frame, Error *first, Error *second) {
  if (first && second) {
    ErrorDestroy arguments = {sizeof arguments, NULL, second};
    frame->api->destroy_error(&arguments);
  }
  return first ? first : second;
}

static Error *fail_for_memory(const Frame *frame) {
  return fail_with(frame, INTERNAL, "out of memory");
}

/*===----------------------------------------------------------------------===*\
|* The C libraries
\*===----------------------------------------------------------------------===*/

/* The functions of the C libraries that are called here. The Python code that
   opens the libraries sets their addresses. The functions of the runtime's
   library are null if it could not be opened. */
typedef struct {
  tile_compiler *compiler;
  tile_status (*compile)(tile_compiler *, const void *, size_t,
                         const tile_compile_options *, tile_result **);
  tile_status (*get_output)(const tile_result *, tile_output, const char **,
                            size_t *);
  tile_status (*destroy_result)(tile_result *);
  tile_status (*run)(const tile_result *, const char *, const tile_argument *,
                     size_t, const tile_run_options *, tile_outcome **);
  const char *(*get_compiler_error)(void);
  tile_status (*open_device)(uint32_t, int32_t, tile_device **);
  tile_status (*get_device_info)(const tile_device *, tile_device_info *);
  tile_status (*load_module)(const tile_device *, const void *, size_t,
                             const char *, tile_module **);
  tile_status (*get_kernel)(const tile_module *, const char *, tile_kernel **);
  tile_status (*get_workspaces)(const tile_kernel *, const tile_argument *,
                                size_t, int64_t *, size_t, size_t *);
  tile_status (*launch)(const tile_kernel *, const tile_argument *, size_t,
                        const tile_launch_options *);
  const char *(*get_runtime_error)(void);
  tile_status (*get_function)(const tile_module *, const char *,
                              tile_function **);
  tile_status (*create_call)(const tile_function *, const tile_argument *,
                             size_t, tile_call **);
  tile_status (*launch_call)(const tile_call *, void *);
  tile_status (*destroy_call)(tile_call *);
  tile_status (*synchronize)(const tile_device *);
} Libraries;

static Libraries libraries;

/* Sets the functions. This must precede the first call. */
EXPORT void tile_xla_connect(const Libraries *given) { libraries = *given; }

/*===----------------------------------------------------------------------===*\
|* Programs
\*===----------------------------------------------------------------------===*/

/* A cubin of a program for an architecture. */
typedef struct Binary {
  struct Binary *next;
  char *arch;
  char *data;
  size_t size;
  char *metadata;
} Binary;

/* The kernel of a program in the memory of a GPU, or its function, which is
   null for a kernel. */
typedef struct Loaded {
  struct Loaded *next;
  int32_t ordinal;
  const tile_device *device;
  tile_kernel *kernel;
  tile_function *function;
} Loaded;

typedef struct Program {
  struct Program *next;
  char *text;
  size_t size;
  tile_machine machine;
  char *arch;
  char *tiling;
  pthread_mutex_t lock; /* guards the members below */
  tile_result *result;  /* compiled for the host */
  Binary *binaries;
  Loaded *loaded;
} Program;

static Program *programs;
static pthread_mutex_t programs_lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_program(const Program *program, Text text, tile_machine machine,
                       const char *arch, const char *tiling) {
  return program->size == text.size && program->machine == machine &&
         strcmp(program->arch, arch) == 0 &&
         strcmp(program->tiling, tiling) == 0 &&
         memcmp(program->text, text.data, text.size) == 0;
}

static Program *make_program(Text text, tile_machine machine, const char *arch,
                             const char *tiling) {
  Program *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->text = malloc(text.size + 1);
  made->arch = strdup(arch);
  made->tiling = strdup(tiling);
  if (!made->text || !made->arch || !made->tiling) {
    free(made->text);
    free(made->arch);
    free(made->tiling);
    free(made);
    return NULL;
  }
  memcpy(made->text, text.data, text.size);
  made->size = text.size;
  made->machine = machine;
  pthread_mutex_init(&made->lock, NULL);
  return made;
}

/* Returns the program, which is not compiled yet if it is new; null if there is
   no memory. */
static Program *find_program(Text text, tile_machine machine, const char *arch,
                             const char *tiling) {
  pthread_mutex_lock(&programs_lock);
  Program *found = programs;
  while (found && !is_program(found, text, machine, arch, tiling))
    found = found->next;
  if (!found && (found = make_program(text, machine, arch, tiling))) {
    found->next = programs;
    programs = found;
  }
  pthread_mutex_unlock(&programs_lock);
  return found;
}

static tile_status compile(const Program *program, const char *arch,
                           tile_output outputs, tile_result **result) {
  tile_compile_options options = {.struct_size = sizeof options};
  options.machine = program->machine;
  options.arch = *arch ? arch : NULL;
  options.outputs = outputs;
  options.tiling = *program->tiling ? program->tiling : NULL;
  tile_status status = libraries.compile(libraries.compiler, program->text,
                                         program->size, &options, result);
  if (status != TILE_STATUS_OK && *result) {
    libraries.destroy_result(*result);
    *result = NULL;
  }
  return status;
}

/* Compiles a program for its machine of the host, unless it is compiled. If the
   status is an error, get_compiler_error returns its text on this thread. */
static tile_status compile_for_host(Program *program, tile_result **result) {
  tile_status status = TILE_STATUS_OK;
  pthread_mutex_lock(&program->lock);
  if (!program->result)
    status = compile(program, program->arch, 0, &program->result);
  *result = program->result;
  pthread_mutex_unlock(&program->lock);
  return status;
}

/* Compiles a program for a machine of the host ahead of the first call. */
EXPORT tile_status tile_xla_prepare(const char *program, size_t size,
                                    tile_machine machine, const char *arch) {
  tile_result *result;
  Program *found = find_program((Text){program, size}, machine, arch, "");
  return found ? compile_for_host(found, &result) : TILE_STATUS_OUT_OF_MEMORY;
}

static Binary *find_binary(const Program *program, const char *arch) {
  Binary *found = program->binaries;
  while (found && strcmp(found->arch, arch) != 0)
    found = found->next;
  return found;
}

/* Adds a copy of a cubin to a program; null if there is no memory. The caller
   holds the program's lock. */
static Binary *add_binary(Program *program, const char *arch, const char *cubin,
                          size_t size, const char *metadata) {
  Binary *made = calloc(1, sizeof *made);
  if (!made)
    return NULL;
  made->arch = strdup(arch);
  made->data = malloc(size + 1);
  made->metadata = strdup(metadata);
  if (!made->arch || !made->data || !made->metadata) {
    free(made->arch);
    free(made->data);
    free(made->metadata);
    free(made);
    return NULL;
  }
  memcpy(made->data, cubin, size);
  made->size = size;
  made->next = program->binaries;
  program->binaries = made;
  return made;
}

/* Adds a cubin that was compiled before to a program, for GPUs of an
   architecture. */
EXPORT tile_status tile_xla_add_binary(const char *program, size_t size,
                                       const char *tiling, const char *arch,
                                       const char *cubin, size_t cubin_size,
                                       const char *metadata) {
  Program *found =
      find_program((Text){program, size}, TILE_MACHINE_CUDA, "", tiling);
  if (!found)
    return TILE_STATUS_OUT_OF_MEMORY;
  pthread_mutex_lock(&found->lock);
  bool is_there = find_binary(found, arch) ||
                  add_binary(found, arch, cubin, cubin_size, metadata);
  pthread_mutex_unlock(&found->lock);
  return is_there ? TILE_STATUS_OK : TILE_STATUS_OUT_OF_MEMORY;
}

/*===----------------------------------------------------------------------===*\
|* Calls
\*===----------------------------------------------------------------------===*/

enum { MAX_ARGUMENTS = 64, MAX_TYPE = 16, MAX_NAME = 256 };

/* The attributes of a call, with its buffers as arguments of the kernel. */
typedef struct {
  Text program;
  char kernel[MAX_NAME];
  char arch[MAX_NAME];
  char tiling[MAX_NAME];
  char types[MAX_ARGUMENTS][MAX_TYPE];
  size_t count;
  tile_argument arguments[MAX_ARGUMENTS];
  const int64_t *grid;
  const int64_t *machine;
} Call;

/* Returns the value of an attribute; null if there is none of this name and
   kind. */
static const void *find_attribute(const Frame *frame, const char *name,
                                  int kind) {
  const Attributes *attributes = &frame->attributes;
  for (int64_t i = 0; i < attributes->count; ++i) {
    const Text *found = attributes->names[i];
    if (found->size == strlen(name) &&
        memcmp(found->data, name, found->size) == 0)
      return attributes->kinds[i] == kind ? attributes->values[i] : NULL;
  }
  return NULL;
}

static bool read_text(const Frame *frame, const char *name, Text *text) {
  const Text *found = find_attribute(frame, name, ATTRIBUTE_STRING);
  if (found)
    *text = *found;
  return found != NULL;
}

/* Copies the text of an attribute, and adds a NUL; false if it is missing or
   too long. */
static bool read_name(const Frame *frame, const char *name, char *copy) {
  Text text;
  if (!read_text(frame, name, &text) || text.size >= MAX_NAME)
    return false;
  memcpy(copy, text.data, text.size);
  copy[text.size] = 0;
  return true;
}

/* Reads an attribute that is an array of `count` integers of 64 bits. */
static bool read_numbers(const Frame *frame, const char *name, size_t count,
                         const int64_t **numbers) {
  const Numbers *found = find_attribute(frame, name, ATTRIBUTE_ARRAY);
  if (!found || found->type != TYPE_S64 || found->size != count)
    return false;
  *numbers = found->data;
  return true;
}

/* Reads the element types of all arguments, and the count of arguments. */
static bool read_types(const Frame *frame, Call *call) {
  Text text;
  if (!read_text(frame, "types", &text))
    return false;
  for (size_t begin = 0; begin < text.size;) {
    const char *type = text.data + begin;
    const char *end = memchr(type, ' ', text.size - begin);
    if (!end || end - type >= MAX_TYPE || call->count == MAX_ARGUMENTS)
      return false;
    memcpy(call->types[call->count], type, (size_t)(end - type));
    call->types[call->count++][end - type] = 0;
    begin += (size_t)(end - type) + 1;
  }
  return true;
}

/* Returns the operand with an index, or the result with the index less the
   count of operands; null if there is none. */
static const Buffer *find_buffer(const Frame *frame, int64_t number) {
  const Buffers *operands = &frame->operands, *results = &frame->results;
  if (number < 0 || number >= operands->count + results->count)
    return NULL;
  return number < operands->count ? operands->buffers[number]
                                  : results->buffers[number - operands->count];
}

static bool read_arguments(const Frame *frame, Call *call) {
  static const int64_t one = 1;
  const int64_t *buffers, *numbers;
  if (!read_numbers(frame, "buffers", call->count, &buffers) ||
      !read_numbers(frame, "numbers", 2 * call->count, &numbers))
    return false;
  for (size_t i = 0; i < call->count; ++i) {
    tile_argument *argument = &call->arguments[i];
    *argument = (tile_argument){.struct_size = sizeof *argument,
                                .data = &numbers[2 * i],
                                .rank = TILE_SCALAR,
                                .type = call->types[i]};
    if (buffers[i] < 0)
      continue;
    const Buffer *buffer = find_buffer(frame, buffers[i]);
    if (!buffer)
      return false;
    argument->data = buffer->data;
    /* In a program an array of rank 0 is an array of rank 1 with one element.
     */
    argument->rank = buffer->rank ? (int32_t)buffer->rank : 1;
    argument->sizes = buffer->rank ? buffer->sizes : &one;
  }
  return true;
}

/* Whether the operand and the result of each pair share one buffer, as the call
   requests. */
static bool check_aliases(const Frame *frame) {
  const Numbers *pairs = find_attribute(frame, "aliases", ATTRIBUTE_ARRAY);
  if (!pairs || pairs->type != TYPE_S64)
    return false;
  const int64_t *numbers = pairs->data;
  for (size_t i = 0; i + 1 < pairs->size; i += 2) {
    const Buffer *operand = find_buffer(frame, numbers[i]);
    const Buffer *result =
        find_buffer(frame, frame->operands.count + numbers[i + 1]);
    if (!operand || !result || operand->data != result->data)
      return false;
  }
  return true;
}

static Error *read_call(const Frame *frame, Call *call) {
  call->count = 0;
  bool is_read = read_text(frame, "program", &call->program) &&
                 read_name(frame, "kernel", call->kernel) &&
                 read_name(frame, "arch", call->arch) &&
                 read_name(frame, "tiling", call->tiling) &&
                 read_types(frame, call) && read_arguments(frame, call) &&
                 read_numbers(frame, "grid", 3, &call->grid) &&
                 read_numbers(frame, "machine", 5, &call->machine);
  if (!is_read)
    return fail_with(frame, INVALID_ARGUMENT,
                     "expected the attributes of a call of tile_mlir, of the "
                     "same version, got others");
  if (!check_aliases(frame))
    return fail(frame, INTERNAL,
                "expected operands and results of the kernel '%s' in one "
                "buffer, got several",
                call->kernel);
  return NULL;
}

static bool is_empty(const Call *call) {
  return call->grid[0] == 0 || call->grid[1] == 0 || call->grid[2] == 0;
}

/*===----------------------------------------------------------------------===*\
|* The host
\*===----------------------------------------------------------------------===*/

static tile_run_options make_run_options(const Call *call) {
  tile_run_options options = {.struct_size = sizeof options};
  options.grid = call->grid[0] < 0 ? NULL : call->grid;
  options.threads = (int32_t)call->machine[1];
  if (call->machine[0] == TILE_MACHINE_EMULATOR) {
    options.schedules = (int32_t)call->machine[2];
    options.seed = (uint64_t)call->machine[3];
    memcpy(&options.tolerance, &call->machine[4], sizeof options.tolerance);
  }
  return options;
}

/* Runs the kernel with the floating-point environment of IEEE 754, including
   subnormal values, which XLA's threads flush to zero. */
static tile_status run(const tile_result *result, const Call *call) {
  tile_run_options options = make_run_options(call);
  fenv_t environment;
  fegetenv(&environment);
  fesetenv(FE_DFL_ENV);
  tile_status status = libraries.run(result, call->kernel, call->arguments,
                                     call->count, &options, NULL);
  fesetenv(&environment);
  fflush(stdout); /* what the kernel printed */
  return status;
}

static Error *run_on_host(const Frame *frame, const Call *call) {
  tile_result *result = NULL;
  Program *program = find_program(call->program, (tile_machine)call->machine[0],
                                  call->arch, "");
  if (!program)
    return fail_for_memory(frame);
  if (compile_for_host(program, &result) != TILE_STATUS_OK)
    return fail_with(frame, INVALID_ARGUMENT, libraries.get_compiler_error());
  tile_status status = run(result, call);
  if (status == TILE_STATUS_OK)
    return NULL;
  int code = status == TILE_STATUS_KERNEL_FAILED ? FAILED_PRECONDITION
                                                 : INVALID_ARGUMENT;
  return fail_with(frame, code, libraries.get_compiler_error());
}

EXPORT Error *tile_xla_execute_host(const Frame *frame) {
  Call call;
  if (answer_query(frame))
    return NULL;
  Error *error = read_call(frame, &call);
  if (error || is_empty(&call))
    return error;
  return run_on_host(frame, &call);
}

/*===----------------------------------------------------------------------===*\
|* CUDA
\*===----------------------------------------------------------------------===*/

enum { MAX_WORKSPACES = 16, WORKSPACE_ALIGNMENT = 256, XLA_ALIGNMENT = 16 };

static Error *fail_to_launch(const Frame *frame) {
  return fail_with(frame, INTERNAL, libraries.get_runtime_error());
}

/* Finds the cubin for an architecture, or compiles it. The caller holds the
   program's lock. */
static Error *find_or_compile(const Frame *frame, Program *program,
                              const char *arch, const Binary **binary) {
  *binary = find_binary(program, arch);
  if (*binary)
    return NULL;
  tile_result *result = NULL;
  const char *cubin, *metadata;
  size_t size;
  Error *error = NULL;
  if (compile(program, arch, TILE_OUTPUT_CUBIN | TILE_OUTPUT_METADATA,
              &result) != TILE_STATUS_OK)
    return fail_with(frame, INVALID_ARGUMENT, libraries.get_compiler_error());
  if (libraries.get_output(result, TILE_OUTPUT_CUBIN, &cubin, &size) !=
          TILE_STATUS_OK ||
      libraries.get_output(result, TILE_OUTPUT_METADATA, &metadata, NULL) !=
          TILE_STATUS_OK)
    error = fail_with(frame, INTERNAL, libraries.get_compiler_error());
  else if (!(*binary = add_binary(program, arch, cubin, size, metadata)))
    error = fail_for_memory(frame);
  libraries.destroy_result(result);
  return error;
}

static bool is_function(const Call *call) { return call->grid[0] < 0; }

/* Loads the kernel or the function on a GPU. The caller holds the program's
   lock. Device and module are kept until the process ends. */
static Error *load(const Frame *frame, Program *program, const Call *call,
                   int32_t ordinal, const Loaded **loaded) {
  Loaded found = {program->loaded, ordinal, NULL, NULL, NULL};
  tile_device *device;
  tile_module *module;
  tile_device_info info = {.struct_size = sizeof info};
  const Binary *binary;
  if (libraries.open_device(TILE_API_VERSION, ordinal, &device) !=
          TILE_STATUS_OK ||
      libraries.get_device_info(device, &info) != TILE_STATUS_OK)
    return fail_to_launch(frame);
  Error *error = find_or_compile(frame, program, info.arch, &binary);
  if (error)
    return error;
  if (libraries.load_module(device, binary->data, binary->size,
                            binary->metadata, &module) != TILE_STATUS_OK)
    return fail_to_launch(frame);
  tile_status status =
      is_function(call)
          ? libraries.get_function(module, call->kernel, &found.function)
          : libraries.get_kernel(module, call->kernel, &found.kernel);
  if (status != TILE_STATUS_OK)
    return fail_to_launch(frame);
  Loaded *made = malloc(sizeof *made);
  if (!made)
    return fail_for_memory(frame);
  found.device = device;
  *made = found;
  *loaded = program->loaded = made;
  return NULL;
}

static Error *find_loaded(const Frame *frame, const Call *call, int32_t ordinal,
                          const Loaded **loaded) {
  Program *program =
      find_program(call->program, TILE_MACHINE_CUDA, "", call->tiling);
  if (!program)
    return fail_for_memory(frame);
  Error *error = NULL;
  pthread_mutex_lock(&program->lock);
  *loaded = program->loaded;
  while (*loaded && (*loaded)->ordinal != ordinal)
    *loaded = (*loaded)->next;
  if (!*loaded)
    error = load(frame, program, call, ordinal, loaded);
  pthread_mutex_unlock(&program->lock);
  return error;
}

static Error *get_ordinal(const Frame *frame, int32_t *ordinal) {
  OrdinalGet arguments = {sizeof arguments, NULL, frame->context, -1};
  if (frame->api->struct_size <
      offsetof(Api, get_ordinal) + sizeof frame->api->get_ordinal)
    return fail_with(frame, INTERNAL,
                     "expected a version of JAX whose XLA tells the number of "
                     "a GPU, got an older one");
  Error *error = frame->api->get_ordinal(&arguments);
  *ordinal = arguments.ordinal;
  return error;
}

/* Memory that XLA allocates and releases in the order of its stream, so that it
   can be released as soon as the launch is enqueued. */
typedef struct {
  size_t count;
  int64_t bytes[MAX_WORKSPACES];
  void *allocated[MAX_WORKSPACES];
  void *aligned[MAX_WORKSPACES];
} Workspaces;

static Error *release(const Frame *frame, const Workspaces *workspaces) {
  Error *error = NULL;
  for (size_t i = workspaces->count; i-- > 0 && !error;)
    if (workspaces->allocated[i]) {
      MemoryFree arguments = {sizeof arguments, NULL, frame->context,
                              (size_t)workspaces->bytes[i] +
                                  WORKSPACE_ALIGNMENT,
                              workspaces->allocated[i]};
      error = frame->api->release(&arguments);
    }
  return error;
}

static Error *allocate(const Frame *frame, const Call *call,
                       const tile_kernel *kernel, Workspaces *workspaces) {
  *workspaces = (Workspaces){0};
  if (libraries.get_workspaces(kernel, call->arguments, call->count,
                               workspaces->bytes, MAX_WORKSPACES,
                               &workspaces->count) != TILE_STATUS_OK)
    return fail_to_launch(frame);
  if (workspaces->count > MAX_WORKSPACES) {
    workspaces->count = 0;
    return fail(frame, INTERNAL, "expected at most %d workspaces of '%s'",
                MAX_WORKSPACES, call->kernel);
  }
  for (size_t i = 0; i < workspaces->count; ++i) {
    MemoryAllocate arguments = {
        sizeof arguments, NULL,
        frame->context,   (size_t)workspaces->bytes[i] + WORKSPACE_ALIGNMENT,
        XLA_ALIGNMENT,    NULL};
    Error *error = frame->api->allocate(&arguments);
    if (error)
      return error;
    uintptr_t address = (uintptr_t)arguments.data;
    workspaces->allocated[i] = arguments.data;
    workspaces->aligned[i] = (void *)((address + WORKSPACE_ALIGNMENT - 1) &
                                      ~(uintptr_t)(WORKSPACE_ALIGNMENT - 1));
  }
  return NULL;
}

static Error *launch(const Frame *frame, const Call *call,
                     const tile_kernel *kernel) {
  Workspaces workspaces;
  StreamGet stream = {sizeof stream, NULL, frame->context, NULL};
  Error *error = frame->api->get_stream(&stream);
  if (error)
    return error;
  error = allocate(frame, call, kernel, &workspaces);
  if (!error) {
    tile_launch_options options = {.struct_size = sizeof options,
                                   .grid = call->grid,
                                   .stream = stream.stream,
                                   .workspaces = workspaces.aligned,
                                   .num_workspaces = workspaces.count};
    if (libraries.launch(kernel, call->arguments, call->count, &options) !=
        TILE_STATUS_OK)
      error = fail_to_launch(frame);
  }
  return keep_first(frame, error, release(frame, &workspaces));
}

/* Launches the kernels of a function. Its temporary arrays are freed at the
   end, so that the call waits for the kernels. */
static Error *launch_function(const Frame *frame, const Call *call,
                              const Loaded *loaded) {
  tile_call *made;
  StreamGet stream = {sizeof stream, NULL, frame->context, NULL};
  Error *error = frame->api->get_stream(&stream);
  if (error)
    return error;
  if (libraries.create_call(loaded->function, call->arguments, call->count,
                            &made) != TILE_STATUS_OK)
    return fail_to_launch(frame);
  if (libraries.launch_call(made, stream.stream) != TILE_STATUS_OK ||
      libraries.synchronize(loaded->device) != TILE_STATUS_OK)
    error = fail_to_launch(frame);
  libraries.destroy_call(made);
  return error;
}

EXPORT Error *tile_xla_execute_cuda(const Frame *frame) {
  Call call;
  int32_t ordinal = -1;
  const Loaded *loaded;
  if (answer_query(frame))
    return NULL;
  Error *error = read_call(frame, &call);
  if (error || is_empty(&call))
    return error;
  if (!libraries.launch)
    return fail_with(frame, FAILED_PRECONDITION,
                     "expected libTileRuntime.so.0 beside the compiler's "
                     "library, got none");
  error = get_ordinal(frame, &ordinal);
  if (!error)
    error = find_loaded(frame, &call, ordinal, &loaded);
  if (error)
    return error;
  return is_function(&call) ? launch_function(frame, &call, loaded)
                            : launch(frame, &call, loaded->kernel);
}
