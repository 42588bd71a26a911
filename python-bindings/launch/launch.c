/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* launch.c - launches of kernels from Python, without running Python code
 *
 *   launcher = Launcher(slow)
 *   launcher(x, y, 3, n=64)
 *
 * A launcher keeps plans, which are launches that the runtime's C library has
 * prepared. A plan is made for arrays of some types, sizes and strides, for
 * some values of the other arguments, and for some values of the Python
 * variables that the kernel reads. If all of these match, a call sets the
 * addresses of the plan's arrays and launches it. Any other call is
 * `slow(x, y, 3, n=64)`, a Python function that may add a plan for later calls.
 *
 * A plan may have several steps, each a prepared launch, and may make new
 * arrays: results, and memory that the steps need, which is released as soon as
 * they are launched. An allocator that orders its blocks by streams, as that of
 * PyTorch, then gives the memory to later work of the same stream.
 *
 *   prepared = Prepared(handle, arguments, fail)
 *   prepared()
 *
 * launches a plan with the arrays that it was made with; each call only looks
 * up the stream.
 *
 * Arrays and streams are read by DLPack's C exchange API (dlpack.h of version
 * 1.3, DLPackExchangeAPI). Calls with arrays of a type without it take the slow
 * path. The module uses only the limited API of Python 3.11, and runs under the
 * interpreter's lock.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
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

/* Returns the exchange table of the module that an array type belongs to; null
   if there is none. Sets no exception. */
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

/* The stream that a thread has set. It replaces the current stream of the
   module that the arrays belong to. */
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

/* Finds the stream for a launch: the one that this thread has set, else the
   current stream of the arrays' module. Returns false, with an exception, if
   the module fails. */
