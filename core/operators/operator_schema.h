// An operator overload as its schema describes it: plain data, free of torch.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inspector {

/// "Tensor(a!)", "Tensor(a -> *)", "Tensor(a!)[]": which alias set an argument or return belongs to.
struct AliasAnnotation {
    std::string set;                  ///< "a"; "a|b" for several; empty for a wildcard "(*)"
    bool is_write = false;            ///< "!"
    bool becomes_wildcard = false;    ///< "-> *"
    friend bool operator==(const AliasAnnotation&, const AliasAnnotation&) = default;
};

struct SchemaArgument {
    std::string name;                 ///< empty for a return without a name
    std::string type;                 ///< without alias annotation: "Tensor", "Tensor?", "Tensor[]", "int[2]", "SymInt"
    bool keyword_only = false;
    std::optional<std::string> default_text; ///< as the schema writes it: "1", "None", "[0, 1]", "\"linear\""
    std::optional<AliasAnnotation> alias;
    friend bool operator==(const SchemaArgument&, const SchemaArgument&) = default;
};

/// What computes an operator's result on metadata alone, in torch 2.13.
enum class MetaForm : std::uint8_t {
    none,
    python,    ///< a kernel that only Python registers
    composite, ///< kernels of the operators it is made of
    kernel,    ///< one in C++
};

/// How an operator's result relates to its first argument by annotation.
enum class ViewKind : std::uint8_t { none, single, multi };

struct Operator {
    std::string name;                 ///< "aten::add"
    std::string overload;             ///< "Tensor"; empty for .default
    std::vector<SchemaArgument> arguments;
    std::vector<SchemaArgument> returns;
    bool variadic_arguments = false;  ///< "…, ...)": further arguments of any type
    bool variadic_returns = false;
    std::vector<std::string> tags;    ///< torch.Tag names: core, pointwise, inplace_view, nondeterministic_seeded, …
    bool is_mutable = false;          ///< some argument is written
    ViewKind view = ViewKind::none;   ///< first argument has alias info that is not a write, as torch.fx's _is_view_op
    bool is_composite = false;        ///< CompositeImplicitAutograd: autograd and every backend see what it is made of
    bool has_decomposition = false;   ///< run_decompositions() of torch has a rule for it
    MetaForm meta = MetaForm::none;
    bool registered_here = false;     ///< schema came from the dispatcher of this LibTorch, not from the 2.13 list
    std::string schema_text;          ///< "aten::add.Tensor(Tensor self, …) -> Tensor"

    [[nodiscard]] bool has_tag(std::string_view tag) const;
    /// "aten::add.Tensor", "aten::clone": as schemas write it.
    [[nodiscard]] std::string qualified_name() const;
    /// "aten.add.Tensor", "aten.clone.default": decisions and people use this form.
    [[nodiscard]] std::string short_target() const;
};

} // namespace inspector
