/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* layouts operations:                 the operations of the dialect
   layouts EXPRESSION [at=COORDINATE]: its value
   layouts EXPRESSION draw=FORMAT [element_bytes=N] [access_bytes=N]
   [tile=SHAPE] its picture */

#include "tile-c/Compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(void) {
  printf("error: %s\n", tile_compiler_last_error());
  return 1;
}

static int list_operations(void) {
  const tile_operation *const *operations;
  size_t count;
  if (tile_list_operations(&operations, &count))
    return fail();
  for (size_t i = 0; i < count; ++i)
    printf("%s%s: %s\n", operations[i]->name,
           operations[i]->is_composite ? " (composite)" : "",
           operations[i]->summary);
  return 0;
}

/* What follows `name` in a word of that option; NULL otherwise. */
static const char *get_value(const char *word, const char *name) {
  size_t length = strlen(name);
  return strncmp(word, name, length) == 0 && word[length] == '='
             ? word + length + 1
             : NULL;
}

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  if (strcmp(argv[1], "operations") == 0)
    return list_operations();
  tile_drawing_options options = {.struct_size = sizeof options};
  const char *coordinate = NULL;
  int is_drawn = 0;
  for (int i = 2; i < argc; ++i) {
    const char *value;
    if ((value = get_value(argv[i], "at")))
      coordinate = value;
    if ((value = get_value(argv[i], "draw")))
      options.format = atoi(value), is_drawn = 1;
    if ((value = get_value(argv[i], "element_bytes")))
      options.element_bytes = atoi(value);
    if ((value = get_value(argv[i], "access_bytes")))
      options.access_bytes = atoi(value);
    if ((value = get_value(argv[i], "tile")))
      options.tile = value;
  }
  /* First how long it is, then the text. */
  char *text = NULL;
  size_t capacity = 0, size = 0;
  for (int time = 0; time < 2; ++time) {
    tile_status status =
        is_drawn
            ? tile_layout_draw(argv[1], &options, text, capacity, &size)
            : tile_layout_evaluate(argv[1], coordinate, text, capacity, &size);
    if (status)
      return fail();
    if (!text)
      text = malloc(capacity = size + 1);
  }
  if (strlen(text) != size)
    return 2;
  printf("%s%s", text, is_drawn ? "" : "\n");
  /* As much as there is room for. */
  char few[4] = "???";
  if (!is_drawn && tile_layout_evaluate(argv[1], coordinate, few, 4, NULL))
    return fail();
  if (!is_drawn && strncmp(few, text, 3) != 0)
    return 2;
  free(text);
  return 0;
}
