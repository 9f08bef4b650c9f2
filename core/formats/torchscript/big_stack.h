// Running deep recursion that is not ours.
#pragma once

#include <cstddef>
#include <functional>

namespace inspector::torchscript {

/// Runs `work`, which must not throw, on a thread with a stack of `bytes`. False: there is no such thread to be had.
[[nodiscard]] bool run_on_stack(std::size_t bytes, const std::function<void()>& work);

} // namespace inspector::torchscript
