#include "core/formats/dot/verdict_look.h"

#include <array>

namespace inspector {
namespace {

// Okabe and Ito's hues, made faint: https://jfly.uni-koeln.de/color/
const std::vector<VerdictLook> looks{
    {'R', "reinplaced", "ellipse", "#cfeee4"},
    {'C', "scatter to copy", "box3d", "#cfeee4"},
    {'D', "deleted", "note", "#e4e7eb"},
    {'M', "missed", "hexagon", "#fadcc6"},
    {'K', "kept", "box", "#eef0f3"},
    {'F', "forced", "house", "#f4d9e8"},
    {'S', "skipped", "parallelogram", "#fbe8bf"},
    {'!', "upstream raises", "octagon", "#fbe8bf"},
};
enum Look : std::size_t { reinplaced, scatter_to_copy, deleted, missed, kept, forced, skipped, raises };

const VerdictLook undecided{' ', "", "cylinder", "#ffffff"};

// Neighbouring ids differ much in hue; all are dark enough to be read on white.
constexpr std::array<std::string_view, 12> hues{
    "#0465af", "#8e2e00", "#02736e", "#87216d", "#497101", "#4640a7",
    "#8a5601", "#005c71", "#aa2e4e", "#04623f", "#7f42a6", "#5e5303",
};

} // namespace

const VerdictLook& verdict_look(const Decision* decision, bool is_miss) {
    if (!decision) return undecided;
    const bool is_forced = decision->choice == Choice::force;
    switch (decision->verdict) {
    case Verdict::pending: break;
    case Verdict::reinplaced: return looks[is_forced ? forced : reinplaced];
    case Verdict::scatter_to_copy: return looks[is_forced ? forced : scatter_to_copy];
    case Verdict::deleted: return looks[deleted];
    case Verdict::kept:
        if (decision->choice == Choice::skip) return looks[skipped];
        return looks[is_miss ? missed : kept];
    case Verdict::upstream_raises: return looks[raises];
    }
    return undecided;
}

const std::vector<VerdictLook>& verdict_looks() { return looks; }

std::string_view storage_colour(StorageId storage) {
    return storage == 0 ? std::string_view("#565e69") : hues[(storage - 1) % hues.size()];
}

} // namespace inspector
