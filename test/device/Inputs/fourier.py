# fourier.py - compares tile.fft, tile.ifft, tile.rfft and tile.irfft with wider types
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   fourier.py --on=cpu
#   fourier.py --all --on=emulator --arch=sm_80
#
# Errors are measured relative to the norm of a row, in units of u sqrt(log2 n). Errors
# of single elements have the unit 4 u (log2(n) |row| + |element|): |row| is the norm of
# the source's row, and |element| is added since the element itself is rounded
# (docs/FourierTransforms.md). The norm of a row of a few elements is no average, and
# neither is the average of a few rows. --all runs every length up to 512 and random
# longer ones.

from dataclasses import dataclass, replace
from itertools import islice

from harness import *

rng = np.random.default_rng(43)
UNIT = {"f32": 2.0 ** -24, "f64": 2.0 ** -53}
LEAST = {"f32": 2.0 ** -149, "f64": 2.0 ** -1074}
TINY = np.finfo(np.longdouble).tiny
BACK = {"fft": "ifft", "ifft": "fft", "rfft": "irfft"}
BACK_NORM = {None: None, "none": "by_n", "by_n": "none", "ortho": "ortho"}
# Bounds of the error averaged over rows, by the kind of length, and of the error of a
# single row, which is checked from MIN_ROW elements on.
BOUNDS = {"passes": 0.8, "large primes": 1.1, "nested": 1.4}
ROW_BOUND, MIN_ROW = 1.5, 8
# Bounds of the error of a single element, in general and for tones: equal values are
# rounded alike there, and their errors add up in one element of the result. SciPy's
# pocketfft reaches 2.5 for a tone of 4096 elements.
ELEMENT_BOUND, TONE_BOUND = 1, 2
# Factor on the bound of an average over fewer than MANY rows.
MANY, SPREAD = 8, 1.04
# Maximum length, in complex elements, that a block transforms.
MAX_LENGTH = {"f32": 16384, "f64": 8192}
# Maximum length that the definition transforms in one step in long double.
MAX_BY_DEFINITION = 512


# ---------------------------------------------------------------------------
# Reference results
# ---------------------------------------------------------------------------

@functools.cache
def get_roots(n):
    """Returns e^(-2 pi i k / n) in long double; angles are at most half a turn."""
    k = np.arange(n)
    k = np.where(2 * k > n, k - n, k).astype(np.longdouble)
    angle = k * (8 * np.arctan(np.longdouble(1))) / n
    return np.cos(angle) - 1j * np.sin(angle)


