func.func @old() {
  %token = "tile.mma_none"() : () -> !tile.mma_token
  return
}
