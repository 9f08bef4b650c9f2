// Errors are values: a function that can fail on a person's input returns Result<T>.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace inspector {

/// What went wrong, for a person: which file, where in it, and why.
struct Error {
    std::string file;   ///< path as the person gave it; empty until the reader's caller knows it
    std::string place;  ///< "line 12", "models/model.json, node 7 (add)", "%mul"; may be empty
    std::string reason; ///< one sentence without a final period

    /// "file: place: reason", leaving out what is empty.
    [[nodiscard]] std::string message() const;
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(std::string place, std::string reason) {
    return tl::unexpected<Error>(Error{{}, std::move(place), std::move(reason)});
}

} // namespace inspector
