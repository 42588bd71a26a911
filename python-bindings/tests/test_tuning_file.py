# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choices that are stored in a file, for the same call and for similar calls."""

import json
import math
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

import tile_mlir as tile
from tile_mlir.tuning import tuning_file
from tuning_kernels import (A100, H100, FakeTimer, check_scale, make_arrays, make_pool,
                            make_scale)


def test_file_of_one_choice(rng, tmp_path):
    file = tmp_path / "scale.tune"
    scale = make_scale({"n": [32, 64], "tiling": [None, "stages=2"]}, file=file,
                       timer=FakeTimer(noise=0.0))
    check_scale(scale, rng)
    assert file.read_text() == (
        '{"format": "tile-tuning", "version": 1}\n'
        '{"kernel": "scale_function", "arch": "sm_90a", "gpu": "NVIDIA H100", '
        '"types": ["memref<?xf32>", "memref<?xf32>", "f32"], "constants": '
        '{"add": 0}, "key": [[201], [201]], "choice": {"n": 32, "tiling": null}, '
        '"microseconds": 100.0}\n')
    again = make_scale({"n": [32, 64], "tiling": [None, "stages=2"]}, file=file)
    check_scale(again, rng)
    assert not again.timer.measured
    choice = again.choose(*make_arrays(rng), 1.5)
    assert choice.source == "file" and choice.seconds == pytest.approx(1e-4)
    # Another GPU has another choice, and the entries are sorted.
    again.timer.target = A100
    check_scale(again, rng)
    assert again.timer.measured
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [line.get("gpu") for line in lines] == [None, A100.gpu, H100.gpu]


def make_entry(n, size, target=H100, kernel="scale_function", **members):
    values = dict(
        kernel=kernel, arch=target.arch, gpu=target.gpu,
        types=["memref<?xf32>", "memref<?xf32>", "f32"], constants={"add": 0},
        key=[[size], [size]], choice={"n": n}, microseconds=10.0)
    return tuning_file.Entry(**{**values, **members})


def test_nearest_entries(rng, tmp_path, caplog):
    file = tmp_path / "scale.tune"
    for entry in (make_entry(8, 100), make_entry(16, 1000), make_entry(64, 10000),
                  make_entry(128, 205, A100), make_entry(128, 205, kernel="other"),
                  make_entry(128, 205, constants={"add": 1}),
                  make_entry(256, 205), make_entry(128, 205, types=["f32"]),
                  make_entry(128, 205, key=["small"])):
        tuning_file.add(file, entry)
    scale = make_scale(file=file, tune="never")

    def choose(size):
        choice = scale.choose(*make_arrays(rng, size), 1.5)
        return choice.values["n"], choice.source

    assert choose(100) == (8, "file")
    assert choose(130) == (8, "nearest entry")
    assert choose(900) == (16, "nearest entry")
    assert choose(99999) == (64, "nearest entry")
    # The emulator has an architecture; the processor has none, so any entry matches.
    scale = make_scale(file=file, timer=None)
    with tile.emulator("sm_90a"):
        assert choose(205) == (8, "nearest entry")
    with tile.emulator("sm_80"):
        assert choose(205) == (128, "nearest entry")
    with tile.emulator("sm_100a"):
        assert choose(205) == (8, "first candidate")
    with tile.cpu():
        assert choose(204) == (128, "nearest entry")
    assert not scale._file.with_suffix(".lock").exists()
    # Array types with unknown sizes.
    X = tile.ir.ArrayType((None,), tile.f32)
    assert scale._guess((X, X, 1.5), {}, "sm_90a").values == {"n": 8}


def test_a_guess_on_a_gpu_is_said(rng, caplog):
    scale = make_scale(tune="never")
    check_scale(scale, rng)
    assert not caplog.records
    question = scale._ask(None, (*make_arrays(rng), 1.5), {})
    scale._fall_back(replace(question, device=0))
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == \
        "scale_function takes n=8 for [[201], [201]]: first candidate"


