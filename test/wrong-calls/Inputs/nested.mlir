module {
  module {
    tile.kernel @k() {
      tile.return
    }
  }
}
