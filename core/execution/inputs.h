// What a run starts from: one value for each placeholder and each attribute the graph reads.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/execution/run_options.h"
#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// Immutable; every run works on copies that keep which inputs share a storage. Free of torch: values stay inside.
class RunInputs {
public:
    /// Weights, constants and sample inputs of a .pt2 where it has them; the rest is made up from the metadata: normal
    /// numbers for floating types, booleans at random, and integers small enough for every index operator that reads
    /// them. Errors: a placeholder without known shape, sizes beyond the memory limit.
    [[nodiscard]] static Result<RunInputs> make(const Program& program, std::size_t graph, const RunOptions& options);

    /// One line for a person about each input that was not taken from the file: "x: made up, f32[4, 4]".
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

    /// Where no sizes of the symbols fit each other: "no sizes were found that fit s1 = 2*s0 (%add)"; else empty.
    [[nodiscard]] const std::string& misfit() const { return misfit_; }

    /// The values, as core/libtorch holds them.
    struct State;
    [[nodiscard]] const State& state() const { return *state_; }
    RunInputs(std::shared_ptr<const State> state, std::vector<std::string> notes, std::string misfit)
        : state_(std::move(state)), notes_(std::move(notes)), misfit_(std::move(misfit)) {}

private:
    std::shared_ptr<const State> state_;
    std::vector<std::string> notes_;
    std::string misfit_;
};

} // namespace inspector
