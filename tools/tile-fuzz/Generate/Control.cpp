// Control.cpp - loops, branches and calls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Adds an `scf.for` of a few iterations that carries a tile and may load from
/// arrays at its induction variable.
void Generator::addLoop() {
  Tile init = pickTile();
  std::string low = index(0), step = index(random.pick<int64_t>({1, 2, 8}));
  std::string high = random.chance(30)
                         ? makeCount(9)
                         : index(random.pick<int64_t>({0, 1, 3, 5, 9, 17}));
  std::string iv = fresh(), carried = fresh(), result = fresh();
  line(result + " = scf.for " + iv + " = " + low + " to " + high + " step " +
       step + " iter_args(" + carried + " = " + init.name + ") -> (" +
       init.type.str() + ") {");
  size_t outer = pool.size();
  indent += 2;
  ++depth;
  pool.push_back({carried, init.type});
  if (!inputs.empty() && random.chance(70)) {
    const Array &array = random.pick(inputs);
    Type type{pickShape(), array.element};
    if (static_cast<int64_t>(type.shape.size()) <= array.rank)
      loadFrom(array, type, iv);
  }
  steps(random.between(1, 3));
  bool isSum = random.chance(60) && !init.type.isBool() &&
               !init.type.isFloat8() && !init.type.isComplex();
  Tile yielded =
      isDifferentiable && isSum && init.type.isFloat()
          ? addNext({carried, init.type})
      : isSum ? [&] {
          Tile y = pickOf(init.type);
          return add(init.type,
                     (init.type.isFloat() ? "arith.addf " : "arith.addi ") +
                         carried + ", " + y.name + " : " + init.type.str());
        }()
              : pickOf(init.type);
  leaveLoop(yielded);
  pool.resize(outer);
  pool.push_back({result, init.type});
}

/// Ends a loop that yields a tile.
void Generator::leaveLoop(const Tile &next) {
  line("scf.yield " + next.name + " : " + next.type.str());
  indent -= 2;
  --depth;
  line("}");
}

/// Adds an `scf.while` that carries a tile and counts its iterations. Its body
/// computes tiles, and sometimes its condition region does, too. Gradients
/// need its bound.
void Generator::addWhile() {
  Tile init = pickTile();
  std::string t = init.type.str();
  constexpr int64_t kMostTrips = 4;
  std::string zero = index(0), one = index(1), bound = makeCount(kMostTrips);
  std::string i = fresh(), a = fresh(), go = fresh(), j = fresh(), b = fresh(),
              next = fresh(), result = fresh();
  line(result + ":2 = scf.while (" + i + " = " + zero + ", " + a + " = " +
       init.name + ") : (index, " + t + ") -> (index, " + t + ") {");
  size_t outer = pool.size();
  indent += 2;
  ++depth;
  pool.push_back({a, init.type});
  Tile passed = pool.back();
  if (random.chance(40)) {
    steps(1);
    passed = pickOf(init.type);
  }
  line(go + " = arith.cmpi slt, " + i + ", " + bound + " : index");
  line("scf.condition(" + go + ") " + i + ", " + passed.name + " : index, " +
       t);
  pool.resize(outer);
  indent -= 2;
  line("} do {");
  line("^bb0(" + j + ": index, " + b + ": " + t + "):");
  indent += 2;
  pool.push_back({b, init.type});
  steps(random.between(1, 2));
  Tile yielded = isDifferentiable && init.type.isFloat()
                     ? addNext({b, init.type})
                     : pickOf(init.type);
  line(next + " = arith.addi " + j + ", " + one + " : index");
  line("scf.yield " + next + ", " + yielded.name + " : index, " + t);
  pool.resize(outer);
  indent -= 2;
  --depth;
  line("} attributes {tile.max_trips = " + std::to_string(kMostTrips) +
       " : i64}");
  pool.push_back({result + "#1", init.type});
}

/// Adds an `scf.if` with one to three tiles as results. Its branches may
/// contain another `scf.if`.
void Generator::addBranch() {
  std::vector<Type> types;
  for (int64_t n = random.pick<int64_t>({1, 1, 2, 3}); n > 0; --n)
    types.push_back(pickTile().type);
  std::vector<std::string> names;
  for (const Type &type : types)
    names.push_back(type.str());
  std::string results = llvm::join(names, ", ");
  std::string condition = makeCondition(), result = fresh();
  line(result + ":" + std::to_string(types.size()) + " = scf.if " + condition +
       " -> (" + results + ") {");
  size_t outer = pool.size();
  for (bool isElse : {false, true}) {
    if (isElse)
      line("} else {");
    indent += 2;
    ++depth;
    if (depth < 3 && random.chance(25))
      addBranch();
    steps(random.between(1, 2));
    std::vector<std::string> yielded;
    for (const Type &type : types)
      yielded.push_back(pickOf(type).name);
    line("scf.yield " + llvm::join(yielded, ", ") + " : " + results);
    indent -= 2;
    --depth;
    pool.resize(outer);
  }
  line("}");
  for (auto [position, type] : llvm::enumerate(types))
    pool.push_back({result + "#" + std::to_string(position), type});
}

/// Adds a function with one tile as its argument, and a call of it.
void Generator::addCall() {
  Tile argument = pickTile();
  std::string name = "@g" + std::to_string(numFunctions++);
  std::vector<Tile> callers = std::move(pool);
  std::string callersBody = std::move(body);
  std::string callersBlock = block;
  pool = {{"%x", argument.type}};
  body.clear();
  size_t callersIndent = std::exchange(indent, 2);
  std::vector<std::string> callersOffsets = std::exchange(offsets, {});
  std::vector<Array> callersInputs = std::exchange(inputs, {});
  bool wasInFunction = std::exchange(isInFunction, true);
  ++depth;
  block = fresh();
  line(block + " = tile." +
       random.pick<std::string>({"program_id x", "program_id x", "program_id y",
                                 "program_id z", "num_programs x",
                                 "num_programs z"}));
  steps(random.between(1, 3));
  --depth;
  Tile result = pool.back();
  functions += "func.func private " + name + "(%x: " + argument.type.str() +
               ") -> " + result.type.str() + " {\n" + body + "  return " +
               result.name + " : " + result.type.str() + "\n}\n";
  pool = std::move(callers);
  body = std::move(callersBody);
  block = callersBlock;
  indent = callersIndent;
  offsets = std::move(callersOffsets);
  inputs = std::move(callersInputs);
  isInFunction = wasInFunction;
  add(result.type, "func.call " + name + "(" + argument.name + ") : (" +
                       argument.type.str() + ") -> " + result.type.str());
}
