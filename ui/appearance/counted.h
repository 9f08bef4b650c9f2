// How many of something, in words.
#pragma once

#include <cstddef>

#include <QString>

namespace inspector {

/// `one` where `count` is 1, else `many`, with the number for %1: counted(n, tr("%1 node"), tr("%1 nodes")).
[[nodiscard]] inline QString counted(std::size_t count, const QString& one, const QString& many) {
    return (count == 1 ? one : many).arg(count);
}

} // namespace inspector
