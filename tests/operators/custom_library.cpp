// A library of operators as a person's program may load it: what the 2.13 list does not know.
#include <torch/library.h>

TORCH_LIBRARY(inspector_test, library) {
    library.def("scale(Tensor self, Scalar factor) -> Tensor", {at::Tag::pointwise});
    library.def("scale_(Tensor(a!) self, Scalar factor) -> Tensor(a!)");
}
