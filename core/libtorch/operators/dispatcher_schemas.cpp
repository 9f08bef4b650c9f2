#include <sstream>

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/runtime/operator.h>

#include "core/libtorch/entries.h"
#include "core/operators/parse_schema.h"

namespace inspector {
namespace {

/// Only the tags that every LibTorch from 2.6 on has.
std::optional<std::string_view> tag_name(at::Tag tag) {
    switch (tag) {
        case at::Tag::core: return "core";
        case at::Tag::data_dependent_output: return "data_dependent_output";
        case at::Tag::dynamic_output_shape: return "dynamic_output_shape";
        case at::Tag::generated: return "generated";
        case at::Tag::inplace_view: return "inplace_view";
        case at::Tag::nondeterministic_seeded: return "nondeterministic_seeded";
        case at::Tag::pointwise: return "pointwise";
        case at::Tag::pt2_compliant_tag: return "pt2_compliant_tag";
        case at::Tag::view_copy: return "view_copy";
        default: return std::nullopt;
    }
}

void take_computation(const c10::OperatorHandle& handle, Operator& op) {
    using Key = c10::DispatchKey;
    op.is_composite = handle.hasKernelForDispatchKey(Key::CompositeImplicitAutograd);
    const bool is_made_of_others = op.is_composite || handle.hasKernelForDispatchKey(Key::CompositeExplicitAutograd) ||
                                   handle.hasKernelForDispatchKey(Key::CompositeExplicitAutogradNonFunctional);
    if (handle.hasKernelForDispatchKey(Key::Meta)) op.meta = MetaForm::kernel;
    else if (is_made_of_others) op.meta = MetaForm::composite;
}

} // namespace

std::vector<Operator> entries::dispatcher_overloads(std::string_view qualified_name) {
    std::vector<Operator> found;
    try {
        const auto symbol = c10::Symbol::fromQualString(std::string(qualified_name));
        for (const auto& registered : torch::jit::getAllSortedOperatorsFor(symbol)) {
            std::ostringstream text;
            text << registered->schema();
            auto op = parse_schema(text.str());
            if (!op) continue; // a type this program's grammar lacks: stays an unknown operator
            op->registered_here = true;
            if (const auto handle = c10::Dispatcher::singleton().findSchema({op->name, op->overload})) {
                take_computation(*handle, *op);
                for (const at::Tag tag : handle->getTags())
                    if (const auto name = tag_name(tag)) op->tags.emplace_back(*name);
            }
            found.push_back(std::move(*op));
        }
    } catch (const std::exception&) {
        found.clear(); // not a name torch can look up
    }
    return found;
}

} // namespace inspector
