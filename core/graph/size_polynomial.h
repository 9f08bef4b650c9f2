// Sizes as polynomials with integer coefficients, which are equal for all values of their symbols where they look alike.
//
//     2*s0 + 4 - s0*s1          factors are atoms: a symbol, a floor division by a number, a maximum or minimum, or
//                               something opaque
//
// a % n is a - n*(a//n), and (n*a + b)//n is a + b//n, so that halves of a size add up to it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/symbolic_size.h"

namespace inspector {

struct SizeAtom;

class SizePolynomial {
public:
    using Factor = std::pair<std::shared_ptr<const SizeAtom>, int>; ///< atom, power from 1
    struct ByText {
        bool operator()(const std::vector<Factor>& a, const std::vector<Factor>& b) const;
    };
    using Monomial = std::vector<Factor>; ///< by the atoms' texts; empty: 1
    using Terms = std::map<Monomial, std::int64_t, ByText>;

    SizePolynomial() = default;
    explicit SizePolynomial(std::int64_t number);
    explicit SizePolynomial(std::shared_ptr<const SizeAtom> atom);
    /// nullopt: a float or a comparison in it, numbers beyond 62 bits, or a power above 4.
    [[nodiscard]] static std::optional<SizePolynomial> of(const SymbolicSize& size);

    /// No zero coefficients.
    [[nodiscard]] const Terms& terms() const { return terms_; }
    /// Some coefficient was too large: nothing holds of it.
    [[nodiscard]] bool overflowed() const { return overflowed_; }
    [[nodiscard]] std::optional<std::int64_t> number() const; ///< where it has no atom
    [[nodiscard]] bool is_zero() const { return terms_.empty() && !overflowed_; }
    /// The atoms in it, by text.
    [[nodiscard]] std::vector<std::shared_ptr<const SizeAtom>> atoms() const;
    [[nodiscard]] int degree(const SizeAtom& atom) const;
    /// What stands beside atom**power.
    [[nodiscard]] SizePolynomial coefficient(const SizeAtom& atom, int power) const;
    /// Every `atom` replaced; where `scale` is not 1, the whole times scale**degree and `value` stands for scale*atom.
    [[nodiscard]] SizePolynomial substituted(const SizeAtom& atom, const SizePolynomial& value, std::int64_t scale = 1) const;

    [[nodiscard]] SizePolynomial plus(const SizePolynomial& other, std::int64_t times = 1) const;
    [[nodiscard]] SizePolynomial times(const SizePolynomial& other) const;
    [[nodiscard]] SizePolynomial times(std::int64_t number) const { return times(SizePolynomial(number)); }
    [[nodiscard]] SizePolynomial minus(const SizePolynomial& other) const { return plus(other, -1); }

    /// Greatest common divisor of the coefficients, the constant's left out; 0 for a number.
    [[nodiscard]] std::int64_t content() const;
    /// "2*s0 + 4"; "0".
    [[nodiscard]] std::string text() const;
    /// nullopt: an atom has no value, or overflow.
    [[nodiscard]] std::optional<std::int64_t> evaluate(const std::map<std::string, std::int64_t>& symbols) const;

private:
    void add(const Monomial& monomial, std::int64_t coefficient);
    Terms terms_;
    bool overflowed_ = false;
};

struct SizeAtom {
    enum class Kind : std::uint8_t { symbol, floor, maximum, minimum, opaque, remainder };
    Kind kind = Kind::symbol;
    std::string text;                       ///< two atoms of one text are one
    std::vector<SizePolynomial> operands{}; ///< floor: what is divided; maximum, minimum: two or more
    std::int64_t divisor = 1;               ///< floor: above 0; remainder: below this and at least 0
    std::optional<SymbolicSize> size{};     ///< opaque: as it stands
};

} // namespace inspector
