tile.kernel @"a-b"() {
  tile.return
}