def test_entries_of_the_past(rng, tmp_path):
    """If the stored choice is no longer a candidate, tuning runs again."""
    file = tmp_path / "scale.tune"
    tuning_file.add(file, make_entry(48, 201))
    scale = make_scale(file=file)
    check_scale(scale, rng)
    assert scale.timer.measured
    assert [e.choice for e in tuning_file.read(file)] == [{"n": 32}]


def test_compile_takes_what_the_file_has(tmp_path):
    file = tmp_path / "scale.tune"
    tuning_file.add(file, make_entry(32, 201))
    scale = make_scale(file=file)
    X = tile.ir.ArrayType((None,), tile.f32)
    assert "tile<32xf32" in scale.specialize(
        X, X, 1.5, arch="sm_90a").ir["tile-assign-layouts"]
    ptx = scale.compile(X, X, 1.5, outputs=("ptx",))["ptx"]
    assert ptx == scale.kernel.compile(X, X, 1.5, n=32, outputs=("ptx",))["ptx"]
    ptx = scale.compile(X, X, 1.5, arch="sm_80", outputs=("ptx",))["ptx"]
    assert ptx == scale.kernel.compile(X, X, 1.5, n=8, arch="sm_80",
                                       outputs=("ptx",))["ptx"]
    with tile.emulator("sm_90a"):
        assert "tile<32xf32" in scale.trace(X, X, 1.5)


HEAD = '{"format": "tile-tuning", "version": 1}\n'
ENTRY = json.dumps(vars(make_entry(8, 100)))


@pytest.mark.parametrize("text, message", [
    ("", ":1: expected an object of JSON, got what is none"),
    ("tile-tuning 1\n", ":1: expected an object of JSON, got what is none"),
    ("[]\n", ":1: expected an object of JSON, got []"),
    ('{"version": 1}\n', ":1: expected a file of the format 'tile-tuning', got null"),
    ('{"format": "tile-tuning", "version": 2}\n',
     ":1: expected version 1, got 2, of another version of this package"),
    ('{"format": "tile-tuning", "version": true}\n', ":1: expected version 1, got t"),
    ('{"format": "tile-tuning"}\n', ":1: expected version 1, got null"),
    (HEAD + ENTRY[:-9] + "\n", ":2: expected an object of JSON, got what is none"),
    (HEAD + "\n" + ENTRY + "\nx", ":4: expected an object of JSON, got what is no"),
    (HEAD + ENTRY.replace('"gpu"', '"card"'), ":2: expected a member 'gpu', got none"),
    (HEAD + ENTRY.replace('{"kernel"', '{"more": 1, "kernel"'),
     ":2: expected members kernel, arch, gpu, types, constants, key, choice, "
     "microseconds, got 'more'"),
    (HEAD + ENTRY.replace('"sm_90a"', "90"), ":2: expected a text as 'arch', got 90"),
    (HEAD + ENTRY.replace('["memref<?xf32>"', "[3"),
     ":2: expected a list of texts as 'types', got [3, "),
    (HEAD + ENTRY.replace("10.0", "true"),
     ":2: expected a number as 'microseconds', got true"),
    (HEAD + ENTRY.replace("10.0", "1e999"), ":2: expected an object of JSON, got"),
    (HEAD + ENTRY.replace("10.0", "NaN"), ":2: expected an object of JSON, got"),
    (HEAD + ENTRY + "\n" + ENTRY.replace("10.0", "11.0"),
     ":3: expected one entry of a kernel, GPU, types, constants and key, got another "
     "one in line 2"),
    (HEAD + "[" * 100000, ":2: expected an object of JSON, got what is none")])
def test_broken_files(rng, tmp_path, text, message):
    file = tmp_path / "scale.tune"
    file.write_text(text)
    with pytest.raises(tile.TuningError) as error:
        make_scale(file=file)(*make_arrays(rng), 1.5)
    assert str(error.value).startswith(f"{file}{message}")
    assert file.read_text() == text


