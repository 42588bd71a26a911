// prose.h - each pattern of .ci/prose, as prose and as code
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left is a product of numbers. Of a place it says what it has
// and asks for it. Those of others begin beside it.

/// Of two numbers the larger; `what is` and "place" are code here.
int larger(int a, int b);

/// The same product alone.
int product(int place, int number); // behind the comma

// A number of elements, taken in place, of a dot product.
const char *text = "what is // a product";
