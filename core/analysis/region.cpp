#include "core/analysis/region.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace inspector {
namespace {

using Wide = __int128;

/// One unknown of the equation: 0 ≤ x < count, taken `coefficient` times. Both positive.
struct Unknown {
    std::int64_t coefficient;
    std::int64_t count;
};

Wide extent(const Unknown& unknown) { return Wide(unknown.coefficient) * (unknown.count - 1); }

/// Makes one unknown of two whose sums have no gaps: c·x + k·c·y with at least k values of x gives every multiple of c
/// up to the sum of both. Keeps the set of reachable sums. Ascending coefficients in and out.
void merge_gapless(std::vector<Unknown>& unknowns) {
    std::ranges::sort(unknowns, {}, &Unknown::coefficient);
    std::vector<Unknown> merged;
    for (const Unknown& next : unknowns) {
        bool done = false;
        for (Unknown& known : merged) {
            if (next.coefficient % known.coefficient != 0) continue;
            const std::int64_t multiple = next.coefficient / known.coefficient;
            if (multiple > known.count) continue;
            const Wide count = Wide(known.count) + Wide(multiple) * (next.count - 1);
            if (count > INT64_MAX) continue;
            known.count = static_cast<std::int64_t>(count);
            done = true;
            break;
        }
        if (!done) merged.push_back(next);
    }
    // A grown unknown may now reach the next larger coefficient.
    if (merged.size() < unknowns.size()) merge_gapless(merged);
    unknowns = std::move(merged);
}

Wide floor_divide(Wide a, Wide b) {
    const Wide quotient = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}
Wide ceil_divide(Wide a, Wide b) { return -floor_divide(-a, b); }

/// x with a·x ≡ 1 modulo m, for coprime a and m.
std::int64_t inverse_modulo(std::int64_t a, std::int64_t m) {
    Wide r0 = m, r1 = a % m, t0 = 0, t1 = 1;
    while (r1 != 0) {
        const Wide q = r0 / r1;
        std::tie(r0, r1) = std::pair{r1, r0 - q * r1};
        std::tie(t0, t1) = std::pair{t1, t0 - q * t1};
    }
    return static_cast<std::int64_t>(((t0 % m) + m) % m);
}

/// Solves Σ coefficient·x = target over bounded unknowns. Largest coefficient first; what is left of the target must lie
/// within reach of the smaller ones and on their common divisor, which leaves few values to try.
class BoundedSum {
public:
    explicit BoundedSum(std::vector<Unknown> unknowns) : unknowns_(std::move(unknowns)) {
        merge_gapless(unknowns_);
        Wide reach = 0;
        std::int64_t divisor = 0;
        for (const Unknown& unknown : unknowns_) {
            reach_.push_back(reach);
            divisor_.push_back(divisor);
            reach += extent(unknown);
            divisor = std::gcd(divisor, unknown.coefficient);
        }
        reach_.push_back(reach);
    }

    Overlap has_solution(Wide target) { return search(unknowns_.size(), target); }

private:
    Overlap search(std::size_t unknowns_left, Wide target) {
        if (target < 0 || target > reach_[unknowns_left]) return Overlap::no;
        if (unknowns_left == 0) return Overlap::yes; // target is 0 here
        if (++steps_ > step_limit) return Overlap::unknown;

        const Unknown& unknown = unknowns_[unknowns_left - 1];
        const Wide c = unknown.coefficient;
        const Wide rest = reach_[unknowns_left - 1];
        Wide first = std::max<Wide>(0, ceil_divide(target - rest, c));
        const Wide last = std::min<Wide>(unknown.count - 1, floor_divide(target, c));

        // What the smaller unknowns must add up to is a multiple of their common divisor.
        Wide step = 1;
        if (const std::int64_t divisor = divisor_[unknowns_left - 1]; divisor == 0) {
            if (target % c != 0) return Overlap::no;
        } else {
            const std::int64_t common = std::gcd(unknown.coefficient, divisor);
            if (target % common != 0) return Overlap::no;
            const std::int64_t modulus = divisor / common;
            if (modulus > 1) {
                const std::int64_t inverse = inverse_modulo((unknown.coefficient / common) % modulus, modulus);
                const Wide residue = (target / common) % modulus * inverse % modulus;
                first += (((residue - first) % modulus) + modulus) % modulus;
                step = modulus;
            }
        }
        // With one smaller unknown left, any value on the divisor and within reach solves the equation.
        if (unknowns_left <= 2) return first <= last ? Overlap::yes : Overlap::no;

        bool gave_up = false;
        for (Wide x = first; x <= last; x += step) {
            const Overlap answer = search(unknowns_left - 1, target - c * x);
            if (answer == Overlap::yes) return answer;
            if (answer == Overlap::unknown) { gave_up = true; break; }
            if (++steps_ > step_limit) { gave_up = true; break; }
        }
        return gave_up ? Overlap::unknown : Overlap::no;
    }

    static constexpr std::int64_t step_limit = 200'000;
    std::vector<Unknown> unknowns_;      ///< ascending coefficients
    std::vector<Wide> reach_;            ///< [k]: largest sum of the first k
    std::vector<std::int64_t> divisor_;  ///< [k]: common divisor of the first k
    std::int64_t steps_ = 0;
};

} // namespace