def test_files_that_cannot_be_read(tmp_path):
    assert tuning_file.read(tmp_path / "none.tune") == []
    with pytest.raises(tile.TuningError, match="expected to read .*, got: "):
        tuning_file.read(tmp_path)
    (tmp_path / "bytes.tune").write_bytes(b"\xff\xfe")
    with pytest.raises(tile.TuningError, match="expected to read .*, got: "):
        tuning_file.read(tmp_path / "bytes.tune")


def test_files_that_cannot_be_written(rng, tmp_path, caplog):
    scale = make_scale(file=tmp_path / "no" / "scale.tune")
    check_scale(scale, rng)
    assert "a choice is not kept, since " in caplog.text
    count = len(scale.timer.measured)
    check_scale(scale, rng)
    assert len(scale.timer.measured) == count


def test_writing_keeps_the_file(tmp_path):
    """Writing keeps the mode of the file and a link to it, and leaves no other file."""
    file, link = tmp_path / "a.tune", tmp_path / "b.tune"
    tuning_file.add(file, make_entry(8, 100))
    mask = tuning_file._get_umask()
    assert file.stat().st_mode & 0o777 == 0o666 & ~mask
    file.chmod(0o640)
    link.symlink_to(file)
    tuning_file.add(link, make_entry(16, 50))
    assert link.is_symlink() and file.stat().st_mode & 0o777 == 0o640
    assert [e.key[0] for e in tuning_file.read(file)] == [[50], [100]]
    assert sorted(os.listdir(tmp_path)) == ["a.tune", "b.tune"]


def test_numbers_are_sorted_as_numbers(tmp_path):
    file = tmp_path / "a.tune"
    for size in (1000, 9, 64, 200):
        tuning_file.add(file, make_entry(8, size))
    assert [e.key[0][0] for e in tuning_file.read(file)] == [9, 64, 200, 1000]
    text = file.read_text()
    tuning_file.add(file, make_entry(8, 64))
    assert file.read_text() == text


def test_a_relative_file_is_beside_the_source():
    scale = make_scale(file="scale.tune")
    assert str(scale._file) == os.path.join(os.path.dirname(__file__), "scale.tune")


def test_the_file_of_the_guide(tmp_path):
    page = Path(__file__).resolve().parents[2] / "docs" / "Tuning.md"
    [text] = re.findall(r"^```json\n(.*?)^```$", page.read_text(),
                        re.MULTILINE | re.DOTALL)
    file = tmp_path / "gemm.tune"
    file.write_text(text)
    [entry] = tuning_file.read(file)
    file.unlink()
    tuning_file.add(file, entry)
    assert file.read_text() == text


@pytest.mark.parametrize("a, b, distance", [
    ([7], [7], 0), ([7], [15], 1), ([[1, 3]], [[3, 1]], 2), ([None], [9], 0),
    (["a", 1], ["a", 1], 0), (["a"], ["b"], math.inf), ([1], [1, 2], math.inf),
    ([True], [1], math.inf), ([-1], [-1], 0), ([-1], [-2], math.inf)])
def test_distances(a, b, distance):
    assert tuning_file.measure_distance(a, b) == pytest.approx(distance)
    assert tuning_file.measure_distance(b, a) == pytest.approx(distance)


def add_entries(path, first):
    for size in range(first, first + 20):
        tuning_file.add(path, make_entry(8, size))


def test_processes_that_write_at_once(tmp_path):
    file = tmp_path / "a.tune"
    with make_pool(3) as pool:
        for future in [pool.submit(add_entries, file, first)
                       for first in (100, 200, 300)]:
            future.result()
    assert len(tuning_file.read(file)) == 60
    assert os.listdir(tmp_path) == ["a.tune"]