static bool find_stream(const Exchange *exchange, int device, void **stream) {
  if (own_stream.is_given)
    *stream = own_stream.handle;
  return own_stream.is_given || !exchange ||
         exchange->get_stream(DEVICE_CUDA, device, stream) == 0;
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

enum { MAX_ARGUMENTS = 64, MAX_MADE = 32, MAX_RANK = 8, MAX_PLANS = 16 };

/* One argument of a call: an array; a Python bool, int or float; or None, for
   which the kernel has no argument. */
typedef struct {
  PyTypeObject *type;
  const Exchange *exchange; /* null if the argument is not an array */
  Tensor tensor;            /* data is the address of the last checked call */
  int64_t sizes[MAX_RANK];
  int64_t strides[MAX_RANK];
  ptrdiff_t begin, end; /* the array's bytes, relative to its data */
  PyObject *number;     /* the value, or None; null for an array */
} Expected;

/* An array that a plan makes for each call. */
typedef struct {
  PyObject *make; /* a function without parameters */
  PyTypeObject *type;
  const Exchange *exchange;
} Made;

/* An array that a step takes. Its slot is the index of an argument of the call
   or, after these, of an array that the plan makes. */
typedef struct {
  size_t slot;
  size_t place;    /* index among the step's own arguments */
  const void *now; /* the address that the step has */
} Use;

typedef struct {
  void *handle;
  size_t num_uses;
  Use *uses;
} Step;

typedef struct {
  int holders;         /* the launcher, and the calls that use the plan */
  Py_ssize_t count;    /* number of arguments */
  Py_ssize_t num_made; /* number of arrays that are made */
  Py_ssize_t num_steps;
  uint64_t written;      /* a bit for each argument that a kernel writes */
  PyObject *words;       /* a dictionary of keyword arguments, or null */
  PyObject *arrays_word; /* the keyword whose value is arrays, or null */
  PyObject *guards;      /* a tuple of guards (captured.py) */
  PyObject
      *result; /* which slots the call returns: None, an index or a tuple */
  PyObject *within; /* calls a function on the stream that was set, or null */
  Expected *arguments;
  Made *made;
  Step *steps;
} Plan;

typedef struct {
  PyObject_HEAD PyObject *slow;
  Plan *plans[MAX_PLANS]; /* the most recently used one comes first */
  int num_plans;
} Launcher;

/* Releases a plan, which the last holder destroys. */
static void release_plan(Plan *plan) {
  if (!plan || --plan->holders > 0)
    return;
  for (Py_ssize_t i = 0; plan->steps && i < plan->num_steps; ++i) {
    if (plan->steps[i].handle && runtime.destroy)
      runtime.destroy(plan->steps[i].handle);
    PyMem_Free(plan->steps[i].uses);
  }
  for (Py_ssize_t i = 0; plan->arguments && i < plan->count; ++i) {
    Py_XDECREF((PyObject *)plan->arguments[i].type);
    Py_XDECREF(plan->arguments[i].number);
  }
  for (Py_ssize_t i = 0; plan->made && i < plan->num_made; ++i) {
    Py_XDECREF(plan->made[i].make);
    Py_XDECREF((PyObject *)plan->made[i].type);
  }
  Py_XDECREF(plan->words);
  Py_XDECREF(plan->arrays_word);
  Py_XDECREF(plan->guards);
  Py_XDECREF(plan->result);
  Py_XDECREF(plan->within);
  PyMem_Free(plan->steps);
  PyMem_Free(plan->made);
  PyMem_Free(plan->arguments);
  PyMem_Free(plan);
}

static bool is_number(PyObject *object) {
  return PyBool_Check(object) || PyLong_CheckExact(object) ||
         PyFloat_CheckExact(object);
}

/* Sets the range of bytes that the elements of an array lie in. */
static void find_bytes(Expected *expected) {
  const Tensor *tensor = &expected->tensor;
  ptrdiff_t bytes = (tensor->bits * tensor->lanes + 7) / 8, step = bytes;
  expected->begin = 0;
  expected->end = bytes;
  for (int i = tensor->ndim - 1; i >= 0; --i) {
    if (tensor->strides)
      step = expected->strides[i] * bytes;
    ptrdiff_t last = (expected->sizes[i] - 1) * step;
    *(last < 0 ? &expected->begin : &expected->end) += last;
    step *= expected->sizes[i];
  }
}

/* Records the properties that an argument of a matching call must have. Returns
   false, with an exception, if a call with this argument needs Python code. */
static bool expect(Expected *expected, PyObject *argument) {
  expected->type = Py_TYPE(argument);
  Py_INCREF((PyObject *)expected->type);
  if (argument == Py_None || is_number(argument)) {
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
  find_bytes(expected);
  tensor->shape = NULL;
  return true;
}

static bool is_same(PyObject *a, PyObject *b);

/* Whether `a` without the key `left_out`, which may be null, equals `b`. */
static bool is_same_without(PyObject *a, PyObject *left_out, PyObject *b) {
  if ((a ? PyDict_Size(a) : 0) - (left_out ? 1 : 0) != (b ? PyDict_Size(b) : 0))
    return false;
  PyObject *key, *value;
  for (Py_ssize_t at = 0; a && b && PyDict_Next(a, &at, &key, &value);) {
    if (left_out && PyUnicode_Compare(key, left_out) == 0)
      continue;
    PyObject *other = PyDict_GetItem(b, key);
    if (!other || !is_same(value, other))
      return false;
  }
  return true;
}

static bool is_same_dictionary(PyObject *a, PyObject *b) {
  return is_same_without(a, NULL, b);
}

/* Whether two Python values are the same. Ints, floats, texts, bytes and sets
   are compared by value, floats by their bits; tuples, lists and dictionaries
   by their elements; and any other values by identity. captured.is_same does
   the same, except that it compares complex values by value, too. */
static bool is_same(PyObject *a, PyObject *b) {
  if (a == b)
    return true;
  if (Py_TYPE(a) != Py_TYPE(b))
    return false;
  if (PyTuple_CheckExact(a) || PyList_CheckExact(a)) {
    Py_ssize_t size = PySequence_Size(a);
    bool same = PySequence_Size(b) == size;
    for (Py_ssize_t i = 0; same && i < size; ++i) {
      PyObject *x = PySequence_GetItem(a, i), *y = PySequence_GetItem(b, i);
      same = x && y && is_same(x, y);
      Py_XDECREF(x);
      Py_XDECREF(y);
    }
    PyErr_Clear();
    return same;
  }
  if (PyDict_CheckExact(a))
    return is_same_dictionary(a, b);
  if (!PyLong_CheckExact(a) && !PyFloat_CheckExact(a) &&
      !PyUnicode_CheckExact(a) && !PyBytes_CheckExact(a) &&
      Py_TYPE(a) != &PySet_Type && Py_TYPE(a) != &PyFrozenSet_Type)
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

/* Whether an argument is the one that a plan expects. For an array, also sets
   its address, its device and its exchange table. */
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

/* Whether the variable of a guard has the recorded value. The variable is a
   name in a mapping, or a cell. NotImplemented stands for no value. */
static bool holds(PyObject *guard) {
  PyObject *container = PyTuple_GetItem(guard, 0);
  PyObject *key = PyTuple_GetItem(guard, 1);
  PyObject *expected = PyTuple_GetItem(guard, 2);
  if (PyDict_CheckExact(container)) {
    PyObject *value = PyDict_GetItem(container, key);
    return value ? is_same(value, expected) : expected == Py_NotImplemented;
  }
  PyObject *value = key == Py_None
                        ? PyObject_GetAttrString(container, "cell_contents")
                        : PyObject_GetItem(container, key);
  bool same = value ? is_same(value, expected) : expected == Py_NotImplemented;
  PyErr_Clear();
  Py_XDECREF(value);
  return same;
}

static bool match_guards(const Plan *plan) {
  for (Py_ssize_t i = 0, n = PyTuple_Size(plan->guards); i < n; ++i)
    if (!holds(PyTuple_GetItem(plan->guards, i)))
      return false;
  return true;
}

/* Whether an array that the kernel writes may have bytes in common with another
   array, at addresses that the plan does not have yet. It compares the ranges
   of bytes; the slow path checks exactly. */
static bool may_overlap(const Plan *plan, const char *const *data) {
  for (Py_ssize_t i = 0; i < plan->count; ++i) {
    const Expected *a = &plan->arguments[i];
    if (!(plan->written >> i & 1) || !a->exchange)
      continue;
    for (Py_ssize_t j = 0; j < plan->count; ++j) {
      const Expected *b = &plan->arguments[j];
      if (j == i || !b->exchange ||
          (data[i] == a->tensor.data && data[j] == b->tensor.data))
        continue;
      if (data[i] + a->begin < data[j] + b->end &&
          data[j] + b->begin < data[i] + a->end)
        return true;
    }
  }
  return false;
}

/* Lists the arguments of a call: those without keyword, and the array or the
   tuple or list of arrays that the keyword `arrays_word`, unless it is null,
   gives. Returns their number; -1 if there are too many, or if the keyword is
   missing. The arguments are borrowed. */
static Py_ssize_t list_arguments(PyObject *arguments, PyObject *words,
                                 PyObject *arrays_word, PyObject **found) {
  Py_ssize_t count = PyTuple_Size(arguments), more = 0;
  PyObject *arrays = NULL;
  if (arrays_word) {
    arrays = words ? PyDict_GetItem(words, arrays_word) : NULL;
    if (!arrays)
      return -1;
    bool is_list = PyTuple_CheckExact(arrays) || PyList_CheckExact(arrays);
    more = is_list ? PySequence_Size(arrays) : 1;
  }
  if (count > MAX_ARGUMENTS || more > MAX_ARGUMENTS - count)
    return -1;
  for (Py_ssize_t i = 0; i < count; ++i)
    found[i] = PyTuple_GetItem(arguments, i);
  for (Py_ssize_t i = 0; i < more; ++i)
    found[count + i] = PyTuple_CheckExact(arrays)  ? PyTuple_GetItem(arrays, i)
                       : PyList_CheckExact(arrays) ? PyList_GetItem(arrays, i)
                                                   : arrays;
  return count + more;
}

/* A call that a plan launches, with the arguments and then the arrays that the
   plan makes. */
typedef struct {
  PyObject *slots[MAX_ARGUMENTS + MAX_MADE];
  const char *data[MAX_ARGUMENTS + MAX_MADE];
  const Exchange *exchange;
  int device;
} Call;

static bool match(const Plan *plan, PyObject *arguments, PyObject *words,
                  Call *call) {
  if (list_arguments(arguments, words, plan->arrays_word, call->slots) !=
          plan->count ||
      !is_same_without(words, plan->arrays_word, plan->words) ||
      !match_guards(plan))
    return false;
  for (Py_ssize_t i = 0; i < plan->count; ++i)
    if (!matches(&plan->arguments[i], call->slots[i], &call->data[i],
                 &call->device, &call->exchange))
      return false;
  return !may_overlap(plan, call->data);
}

/* The result of an attempt to launch by a plan; FAILED is with an exception. */
typedef enum { NO_MATCH, LAUNCHED, FAILED } Attempt;

/* Makes an array; null with an exception. */
static PyObject *make_array(const Plan *plan, const Made *made,
                            const Call *call) {
  if (!own_stream.is_given || !plan->within)
    return PyObject_CallNoArgs(made->make);
  for (Py_ssize_t i = 0; i < plan->count; ++i)
    if (plan->arguments[i].exchange)
      return PyObject_CallFunctionObjArgs(plan->within, made->make,
                                          call->slots[i], NULL);
  return PyObject_CallNoArgs(made->make);
}

/* Makes the arrays of a plan. This runs Python code, which may call any
   launcher, and lets other threads run. */
static Attempt make_arrays(const Plan *plan, Call *call) {
  for (Py_ssize_t i = 0; i < plan->num_made; ++i) {
    const Made *made = &plan->made[i];
    PyObject *array = make_array(plan, made, call);
    call->slots[plan->count + i] = array;
    if (!array)
      return FAILED;
    Tensor tensor;
    if (Py_TYPE(array) != made->type)
      return NO_MATCH; /* in a mode of PyTorch that makes other tensors */
    if (made->exchange->get_tensor(array, &tensor) != 0) {
      PyErr_Clear();
      return NO_MATCH;
    }
    call->data[plan->count + i] =
        (const char *)tensor.data + tensor.byte_offset;
  }
  return LAUNCHED;
}

static bool set_arrays(Step *step, const Call *call) {
  for (size_t i = 0; i < step->num_uses; ++i) {
    Use *use = &step->uses[i];
    const void *data = call->data[use->slot];
    if (use->now == data)
      continue;
    if (runtime.set_array(step->handle, use->place, data) != 0)
      return false; /* the slow path reports the error */
    use->now = data;
  }
  return true;
}

/* Launches the steps. No other thread runs meanwhile. */
static Attempt launch_steps(Plan *plan, const Call *call) {
  void *stream = NULL;
  if (!find_stream(call->exchange, call->device, &stream))
    return FAILED;
  for (Py_ssize_t i = 0; i < plan->num_steps; ++i)
    if (!set_arrays(&plan->steps[i], call))
      return NO_MATCH;
  for (Py_ssize_t i = 0; i < plan->count; ++i)
    if (plan->arguments[i].exchange)
      plan->arguments[i].tensor.data = (void *)call->data[i];
  for (Py_ssize_t i = 0; i < plan->num_steps; ++i)
    if (runtime.launch(plan->steps[i].handle, stream) != 0)
      return NO_MATCH;
  return LAUNCHED;
}

/* Returns the result of a call, which `template` describes; null with an
   exception. */
static PyObject *make_result(PyObject *template, PyObject *const *slots) {
  if (PyLong_Check(template)) {
    PyObject *found = slots[PyLong_AsSsize_t(template)];
    Py_INCREF(found);
    return found;
  }
  if (!PyTuple_CheckExact(template))
    Py_RETURN_NONE;
  Py_ssize_t size = PyTuple_Size(template);
  PyObject *made = PyTuple_New(size);
  for (Py_ssize_t i = 0; made && i < size; ++i) {
    PyObject *part = make_result(PyTuple_GetItem(template, i), slots);
    if (!part || PyTuple_SetItem(made, i, part) != 0)
      Py_CLEAR(made);
  }
  return made;
}

/* If LAUNCHED, sets `result`. */
static Attempt try_plan(Plan *plan, PyObject *arguments, PyObject *words,
                        PyObject **result) {
  Call call;
  call.exchange = NULL;
  call.device = 0;
  if (!match(plan, arguments, words, &call))
    return NO_MATCH;
  for (Py_ssize_t i = 0; i < plan->count; ++i)
    Py_INCREF(call.slots[i]);
  for (Py_ssize_t i = 0; i < plan->num_made; ++i)
    call.slots[plan->count + i] = NULL;
  Attempt attempt = make_arrays(plan, &call);
  if (attempt == LAUNCHED)
    attempt = launch_steps(plan, &call);
  if (attempt == LAUNCHED) {
    *result = make_result(plan->result, call.slots);
    if (!*result)
      attempt = FAILED;
  }
  for (Py_ssize_t i = 0; i < plan->count + plan->num_made; ++i)
    Py_XDECREF(call.slots[i]);
  return attempt;
}

/*===----------------------------------------------------------------------===*\
|* Launchers
\*===----------------------------------------------------------------------===*/

static void use_first(Launcher *self, const Plan *used) {
  int number = 0;
  while (number < self->num_plans && self->plans[number] != used)
    ++number;
  if (number == self->num_plans) /* removed meanwhile */
    return;
  Plan *plan = self->plans[number];
  memmove(&self->plans[1], &self->plans[0], sizeof(Plan *) * (size_t)number);
  self->plans[0] = plan;
}

static PyObject *call(PyObject *object, PyObject *arguments, PyObject *words) {
  Launcher *self = (Launcher *)object;
  for (int i = 0; i < self->num_plans; ++i) {
    Plan *plan = self->plans[i];
    PyObject *result = NULL;
    ++plan->holders;
    Attempt attempt = try_plan(plan, arguments, words, &result);
    if (attempt == LAUNCHED && (i != 0 || self->plans[0] != plan))
      use_first(self, plan);
    release_plan(plan);
    if (attempt == FAILED)
      return NULL;
    if (attempt == LAUNCHED)
      return result;
  }
  if (!self->slow) {
    PyErr_SetString(PyExc_TypeError, "a launcher that was not initialized");
    return NULL;
  }
  return PyObject_Call(self->slow, arguments, words);
}

static bool check_guards(PyObject *guards) {
  for (Py_ssize_t i = 0, n = PyTuple_Size(guards); i < n; ++i) {
    PyObject *guard = PyTuple_GetItem(guards, i);
    if (!PyTuple_CheckExact(guard) || PyTuple_Size(guard) != 3) {
      PyErr_SetString(PyExc_TypeError, "expected guards of three values");
      return false;
    }
  }
  return true;
}

/* Returns a plan without steps for calls with such arguments; null if there is
   none, with an exception if that is an error. */
static Plan *make_plan(PyObject *arguments, PyObject *words,
                       PyObject *arrays_word, PyObject *guards) {
  PyObject *found[MAX_ARGUMENTS];
  Py_ssize_t count = list_arguments(arguments, words, arrays_word, found);
  if (!check_guards(guards) || count < 0)
    return NULL;
  Plan *plan = PyMem_Calloc(1, sizeof(Plan));
  Expected *expected = PyMem_Calloc((size_t)count + 1, sizeof(Expected));
  if (!plan || !expected) {
    PyMem_Free(plan);
    PyMem_Free(expected);
    PyErr_NoMemory();
    return NULL;
  }
  plan->holders = 1;
  plan->count = count;
  plan->arguments = expected;
  plan->guards = guards;
  Py_INCREF(guards);
  plan->arrays_word = arrays_word;
  Py_XINCREF(arrays_word);
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!expect(&expected[i], found[i])) {
      PyErr_Clear();
      release_plan(plan);
      return NULL;
    }
  plan->words = PyDict_Copy(words);
  if (!plan->words ||
      (arrays_word && PyDict_DelItem(plan->words, arrays_word) != 0)) {
    release_plan(plan);
    return NULL;
  }
  return plan;
}

/* Makes room for `count` steps. Returns false, with an exception, if there is
   no memory. */
static bool make_steps(Plan *plan, Py_ssize_t count) {
  plan->steps = PyMem_Calloc((size_t)count + 1, sizeof(Step));
  if (!plan->steps)
    PyErr_NoMemory();
  plan->num_steps = plan->steps ? count : 0;
  return plan->steps != NULL;
}

/* Makes room for `count` uses of a step; as make_steps. */
static bool make_uses(Step *step, Py_ssize_t count) {
  step->uses = PyMem_Calloc((size_t)count + 1, sizeof(Use));
  if (!step->uses)
    PyErr_NoMemory();
  return step->uses != NULL;
}

/* Adds the only step of a plan, which takes all arguments of the call that are
   not None. */
static bool add_own_step(Plan *plan, void *handle) {
  if (!make_steps(plan, 1) || !make_uses(&plan->steps[0], plan->count))
    return false;
  Step *step = &plan->steps[0];
  size_t place = 0;
  for (Py_ssize_t i = 0; i < plan->count; ++i) {
    const Expected *argument = &plan->arguments[i];
    if (argument->exchange)
      step->uses[step->num_uses++] =
          (Use){(size_t)i, place, argument->tensor.data};
    place += argument->number != Py_None;
  }
  step->handle = handle;
  return true;
}

/* Adds the steps that Python describes: for each, its handle and pairs of the
   slot and the place of an array. */
static bool add_steps(Plan *plan, PyObject *steps) {
  if (!make_steps(plan, PyTuple_Size(steps)))
    return false;
  for (Py_ssize_t i = 0; i < plan->num_steps; ++i) {
    Step *step = &plan->steps[i];
    unsigned long long handle;
    PyObject *uses;
    if (!PyArg_ParseTuple(PyTuple_GetItem(steps, i), "KO!", &handle,
                          &PyTuple_Type, &uses) ||
        !make_uses(step, PyTuple_Size(uses)))
      return false;
    for (Py_ssize_t j = 0, n = PyTuple_Size(uses); j < n; ++j) {
      Py_ssize_t slot, place;
      if (!PyArg_ParseTuple(PyTuple_GetItem(uses, j), "nn", &slot, &place))
        return false;
      bool is_array = slot >= plan->count || (slot >= 0 && place >= 0 &&
                                              plan->arguments[slot].exchange);
      if (!is_array || slot >= plan->count + plan->num_made) {
        PyErr_SetString(PyExc_TypeError, "expected slots of arrays");
        return false;
      }
      /* The address is set by the first launch. */
      step->uses[step->num_uses++] = (Use){(size_t)slot, (size_t)place, NULL};
    }
  }
  /* The plan owns the handles when nothing fails any more. */
  for (Py_ssize_t i = 0; i < plan->num_steps; ++i) {
    PyObject *handle = PyTuple_GetItem(PyTuple_GetItem(steps, i), 0);
    plan->steps[i].handle =
        (void *)(uintptr_t)PyLong_AsUnsignedLongLong(handle);
  }
  return true;
}

/* Adds the arrays that a plan makes: pairs of a function and the type of its
   result. Returns false if there are too many or if a type has no exchange,
   with an exception if that is an error. */
static bool add_made(Plan *plan, PyObject *made) {
  Py_ssize_t count = PyTuple_Size(made);
  if (count > MAX_MADE)
    return false;
  plan->made = PyMem_Calloc((size_t)count + 1, sizeof(Made));
  if (!plan->made) {
    PyErr_NoMemory();
    return false;
  }
  for (; plan->num_made < count; ++plan->num_made) {
    PyObject *make, *type;
    if (!PyArg_ParseTuple(PyTuple_GetItem(made, plan->num_made), "OO!", &make,
                          &PyType_Type, &type))
      return false;
    const Exchange *exchange = find_exchange((PyTypeObject *)type);
    if (!exchange)
      return false;
    Py_INCREF(make);
    Py_INCREF(type);
    plan->made[plan->num_made] = (Made){make, (PyTypeObject *)type, exchange};
  }
  return true;
}

/* Checks the description of a result. */
static bool check_result(const Plan *plan, PyObject *result) {
  if (PyLong_Check(result)) {
    Py_ssize_t slot = PyLong_AsSsize_t(result);
    if (slot >= 0 && slot < plan->count + plan->num_made)
      return true;
    PyErr_SetString(PyExc_TypeError, "expected a slot as the result");
    return false;
  }
  for (Py_ssize_t i = 0; PyTuple_CheckExact(result) && i < PyTuple_Size(result);
       ++i)
    if (!check_result(plan, PyTuple_GetItem(result, i)))
      return false;
  return true;
}

static void keep_plan(Launcher *self, Plan *plan) {
  if (self->num_plans == MAX_PLANS)
    release_plan(self->plans[--self->num_plans]);
  self->plans[self->num_plans++] = plan;
  use_first(self, plan);
}

/* Returns False, or null if there is an exception, for a plan that failed. */
static PyObject *refuse_plan(Plan *plan) {
  release_plan(plan);
  if (PyErr_Occurred())
    return NULL;
  Py_RETURN_FALSE;
}

static PyObject *add(PyObject *object, PyObject *given) {
  unsigned long long handle, written;
  PyObject *arguments, *words, *guards;
  if (!PyArg_ParseTuple(given, "KO!O!O!K", &handle, &PyTuple_Type, &arguments,
                        &PyDict_Type, &words, &PyTuple_Type, &guards, &written))
    return NULL;
  Plan *plan = make_plan(arguments, words, NULL, guards);
  if (!plan || !add_own_step(plan, (void *)(uintptr_t)handle))
    return refuse_plan(plan);
  plan->written = written;
  plan->result = Py_None;
  Py_INCREF(Py_None);
  keep_plan((Launcher *)object, plan);
  Py_RETURN_TRUE;
}

static PyObject *add_call(PyObject *object, PyObject *given) {
  unsigned long long written;
  PyObject *steps, *arguments, *words, *word, *guards, *made, *result, *within;
  if (!PyArg_ParseTuple(given, "O!O!O!OO!KO!OO", &PyTuple_Type, &steps,
                        &PyTuple_Type, &arguments, &PyDict_Type, &words, &word,
                        &PyTuple_Type, &guards, &written, &PyTuple_Type, &made,
                        &result, &within))
    return NULL;
  Plan *plan =
      make_plan(arguments, words, word == Py_None ? NULL : word, guards);
  if (!plan || !add_made(plan, made) || !check_result(plan, result) ||
      !add_steps(plan, steps))
    return refuse_plan(plan);
  plan->written = written;
  plan->result = result;
  Py_INCREF(result);
  plan->within = within;
  Py_INCREF(within);
  keep_plan((Launcher *)object, plan);
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
  for (int i = 0; i < self->num_plans; ++i) {
    const Plan *plan = self->plans[i];
    if (plan->holders > 1) /* a call uses it */
      continue;
    Py_VISIT(plan->words);
    Py_VISIT(plan->guards);
    for (Py_ssize_t k = 0; k < plan->num_made; ++k)
      Py_VISIT(plan->made[k].make);
  }
  return 0;
}

static int clear(PyObject *object) {
  Launcher *self = (Launcher *)object;
  Py_CLEAR(self->slow);
  while (self->num_plans > 0)
    release_plan(self->plans[--self->num_plans]);
  return 0;
}

/* Deallocates an object of a type of this module. `clear_members` releases its
   members. */
static void end_object(PyObject *object, inquiry clear_members) {
  PyTypeObject *type = Py_TYPE(object);
  PyObject_GC_UnTrack(object);
  clear_members(object);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF((PyObject *)type);
}

static void deallocate(PyObject *object) { end_object(object, clear); }

static PyMethodDef launcher_methods[] = {
    {"add", add, METH_VARARGS,
     "add(handle, arguments, words, guards, written) -> bool\n\n"
     "Makes a plan of a prepared launch, for calls with such arguments, while "
     "what guards say holds. `written` has a bit for each argument that the "
     "kernel writes. Returns whether calls with such arguments can be launched "
     "by it; if so, the launcher owns the handle."},
    {"add_call", add_call, METH_VARARGS,
     "add_call(steps, arguments, words, arrays, guards, written, made, result, "
     "within) -> bool\n\n"
     "Makes a plan of several steps, pairs of a handle and of pairs (slot, "
     "place), each for an argument of the step that is an array. Slots count "
     "the arguments of the call, then the arrays of the keyword `arrays`, "
     "unless it is None, and then the arrays that the plan makes: `made` has "
     "pairs of a function without parameters and the type of its result. "
     "`result` is the slot that a call returns, or a tuple of such. "
     "`within(make, array)` calls `make` on the stream that was set, for the "
     "library of `array`. Returns and owns as `add` does."},
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

/*===----------------------------------------------------------------------===*\
|* Prepared launches
\*===----------------------------------------------------------------------===*/

typedef struct {
  PyObject_HEAD void *handle; /* null before initialization */
  PyObject *arguments;        /* keeps the arrays alive */
  PyObject *fail;
  const Exchange *exchange;
  int device;
} Prepared;

/* Prepared(handle, arguments, fail): the object then owns the plan. It calls
   `fail(status)`, which raises the error, if a launch fails. */
static int initialize_prepared(PyObject *object, PyObject *given,
                               PyObject *words) {
  Prepared *self = (Prepared *)object;
  unsigned long long handle;
  PyObject *arguments, *fail;
  (void)words;
  if (!PyArg_ParseTuple(given, "KO!O", &handle, &PyTuple_Type, &arguments,
                        &fail))
    return -1;
  if (self->handle) {
    PyErr_SetString(PyExc_TypeError, "a launch that was initialized before");
    return -1;
  }
  for (Py_ssize_t i = 0, n = PyTuple_Size(arguments); i < n; ++i) {
    PyObject *argument = PyTuple_GetItem(arguments, i);
    Tensor tensor;
    const Exchange *exchange = find_exchange(Py_TYPE(argument));
    if (!exchange)
      continue;
    if (exchange->get_tensor(argument, &tensor) != 0)
      return -1;
    self->exchange = exchange;
    self->device = tensor.device_id;
    break;
  }
  if (!self->exchange) {
    PyErr_SetString(PyExc_TypeError, "no array with DLPack's exchange");
    return -1;
  }
  Py_INCREF(arguments);
  Py_INCREF(fail);
  self->arguments = arguments;
  self->fail = fail;
  self->handle = (void *)(uintptr_t)handle;
  return 0;
}

static PyObject *call_prepared(PyObject *object, PyObject *arguments,
                               PyObject *words) {
  Prepared *self = (Prepared *)object;
  void *stream = NULL;
  if (!self->handle || PyTuple_Size(arguments) != 0 ||
      (words && PyDict_Size(words) != 0)) {
    PyErr_SetString(PyExc_TypeError,
                    "expected a call of a prepared launch without arguments");
    return NULL;
  }
  if (!find_stream(self->exchange, self->device, &stream))
    return NULL;
  int32_t status = runtime.launch(self->handle, stream);
  if (status != 0)
    return PyObject_CallFunction(self->fail, "i", (int)status);
  Py_RETURN_NONE;
}

static int traverse_prepared(PyObject *object, visitproc visit, void *arg) {
  Prepared *self = (Prepared *)object;
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->arguments);
  Py_VISIT(self->fail);
  return 0;
}

static int clear_prepared(PyObject *object) {
  Prepared *self = (Prepared *)object;
  if (self->handle && runtime.destroy)
    runtime.destroy(self->handle);
  self->handle = NULL;
  Py_CLEAR(self->arguments);
  Py_CLEAR(self->fail);
  return 0;
}

static void deallocate_prepared(PyObject *object) {
  end_object(object, clear_prepared);
}

static PyType_Slot prepared_slots[] = {
    {Py_tp_doc, "A launch with the arrays that it was made with."},
    {Py_tp_init, initialize_prepared},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_call, call_prepared},
    {Py_tp_traverse, traverse_prepared},
    {Py_tp_clear, clear_prepared},
    {Py_tp_dealloc, deallocate_prepared},
    {0, NULL}};

static PyType_Spec prepared_spec = {.name = "tile_mlir._launch.Prepared",
                                    .basicsize = sizeof(Prepared),
                                    .flags =
                                        Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
                                    .slots = prepared_slots};

/*===----------------------------------------------------------------------===*\
|* The module
\*===----------------------------------------------------------------------===*/

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

static bool add_type(PyObject *module, const char *name, PyType_Spec *spec) {
  PyObject *type = PyType_FromSpec(spec);
  bool is_added = type && PyModule_AddObjectRef(module, name, type) == 0;
  Py_XDECREF(type);
  return is_added;
}

PyMODINIT_FUNC PyInit__launch(void) {
  PyObject *module = PyModule_Create(&definition);
  if (module && (!add_type(module, "Launcher", &launcher_spec) ||
                 !add_type(module, "Prepared", &prepared_spec)))
    Py_CLEAR(module);
  return module;
}
