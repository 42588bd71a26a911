/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - launches of kernels from Python, without Python on the way
 *
 *   launcher = Launcher(slow)
 *   launcher(x, y, 3, n=64)
 *
 * A launcher keeps plans: launches of the runtime's C library that are
 * prepared, each for arguments of some types, sizes and strides, for numbers,
 * and for the words that were given. A call whose arguments are those of a plan
 * sets the arrays' addresses and launches. Any other call is `slow(x, y, 3,
 * n=64)`, which is Python's and may add a plan for the next one.
 *
 * Arrays are read by DLPack's exchange of C (dlpack.h of version 1.3, its rules
 * for DLPackExchangeAPI), which also gives the stream; those of types without
 * it take the slow way. The limited API of Python 3.11 is used alone, and
 * everything happens under the interpreter's lock.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*===----------------------------------------------------------------------===*\
|* DLPack 1.3
\*===----------------------------------------------------------------------===*/

enum { DEVICE_CUDA = 2 };

typedef struct {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} Tensor;

typedef struct {
  uint32_t major;
  uint32_t minor;
  void *previous;
  void (*allocate)(void);
  void (*export_managed)(void);
  void (*import_managed)(void);
  int (*get_tensor)(void *object, Tensor *tensor); /* may be null */
  int (*get_stream)(int32_t device_type, int32_t device_id, void **stream);
} Exchange;

/* The table of a type's module, null for none. Never fails. */
static const Exchange *find_exchange(PyTypeObject *type) {
  static const char name[] = "dlpack_exchange_api";
  PyObject *capsule =
      PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
  const Exchange *found = NULL;
  if (capsule && PyCapsule_IsValid(capsule, name))
    found = PyCapsule_GetPointer(capsule, name);
  PyErr_Clear();
  Py_XDECREF(capsule);
  if (found && (found->major != 1 || !found->get_tensor))
    found = NULL;
  return found;
}

/*===----------------------------------------------------------------------===*\
|* The runtime's C library
\*===----------------------------------------------------------------------===*/

typedef int32_t (*SetArray)(void *plan, size_t argument, const void *data);
typedef int32_t (*Launch)(const void *plan, void *stream);
typedef int32_t (*Destroy)(void *plan);

static struct {
  SetArray set_array;
  Launch launch;
  Destroy destroy;
} runtime;

/* The stream that a thread asked for, in place of that of its arrays' module.
 */
static _Thread_local struct {
  bool is_given;
  void *handle;
} own_stream;

static PyObject *set_stream(PyObject *module, PyObject *stream) {
  (void)module;
  own_stream.is_given = stream != Py_None;
  own_stream.handle = NULL;
  if (own_stream.is_given) {
    own_stream.handle = PyLong_AsVoidPtr(stream);
    if (PyErr_Occurred()) {
      own_stream.is_given = false;
      return NULL;
    }
  }
  Py_RETURN_NONE;
}

static PyObject *set_runtime(PyObject *module, PyObject *arguments) {
  unsigned long long set_array, launch, destroy;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "KKK", &set_array, &launch, &destroy))
    return NULL;
  runtime.set_array = (SetArray)(uintptr_t)set_array;
  runtime.launch = (Launch)(uintptr_t)launch;
  runtime.destroy = (Destroy)(uintptr_t)destroy;
  Py_RETURN_NONE;
}

/*===----------------------------------------------------------------------===*\
|* Plans
\*===----------------------------------------------------------------------===*/

enum { MAX_ARGUMENTS = 64, MAX_RANK = 8, MAX_PLANS = 16 };

/* One argument of a plan: an array, or a number of Python. */
typedef struct {
  PyTypeObject *type;
  const Exchange *exchange; /* of an array; null for a number */
  Tensor tensor;            /* its data is what the plan has now */
  int64_t sizes[MAX_RANK];
  int64_t strides[MAX_RANK];
  PyObject *number;
} Expected;

typedef struct {
  void *handle;
  Py_ssize_t count;
  PyObject *words; /* a dictionary, null for none */
  Expected *arguments;
} Plan;

typedef struct {
  PyObject_HEAD PyObject *slow;
  Plan *plans[MAX_PLANS]; /* the last one that was used comes first */
  int num_plans;
} Launcher;

static void destroy_plan(Plan *plan) {
  if (!plan)
    return;
  if (plan->handle && runtime.destroy)
    runtime.destroy(plan->handle);
  for (Py_ssize_t i = 0; plan->arguments && i < plan->count; ++i) {
    Py_XDECREF((PyObject *)plan->arguments[i].type);
    Py_XDECREF(plan->arguments[i].number);
  }
  Py_XDECREF(plan->words);
  PyMem_Free(plan->arguments);
  PyMem_Free(plan);
}

static bool is_number(PyObject *object) {
  return PyBool_Check(object) || PyLong_CheckExact(object) ||
         PyFloat_CheckExact(object);
}

/* Notes what a call with an argument must have; false with an exception where
   it cannot be launched without Python. */
static bool expect(Expected *expected, PyObject *argument) {
  expected->type = Py_TYPE(argument);
  Py_INCREF((PyObject *)expected->type);
  if (is_number(argument)) {
    Py_INCREF(argument);
    expected->number = argument;
    return true;
  }
  expected->exchange = find_exchange(expected->type);
  Tensor *tensor = &expected->tensor;
  if (!expected->exchange) {
    PyErr_SetString(PyExc_TypeError, "an argument without DLPack's exchange");
    return false;
  }
  if (expected->exchange->get_tensor(argument, tensor) != 0)
    return false;
  if (tensor->ndim > MAX_RANK || tensor->device_type != DEVICE_CUDA) {
    PyErr_SetString(PyExc_TypeError, "an array that is not on a GPU");
    return false;
  }
  size_t bytes = sizeof(int64_t) * (size_t)tensor->ndim;
  memcpy(expected->sizes, tensor->shape, bytes);
  if (tensor->strides)
    memcpy(expected->strides, tensor->strides, bytes);
  tensor->shape = NULL;
  return true;
}

/* Whether two values of Python are the same: numbers of one type with the same
   bits, texts, and tuples of such; else one object. */
static bool is_same(PyObject *a, PyObject *b) {
  if (a == b)
    return true;
  if (Py_TYPE(a) != Py_TYPE(b))
    return false;
  if (PyTuple_CheckExact(a)) {
    Py_ssize_t size = PyTuple_Size(a);
    if (PyTuple_Size(b) != size)
      return false;
    for (Py_ssize_t i = 0; i < size; ++i)
      if (!is_same(PyTuple_GetItem(a, i), PyTuple_GetItem(b, i)))
        return false;
    return true;
  }
  if (!PyLong_CheckExact(a) && !PyFloat_CheckExact(a) &&
      !PyUnicode_CheckExact(a))
    return false;
  if (PyFloat_CheckExact(a)) {
    double x = PyFloat_AsDouble(a), y = PyFloat_AsDouble(b);
    return memcmp(&x, &y, sizeof x) == 0;
  }
  int same = PyObject_RichCompareBool(a, b, Py_EQ);
  if (same < 0)
    PyErr_Clear();
  return same == 1;
}

/* Whether an argument is one that a plan expects, with its address and stream.
 */
static bool matches(const Expected *expected, PyObject *argument,
                    const char **data, int *device, const Exchange **exchange) {
  if (Py_TYPE(argument) != expected->type)
    return false;
  if (!expected->exchange)
    return is_same(argument, expected->number);
  Tensor tensor;
  if (expected->exchange->get_tensor(argument, &tensor) != 0) {
    PyErr_Clear();
    return false;
  }
  const Tensor *like = &expected->tensor;
  size_t bytes = sizeof(int64_t) * (size_t)like->ndim;
  if (tensor.ndim != like->ndim || tensor.code != like->code ||
      tensor.bits != like->bits || tensor.lanes != like->lanes ||
      tensor.device_type != like->device_type ||
      tensor.device_id != like->device_id ||
      !tensor.strides != !like->strides ||
      memcmp(tensor.shape, expected->sizes, bytes) != 0 ||
      (tensor.strides && memcmp(tensor.strides, expected->strides, bytes) != 0))
    return false;
  *data = (const char *)tensor.data + tensor.byte_offset;
  *device = tensor.device_id;
  *exchange = expected->exchange;
  return true;
}

static bool match_words(const Plan *plan, PyObject *words) {
  Py_ssize_t size = words ? PyDict_Size(words) : 0;
  if (size != (plan->words ? PyDict_Size(plan->words) : 0))
    return false;
  PyObject *word, *value;
  for (Py_ssize_t at = 0; size > 0 && PyDict_Next(words, &at, &word, &value);) {
    PyObject *expected = PyDict_GetItem(plan->words, word);
    if (!expected || !is_same(value, expected))
      return false;
  }
  return true;
}

/* What came of trying a plan. */
typedef enum { NO_MATCH, LAUNCHED, FAILED } Attempt;

static Attempt try_plan(Plan *plan, PyObject *arguments, PyObject *words) {
  const char *data[MAX_ARGUMENTS];
  const Exchange *exchange = NULL;
  int device = 0;
  if (PyTuple_Size(arguments) != plan->count || !match_words(plan, words))
    return NO_MATCH;
  for (Py_ssize_t i = 0; i < plan->count; ++i)
    if (!matches(&plan->arguments[i], PyTuple_GetItem(arguments, i), &data[i],
                 &device, &exchange))
      return NO_MATCH;
  void *stream = own_stream.is_given ? own_stream.handle : NULL;
  if (!own_stream.is_given && exchange &&
      exchange->get_stream(DEVICE_CUDA, device, &stream) != 0)
    return FAILED;
  for (Py_ssize_t i = 0; i < plan->count; ++i) {
    Tensor *now = &plan->arguments[i].tensor;
    if (!plan->arguments[i].exchange || now->data == data[i])
      continue;
    if (runtime.set_array(plan->handle, (size_t)i, data[i]) != 0)
      return NO_MATCH; /* the slow way says why */
    now->data = (void *)data[i];
  }
  return runtime.launch(plan->handle, stream) == 0 ? LAUNCHED : NO_MATCH;
}

/*===----------------------------------------------------------------------===*\
|* Launchers
\*===----------------------------------------------------------------------===*/

static void use_first(Launcher *self, int number) {
  Plan *used = self->plans[number];
  memmove(&self->plans[1], &self->plans[0], sizeof(Plan *) * (size_t)number);
  self->plans[0] = used;
}

static PyObject *call(PyObject *object, PyObject *arguments, PyObject *words) {
  Launcher *self = (Launcher *)object;
  for (int i = 0; i < self->num_plans; ++i) {
    Attempt attempt = try_plan(self->plans[i], arguments, words);
    if (attempt == FAILED)
      return NULL;
    if (attempt == LAUNCHED) {
      if (i != 0)
        use_first(self, i);
      Py_RETURN_NONE;
    }
  }
  if (!self->slow) {
    PyErr_SetString(PyExc_TypeError, "a launcher that was not initialized");
    return NULL;
  }
  return PyObject_Call(self->slow, arguments, words);
}

/* add(handle, arguments, words): whether a plan was made of it, which is the
   launcher's then. */
static PyObject *add(PyObject *object, PyObject *given) {
  Launcher *self = (Launcher *)object;
  unsigned long long handle;
  PyObject *arguments, *words;
  if (!PyArg_ParseTuple(given, "KO!O!", &handle, &PyTuple_Type, &arguments,
                        &PyDict_Type, &words))
    return NULL;
  Py_ssize_t count = PyTuple_Size(arguments);
  if (count > MAX_ARGUMENTS)
    Py_RETURN_FALSE;
  Plan *plan = PyMem_Calloc(1, sizeof(Plan));
  Expected *expected = PyMem_Calloc((size_t)count + 1, sizeof(Expected));
  if (!plan || !expected) {
    PyMem_Free(plan);
    PyMem_Free(expected);
    return PyErr_NoMemory();
  }
  plan->count = count;
  plan->arguments = expected;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!expect(&expected[i], PyTuple_GetItem(arguments, i))) {
      PyErr_Clear();
      destroy_plan(plan);
      Py_RETURN_FALSE;
    }
  if (PyDict_Size(words) > 0 && !(plan->words = PyDict_Copy(words))) {
    destroy_plan(plan);
    return NULL;
  }
  plan->handle = (void *)(uintptr_t)handle;
  if (self->num_plans == MAX_PLANS)
    destroy_plan(self->plans[--self->num_plans]);
  self->plans[self->num_plans++] = plan;
  use_first(self, self->num_plans - 1);
  Py_RETURN_TRUE;
}

static int initialize(PyObject *object, PyObject *arguments, PyObject *words) {
  Launcher *self = (Launcher *)object;
  PyObject *slow;
  (void)words;
  if (!PyArg_ParseTuple(arguments, "O", &slow))
    return -1;
  Py_INCREF(slow);
  Py_XDECREF(self->slow);
  self->slow = slow;
  return 0;
}

static int traverse(PyObject *object, visitproc visit, void *arg) {
  Launcher *self = (Launcher *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->slow);
  for (int i = 0; i < self->num_plans; ++i)
    Py_VISIT(self->plans[i]->words);
  return 0;
}

static int clear(PyObject *object) {
  Launcher *self = (Launcher *)object;
  Py_CLEAR(self->slow);
  while (self->num_plans > 0)
    destroy_plan(self->plans[--self->num_plans]);
  return 0;
}

static void deallocate(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear(object);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF((PyObject *)type);
}

static PyMethodDef launcher_methods[] = {
    {"add", add, METH_VARARGS,
     "add(handle, arguments, words) -> bool\n\n"
     "Makes a plan of a prepared launch, for calls with such arguments."},
    {NULL, NULL, 0, NULL}};

static PyType_Slot launcher_slots[] = {
    {Py_tp_doc, "Calls that launch a kernel by a plan, or else are slow(...)."},
    {Py_tp_init, initialize},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_call, call},
    {Py_tp_traverse, traverse},
    {Py_tp_clear, clear},
    {Py_tp_dealloc, deallocate},
    {Py_tp_methods, launcher_methods},
    {0, NULL}};

static PyType_Spec launcher_spec = {
    .name = "tile_mlir._launch.Launcher",
    .basicsize = sizeof(Launcher),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = launcher_slots};

static PyMethodDef methods[] = {
    {"set_runtime", set_runtime, METH_VARARGS,
     "set_runtime(set_array, launch, destroy)\n\n"
     "The addresses of the runtime's functions on plans."},
    {"set_stream", set_stream, METH_O,
     "set_stream(handle)\n\n"
     "The stream that this thread launches on; None: that of each array."},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        .m_name = "_launch", .m_size = -1,
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit__launch(void) {
  PyObject *module = PyModule_Create(&definition);
  PyObject *type = module ? PyType_FromSpec(&launcher_spec) : NULL;
  if (!type || PyModule_AddObject(module, "Launcher", type) < 0) {
    Py_XDECREF(type);
    Py_XDECREF(module);
    return NULL;
  }
  return module;
}
