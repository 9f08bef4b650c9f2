// Layout inputs shaped like real graphs, made without chance.
#pragma once

#include "ui/graph_view/graph_layout.h"

namespace inspector {

inline LayoutBox operation() { return {200, 44, 90, false}; }
inline LayoutBox parameter() { return {240, 44, 110, true}; }

/// x -> op -> op -> …: `length` boxes.
inline LayoutInput chain(std::uint32_t length) {
    LayoutInput input;
    for (std::uint32_t i = 0; i < length; ++i) {
        input.boxes.push_back(operation());
        if (i > 0) input.edges.push_back({i - 1, i});
    }
    return input;
}

/// Blocks of a transformer: three branches with a weight each, joined, added to what came in; a value from the start
/// that every block reads.
inline LayoutInput transformer(std::uint32_t blocks) {
    LayoutInput input;
    const auto add = [&input](LayoutBox box, std::initializer_list<std::uint32_t> operands) {
        const auto index = static_cast<std::uint32_t>(input.boxes.size());
        input.boxes.push_back(box);
        for (const std::uint32_t operand : operands) input.edges.push_back({operand, index});
        return index;
    };
    std::vector<std::uint32_t> weights;
    for (std::uint32_t i = 0; i < 3 * blocks; ++i) weights.push_back(add(parameter(), {}));
    std::uint32_t stream = add(parameter(), {});
    const std::uint32_t everywhere = add(operation(), {stream});
    for (std::uint32_t block = 0; block < blocks; ++block) {
        const std::uint32_t norm = add(operation(), {stream});
        std::uint32_t branches[3];
        for (std::uint32_t branch = 0; branch < 3; ++branch) {
            const std::uint32_t transposed = add(operation(), {weights[3 * block + branch]});
            branches[branch] = add(operation(), {norm, transposed});
            for (int step = 0; step < 2; ++step) branches[branch] = add(operation(), {branches[branch]});
        }
        const std::uint32_t scores = add(operation(), {branches[0], branches[1], everywhere});
        const std::uint32_t weighted = add(operation(), {scores, branches[2]});
        stream = add(operation(), {stream, weighted});
    }
    add(operation(), {stream});
    return input;
}

/// One base that `views` later boxes read.
inline LayoutInput fan(std::uint32_t views) {
    LayoutInput input;
    input.boxes.push_back(operation());
    for (std::uint32_t i = 1; i <= views; ++i) {
        input.boxes.push_back(operation());
        input.edges.push_back({0, i});
    }
    return input;
}

} // namespace inspector