def transform_by_definition(x):
    n = x.shape[-1]
    indices = np.arange(n)
    return np.concatenate(
        [x @ get_roots(n)[np.outer(indices, some) % n]
         for some in np.array_split(indices, -(-n // 512))], axis=-1)


def transform_long_double(x):
    """Transforms the last axis; splits longer rows by their least factor first."""
    n = x.shape[-1]
    factor = next((p for p in range(2, n) if n % p == 0), n)
    if n <= MAX_BY_DEFINITION or factor == n:
        return transform_by_definition(x)
    rest = n // factor
    parts = transform_long_double(
        np.swapaxes(x.reshape(x.shape[:-1] + (rest, factor)), -1, -2))
    parts = parts * get_roots(n)[np.outer(np.arange(factor), np.arange(rest))]
    parts = np.swapaxes(transform_by_definition(np.swapaxes(parts, -1, -2)),
                        -1, -2)
    return parts.reshape(x.shape)


def transform(x, element, is_inverse):
    """Returns the unscaled transform, in a wider type than the element's."""
    if is_inverse:
        return np.conj(transform(np.conj(x), element, False))
    if element == "f32":
        return np.fft.fft(x.astype(np.complex128))
    return transform_long_double(x.astype(np.clongdouble))


def complete(spectrum, n):
    """Returns all n elements of the spectrum of a real signal."""
    y = np.empty(spectrum.shape[:-1] + (n,), spectrum.dtype)
    y[..., :n // 2 + 1] = spectrum
    y[..., n // 2 + 1:] = np.conj(spectrum[..., 1:(n + 1) // 2][..., ::-1])
    y[..., 0].imag = 0
    if n % 2 == 0:
        y[..., n // 2].imag = 0
    return y


def list_prime_factors(n):
    """Returns the prime factors in ascending order."""
    factors = []
    while n > 1:
        factors.append(next((p for p in range(2, int(n ** 0.5) + 1)
                             if n % p == 0), n))
        n //= factors[-1]
    return factors


def is_transformed_by_passes(n):
    return all(factor <= 13 for factor in list_prime_factors(n))


def has_nested_convolution(n, element):
    """Returns whether rows of more than half the maximum length, which leave no room
    for a convolution of twice the length, have a prime factor p whose convolution
    nests another one for a prime factor of p - 1."""
    large = [p for p in list_prime_factors(n) if p > 31]
    return n > MAX_LENGTH[element] // 2 and any(
        list_prime_factors(p - 1)[-1] > 31 for p in large)


# ---------------------------------------------------------------------------
# Programs
# ---------------------------------------------------------------------------

@dataclass(frozen=True)
class Case:
    """A transform of rows of n elements."""
    op: str
    element: str
    batch: tuple
    n: int
    norm: str = None
    plan: str = None
    block: int = None

    def get_tile(self, is_source):
        """Returns the shape and element type of the source or the result."""
        is_spectrum = is_source == (self.op == "irfft")
        complex_element = "complex<%s>" % self.element
        if self.op in ("fft", "ifft"):
            return self.batch + (self.n,), complex_element
        if is_spectrum:
            return self.batch + (self.n // 2 + 1,), complex_element
        return self.batch + (self.n,), self.element

    @property
    def source(self):
        return self.get_tile(True)

    @property
    def result(self):
        return self.get_tile(False)

    @property
    def is_inverse(self):
        return self.op in ("ifft", "irfft")

    @property
    def scale(self):
        norm = self.norm or ("by_n" if self.is_inverse else "none")
        return {"none": 1, "by_n": 1 / np.longdouble(self.n),
                "ortho": 1 / np.sqrt(np.longdouble(self.n))}[norm]

    @property
    def kind(self):
        if is_transformed_by_passes(self.n):
            return "passes"
        is_halved = self.op in ("rfft", "irfft") and self.n % 2 == 0
        is_nested = has_nested_convolution(self.n // (1 + is_halved),
                                           self.element)
        return "nested" if is_nested else "large primes"

    @property
    def back(self):
        return replace(self, op=BACK[self.op], norm=BACK_NORM[self.norm])

    def write(self, result, source):
        """Returns a line of a kernel: the tile %result, transformed from %source."""
        types = tile_type(*self.source)
        if self.op not in ("fft", "ifft"):
            types += " to " + tile_type(*self.result)
        return "  %%%s = tile.%s %%%s%s%s : %s\n" % (
            result, self.op, source, " norm " + self.norm if self.norm else "",
            " plan <%s>" % self.plan if self.plan else "", types)

    def compute(self, x):
        """Returns the result, and a bound of its elements' sizes in each row."""
        if self.op == "irfft":
            x = complete(x, self.n)
        y = transform(x, self.element, self.is_inverse) * self.scale
        if self.op == "rfft":
            y = y[..., :self.n // 2 + 1]
        return y.real if self.op == "irfft" else y, get_norm(x) * self.scale


def launch(case, x, goes_back):
    """Returns the transform and, if `goes_back`, the inverse of that result."""
    arguments = "%%x: %s, %%y: %s" % (memref(*case.source),
                                      memref(*case.result))
    body = load("a", "x", *case.source) + case.write("b", "a")
    body += store("b", "y", *case.result)
    if goes_back:
        arguments += ", %%z: %s" % memref(*case.source)
        body += case.back.write("c", "b") + store("c", "z", *case.source)
    outputs = (Out(), Out()) if goes_back else (Out(),)
    return run(kernel(arguments, body, case.block), "f", x, *outputs)


# ---------------------------------------------------------------------------
# Errors
# ---------------------------------------------------------------------------

WORST = {}


def get_norm(x):
    """Returns the norm of each row, also where squares overflow or underflow."""
    x = x.astype(np.clongdouble)
    return np.sqrt((x.real ** 2 + x.imag ** 2).sum(-1))


def note(what, bound, figure, case):
    """Exits if a figure exceeds its bound; records the worst one per kind."""
    key = "%s by %s, %s" % (case.element, case.kind, what)
    worst = WORST.get(key)
    if worst is None or figure / bound > worst[0] / worst[1]:
        WORST[key] = (figure, bound, case)
    if not figure <= bound:
        raise SystemExit("%s: %s of %.3g, expected at most %.3g" % (
            case, what, figure, bound))


def count_averaged(n):
    """Minimum count of elements for which the average over rows is checked; fewer
    rows do not average out. Averages of long rows are close to their bound."""
    return 192 if n < 32 else 1000


def judge(case, found, exact, size, is_random=True, trips=1, absolute=0):
    """Compares with the exact result after `trips` transforms (1 or 2). `size` bounds
    the elements of each row; `absolute` is an additional absolute tolerance."""
    if found.shape != exact.shape or not np.isfinite(found).all():
        raise SystemExit("%s: expected finite numbers of shape %s, got %s" % (
            case, exact.shape, found))
    error = np.abs(found - exact)
    if case.n == 1:
        return note("length of one", LEAST[case.element], error.max(), case)
    unit = UNIT[case.element]
    name = "" if trips == 1 else ", there and back"
    bound = 4 * trips * unit * (np.log2(case.n) * size[..., None] +
                                np.abs(exact)) + absolute
    is_tone = not is_random and not absolute
    note("element" + (" of tones" if is_tone else "") + name,
         TONE_BOUND if is_tone else ELEMENT_BOUND,
         (error / (bound + TINY)).max(), case)
    if absolute:
        return
    ratios = get_norm(error) / (get_norm(exact) + TINY) / (
        unit * np.sqrt(np.log2(case.n)))
    if case.n >= MIN_ROW:
        note("row" + name, ROW_BOUND * trips, ratios.max(), case)
    if is_random and error.size >= count_averaged(case.n):
        spread = 1 if ratios.size >= MANY else SPREAD
        note("average" + name, BOUNDS[case.kind] * trips * spread,
             np.sqrt((ratios ** 2).mean()), case)


def make_random(case):
    return random_values(rng, *case.source)


def check(case, x=None, goes_back=True, absolute=0):
    """Checks a transform, the inverse of its result, and the round trip."""
    is_random = x is None
    if is_random:
        x = make_random(case)
    found = launch(case, x, goes_back)
    forward = found[0] if goes_back else found
    judge(case, forward, *case.compute(x), is_random, absolute=absolute)
    if not goes_back:
        return forward
    judge(case.back, found[1], *case.back.compute(forward), is_random)
    exact = x.astype(np.clongdouble)
    judge(case, found[1], exact, get_norm(exact), is_random, trips=2)
    return forward


# ---------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------

def get_rows(n):
    """Returns a batch of some thousand elements, whose average varies by about 2%; a
    batch of short rows, which are far from their bound, has a few hundred."""
    return (max(1, 384 // n if n < 32 else -(-1536 // n)),)


def check_length(element, n):
    """Checks random rows, complex and real."""
    batch = get_rows(n)
    check(Case("fft", element, batch, n))
    check(Case("rfft", element, batch, n))


def check_impulses(element, n):
    """Checks rows with one nonzero element. If that element is at index 0, each element
    of the result must be equal to it: exactly if all prime factors of n are at most 13,
    and otherwise within the error bound, as for other rows."""
    indices = sorted({0, 1 % n, n // 3, n // 2, n - 1})
    case = Case("fft", element, (len(indices),), n)
    x = np.zeros((len(indices), n), DTYPES["complex<%s>" % element])
    x[range(len(indices)), indices] = make_random(case)[:, 0]
    found = check(case, x)
    if case.kind == "passes" and not (found[0] == x[0, 0]).all():
        raise SystemExit("%s: expected a constant of an impulse at zero, got "
                         "%s" % (case, found[0]))


def check_tones(element, n):
    """Checks rows whose result is almost zero in all elements but one."""
    tones = sorted({0, 1 % n, n // 3, n // 2, n - 1})
    case = Case("fft", element, (len(tones),), n)
    indices = np.outer(tones, np.arange(n)) % n
    x = np.conj(get_roots(n))[indices].astype(DTYPES["complex<%s>" % element])
    check(case, x)
    real = replace(case, op="rfft")
    check(real, np.ascontiguousarray(x.real))


def check_denormals(element, n):
    """Checks subnormal values: each addition may lose half of the least one, and
    the convolutions of large prime factors have more additions."""
    size = {"f32": 1e-40, "f64": 1e-310}[element]
    for op in ("fft", "rfft"):
        case = Case(op, element, (3,), n)
        absolute = LEAST[element] * n * (1 if case.kind == "passes" else 16)
        check(case, (make_random(case) * size).astype(
            DTYPES[case.source[1]]), goes_back=False, absolute=absolute)
        back = case.back
        check(back, (make_random(back) * size).astype(
            DTYPES[back.source[1]]), goes_back=False, absolute=absolute)


def check_not_finite(op, element, n, rows, block=None):
    """Checks that infinities and NaN reach their whole row and no other row."""
    case = Case(op, element, (rows,), n, block=block)
    x = make_random(case)
    spoilt = {1 % rows: np.inf, rows // 2: np.nan, rows - 1: -np.inf}
    for row, value in spoilt.items():
        x[row, rng.integers(x.shape[1])] = value
    found = launch(case, x, goes_back=False)
    good = [row for row in range(rows) if row not in spoilt]
    judge(replace(case, batch=(len(good),)), found[good],
          *case.compute(x[good]))
    if op != "irfft" and np.isfinite(found[list(spoilt)]).any():
        raise SystemExit("%s: expected no finite number" % (case,))


def check_not_read(element, n):
    """Checks that the imaginary part of the first element is not read, nor that of
    the last element with an even n."""
    case = Case("irfft", element, (3,), n)
    x = make_random(case)
    x[..., 0].imag = np.nan
    if n % 2 == 0:
        x[..., -1].imag = np.inf
    check(case, x, goes_back=False)


PLANS = [
    (64, "radices = [8, 8]"), (64, "radices = [8, 8], threads = 8"),
    (64, "radices = [4, 4, 4], threads = 16"), (64, "radices = [16, 4]"),
    (64, "radices = [4, 16], threads = 4"),
    (64, "radices = [2, 2, 2, 2, 2, 2], threads = 32"),
    (64, "radices = [8, 8], threads = 1"),
    (64, "radices = [8, 8], threads = 64"),
    (60, "radices = [3, 4, 5]"), (60, "radices = [15, 4], threads = 2"),
    (60, "radices = [4, 15], threads = 16"), (60, "radices = [2, 5, 6]"),
    (13, "radices = [13], threads = 4"), (16, "radices = [16], threads = 32"),
    (143, "radices = [11, 13]"), (143, "radices = [13, 11], threads = 4"),
    (196, "radices = [14, 14], threads = 8"), (98, "radices = [7, 14]"),
    (1000, "radices = [10, 10, 10], threads = 64"),
    (1000, "radices = [8, 5, 5, 5], threads = 128"),
    (1024, "radices = [4, 16, 16], threads = 64"),
    (1024, "radices = [16, 8, 8], threads = 128"),
    (1024, "radices = [4, 4, 4, 4, 4], threads = 256"),
    (1024, "radices = [8, 8, 16], threads = 32"),
    (17, "radices = [16]"), (31, "radices = [5, 6], threads = 2"),
    (37, "radices = [9, 4], threads = 16"), (37, "radices = [3, 12]"),
    (1009, "radices = [7, 9, 16], threads = 32"), (3, "radices = [2]"),
    (1009, "radices = [14, 9, 8], threads = 128"),
]


def list_prime_numbers(begin, end):
    return [n for n in range(begin, end)
            if all(n % p for p in range(2, int(n ** 0.5) + 1))]


def list_lengths():
    """Yields pairs of element type and length."""
    for n in range(1, 65):
        yield "f32", n
    for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 23,
              25, 26, 27, 30, 31, 32, 34, 36, 37, 47, 48, 49, 51, 60, 64):
        yield "f64", n
    for n in (65, 74, 75, 77, 81, 82, 83, 91, 96, 97, 100, 121, 125, 127, 128,
              143, 144, 169, 187, 194, 211, 225, 243, 256, 257, 296, 300, 343,
              360, 384, 420,
              429, 487, 500, 507, 509, 510, 511, 512):
        yield "f32" if n % 3 else "f64", n
    for n in (1000, 1009, 1011, 1018, 1024, 1331, 1369, 1459, 1517, 2003, 2048,
              4096, 8192, 16384,
              4093, 8191, 12289, 16381):
        yield "f32", n
    for n in (729, 1024, 1021, 4096, 8192, 4093, 8191):
        yield "f64", n


def list_more_lengths():
    for element in ("f32", "f64"):
        most = 16384 if element == "f32" else 8192
        for n in range(1, 513):
            yield element, n
        for n in rng.integers(513, most // 2, 40):
            yield element, int(n)
        for n in rng.choice(list_prime_numbers(513, most // 2), 20):
            yield element, int(n)
        smooth = [n for n in range(most // 2, most + 1)
                  if is_transformed_by_passes(n)]
        for n in rng.choice(smooth, 20):
            yield element, int(n)
    # Long rows with large prime factors p, large prime factors of p - 1, and both.
    for n in (8209, 12007, 16187, 16369, 16378, 16382, 16383):
        yield "f32", n
    for n in (4099, 5609, 8186, 8188, 8189):
        yield "f64", n


def list_checks():
    """Yields tuples of a function and its arguments."""
    for element, n in list_more_lengths() if IS_FULL else list_lengths():
        yield check_length, element, n
    # The longest rows of real elements.
    yield check, Case("rfft", "f32", (1,), 32768)
    yield check, Case("rfft", "f64", (1,), 16384)
    yield check, Case("rfft", "f32", (1,), 16382)
    yield check, Case("rfft", "f32", (1,), 15625)
    for element in ("f32", "f64"):
        for n in (1, 2, 5, 16, 21, 37, 60, 64, 83, 128, 157, 1000, 1009):
            yield check_impulses, element, n
            yield check_tones, element, n
        for n in (1, 4, 15, 17, 37, 64, 83, 120):
            yield check_denormals, element, n
        for n in (1, 2, 3, 8, 9, 34, 35, 37, 64, 100):
            yield check_not_read, element, n
    for op in ("fft", "ifft", "rfft", "irfft"):
        for n, rows in ((2, 9), (5, 30), (16, 11), (19, 5), (37, 6), (64, 7),
                        (60, 13), (74, 5), (83, 5), (163, 3), (512, 5)):
            yield check_not_finite, op, "f32", n, rows
        yield check_not_finite, op, "f64", 24, 6
        yield check_not_finite, op, "f32", 8, 40, 128
        for norm in ("none", "by_n", "ortho"):
            for element, n in (("f32", 1), ("f32", 2), ("f32", 3), ("f32", 24),
                               ("f64", 31), ("f32", 50), ("f64", 64),
                               ("f32", 81)):
                yield (check, Case(op, element, get_rows(n), n, norm), None,
                       op != "irfft")
    for n, plan in PLANS:
        yield check, Case("fft", "f32", (3,), n, plan=plan)
    for n, plan in PLANS[::3]:
        yield check, Case("ifft", "f64", (2,), n, "ortho", plan)
        yield check, Case("fft", "f32", (5,), n, "by_n", plan, 64)
    for op in ("fft", "rfft"):
        for batch in ((), (2, 3), (2, 1, 3)):
            for n in (1, 12, 17, 33, 64, 100, 256):
                yield check, Case(op, "f32", batch, n)
        for block in (32, 64, 256):
            for batch, n in (((), 8), ((3,), 16), ((5,), 60), ((70,), 7),
                             ((2, 2), 127), ((2,), 512), ((1,), 1024)):
                yield check, Case(op, "f32", batch, n, block=block)
            yield check, Case(op, "f64", (3,), 45, block=block)


def report_worst():
    for key in sorted(WORST):
        figure, bound, case = WORST[key]
        print("%-45s %.2f of %.2f: %s of %s" % (key + ":", figure, bound,
                                                case.op, case.n))


def main():
    # Runs a part of the checks by default, and fewer on the CPU path, which has one
    # algorithm for all lengths.
    step = 1 if IS_FULL else 8 if "--on=cpu" in MACHINE else 4
    checks = islice(list_checks(), 0, None, step)
    for function, *arguments in checks:
        function(*arguments)
    report_worst()


if __name__ == "__main__":
    main()