bool Region::is_representable(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                              const std::vector<std::int64_t>& strides, std::int64_t element_size) {
    if (sizes.size() != strides.size() || element_size <= 0) return false;
    constexpr Wide limit = INT64_MAX / 4; // leaves room for sums of two regions
    Wide low = Wide(offset) * element_size, high = low + element_size;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] < 0) return false;
        if (sizes[i] == 0) return true;
        // Each factor is bounded before the product, which then fits 128 bits.
        const Wide stride_bytes = Wide(strides[i]) * element_size;
        if (stride_bytes > limit || stride_bytes < -limit) {
            if (sizes[i] > 1) return false;
            continue;
        }
        (stride_bytes < 0 ? low : high) += stride_bytes * (sizes[i] - 1);
        if (high > limit || low < -limit) return false;
    }
    return true;
}

Region Region::of_view(std::int64_t offset, const std::vector<std::int64_t>& sizes,
                       const std::vector<std::int64_t>& strides, std::int64_t element_size) {
    Region region;
    region.begin_ = offset * element_size;
    std::vector<Unknown> unknowns;
    if (element_size > 1) unknowns.push_back({1, element_size});
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) {
            region.empty_ = true;
            return region;
        }
        if (sizes[i] == 1 || strides[i] == 0) continue;
        const std::int64_t stride = strides[i] * element_size;
        // A negative stride covers the same cells from its other end.
        if (stride < 0) region.begin_ += stride * (sizes[i] - 1);
        unknowns.push_back({stride < 0 ? -stride : stride, sizes[i]});
    }
    merge_gapless(unknowns);
    region.end_ = region.begin_ + 1;
    for (const Unknown& unknown : unknowns) {
        region.dimensions_.push_back({unknown.count, unknown.coefficient});
        region.end_ += unknown.coefficient * (unknown.count - 1);
    }
    return region;
}

std::optional<Region> region_of(const TensorLayout& layout) {
    const std::int64_t size = element_size(layout.dtype);
    if (!Region::is_representable(layout.storage_offset, layout.sizes, layout.strides, size)) return std::nullopt;
    return Region::of_view(layout.storage_offset, layout.sizes, layout.strides, size);
}

Overlap overlaps(const Region& a, const Region& b) {
    if (a.is_empty() || b.is_empty()) return Overlap::no;
    if (a.end_byte() <= b.first_byte() || b.end_byte() <= a.first_byte()) return Overlap::no;
    // b's indices counted from its far end turn the difference into a sum of positive terms.
    std::vector<Unknown> unknowns;
    for (const Region* region : {&a, &b})
        for (const RegionDimension& dimension : region->dimensions()) unknowns.push_back({dimension.stride, dimension.size});
    return BoundedSum(std::move(unknowns)).has_solution(Wide(b.end_byte()) - 1 - a.first_byte());
}

Overlap overlaps_itself(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides) {
    std::vector<Unknown> unknowns;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0) return Overlap::no;
        if (sizes[i] == 1) continue;
        if (strides[i] == 0) return std::ranges::count(sizes, 0) ? Overlap::no : Overlap::yes;
        unknowns.push_back({strides[i] < 0 ? -strides[i] : strides[i], sizes[i]});
    }
    std::ranges::sort(unknowns, {}, &Unknown::coefficient);
    Wide reach = 0;
    bool nested = true;
    for (const Unknown& unknown : unknowns) {
        nested = nested && Wide(unknown.coefficient) > reach;
        reach += extent(unknown);
    }
    if (nested) return Overlap::no;

    // Two indices of one cell differ by z ≠ 0 with Σ stride·z = 0. Let i be a dimension where z is positive (z and -z
    // are both solutions); every other z ranges over -(size-1) … size-1.
    bool gave_up = false;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
        std::vector<Unknown> difference;
        Wide target = -Wide(unknowns[i].coefficient); // z_i = 1 + w, 0 ≤ w < size-1
        for (std::size_t j = 0; j < unknowns.size(); ++j) {
            if (j == i) {
                if (unknowns[j].count > 2) difference.push_back({unknowns[j].coefficient, unknowns[j].count - 1});
                continue;
            }
            if (unknowns[j].count > INT64_MAX / 2) return Overlap::unknown;
            difference.push_back({unknowns[j].coefficient, 2 * unknowns[j].count - 1});
            target += extent(unknowns[j]);
        }
        const Overlap answer = BoundedSum(std::move(difference)).has_solution(target);
        if (answer == Overlap::yes) return answer;
        gave_up = gave_up || answer == Overlap::unknown;
    }
    return gave_up ? Overlap::unknown : Overlap::no;
}

bool covers_same_bytes(const Region& a, const Region& b) {
    if (a.is_empty() || b.is_empty()) return a.is_empty() && b.is_empty();
    return a.first_byte() == b.first_byte() && a.dimensions() == b.dimensions();
}

bool surely_inside(const Region& inner, const Region& outer) {
    if (inner.is_empty() || covers_same_bytes(inner, outer)) return true;
    if (outer.is_empty() || inner.first_byte() < outer.first_byte() || inner.end_byte() > outer.end_byte()) return false;
    return outer.dimensions().empty() || (outer.dimensions().size() == 1 && outer.dimensions().front().stride == 1);
}

} // namespace inspector
