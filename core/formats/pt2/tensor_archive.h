// Which archive holds a program's tensors, and whether a file still is that archive.
#pragma once

#include <string>

#include "core/formats/pt2/archive.h"
#include "core/graph/program.h"

namespace inspector::pt2 {

/// `path` as an absolute one, so that it holds wherever the program works later.
[[nodiscard]] TensorArchive tensor_archive(const Archive& archive, const std::string& path);

/// Error, without a file: nothing is at `path`, or no plain file, or one with other bytes. Cheap: weights are not read.
[[nodiscard]] Result<void> check_archive(const std::string& path, const TensorArchive& expected);

} // namespace inspector::pt2
