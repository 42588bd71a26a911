// Adds integers of a type that tiles do not have.
func.func @main(%a: tensor<4xi5>) -> tensor<4xi5> {
  %e = tensor.empty() : tensor<4xi5>
  %s = linalg.add ins(%a, %a : tensor<4xi5>, tensor<4xi5>) outs(%e : tensor<4xi5>) -> tensor<4xi5>
  return %s : tensor<4xi5>
}
