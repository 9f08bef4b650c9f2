#include "core/formats/fx_text/graph_builder.h"

#include <algorithm>
#include <array>

namespace inspector::fx_text {
namespace {

bool is_symbol(std::string_view name) {
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    const std::string_view letters = name.substr(0, digits);
    if (letters != "s" && letters != "u" && letters != "zf" && letters != "zuf") return false;
    return digits < name.size() && std::ranges::all_of(name.substr(digits), is_digit);
}

constexpr std::array layouts{
    std::pair{std::string_view("strided"), Layout::strided},
    std::pair{std::string_view("sparse_coo"), Layout::sparse_coo},
    std::pair{std::string_view("sparse_csr"), Layout::sparse_csr},
    std::pair{std::string_view("sparse_csc"), Layout::sparse_csc},
    std::pair{std::string_view("sparse_bsr"), Layout::sparse_bsr},
    std::pair{std::string_view("sparse_bsc"), Layout::sparse_bsc},
    std::pair{std::string_view("_mkldnn"), Layout::mkldnn},
    std::pair{std::string_view("jagged"), Layout::jagged},
};
constexpr std::array memory_formats{
    std::pair{std::string_view("contiguous_format"), MemoryFormat::contiguous},
    std::pair{std::string_view("channels_last"), MemoryFormat::channels_last},
    std::pair{std::string_view("channels_last_3d"), MemoryFormat::channels_last_3d},
    std::pair{std::string_view("preserve_format"), MemoryFormat::preserve},
};

} // namespace

Result<NodeId> GraphBuilder::add(Node node, std::size_t offset) {
    if (graph_.size() >= options_.limits.nodes)
        return tl::unexpected(
            source_.error(offset, "the graph has more than " + std::to_string(options_.limits.nodes) + " nodes"));
    if (options_.cancelled && options_.cancelled->load(std::memory_order_relaxed))
        return tl::unexpected(source_.error(offset, "reading was cancelled"));
    constexpr std::size_t nodes_between_reports = 4096;
    if (options_.progress && graph_.size() % nodes_between_reports == 0)
        options_.progress(static_cast<int>(offset * 100 / std::max<std::size_t>(source_.text().size(), 1)));
    if (find(node.name) != no_node)
        return tl::unexpected(source_.error(offset, "\"" + node.name + "\" is defined twice"));
    return graph_.append(std::move(node));
}

Result<NodeId> GraphBuilder::add_output(Argument value, std::string type, std::size_t offset) {
    Node node;
    node.opcode = Opcode::output;
    node.name = graph_.fresh_name("output");
    node.target = "output";
    node.type = std::move(type);
    node.args.push_back(std::move(value));
    return add(std::move(node), offset);
}

Result<void> GraphBuilder::rename(NodeId id, std::string_view name, std::size_t offset) {
    if (find(name) != no_node)
        return tl::unexpected(source_.error(offset, "\"" + std::string(name) + "\" is defined twice"));
    graph_.set_name(id, std::string(name));
    return {};
}

Graph GraphBuilder::take() {
    graph_.forget_history();
    return std::move(graph_);
}

std::optional<SymbolicSize> symbolic_size(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_identifier_start(text[i])) continue;
        std::size_t end = i;
        while (end < text.size() && is_identifier_part(text[end])) ++end;
        const bool is_function = end < text.size() && text[end] == '(';
        if (!is_function && !is_symbol(text.substr(i, end - i))) return std::nullopt;
        i = end;
    }
    auto size = SymbolicSize::parse(text);
    if (!size || size->is_constant()) return std::nullopt;
    return std::move(*size);
}

std::optional<Argument> torch_constant(std::string_view name) {
    constexpr std::string_view module = "torch.";
    if (!name.starts_with(module)) return std::nullopt;
    name.remove_prefix(module.size());
    for (const auto& [text, layout] : layouts)
        if (text == name) return Argument(layout);
    for (const auto& [text, format] : memory_formats)
        if (text == name) return Argument(format);
    // Only a dtype's own name: its aliases ("torch.half") never appear in printed graphs, and would not print back.
    if (const auto dtype = dtype_from_torch_name(name); dtype && torch_name(*dtype) == name) return Argument(*dtype);
    return std::nullopt;
}

} // namespace inspector::fx_text
