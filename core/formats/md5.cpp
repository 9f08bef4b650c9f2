#include "core/formats/md5.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace inspector {
namespace {

constexpr std::size_t block_size = 64;
using State = std::array<std::uint32_t, 4>;

/// The table T of the standard: floor(2^32 * |sin(i + 1)|).
std::array<std::uint32_t, 64> sines() {
    std::array<std::uint32_t, 64> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
        table[i] = static_cast<std::uint32_t>(std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 4294967296.0));
    return table;
}

std::uint32_t little_endian_word(const unsigned char* bytes) {
    return static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
           static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
}

void add_block(State& state, const unsigned char* block) {
    static const std::array<std::uint32_t, 64> table = sines();
    constexpr std::array<std::array<int, 4>, 4> shifts{{{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}}};
    std::array<std::uint32_t, 16> words{};
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = little_endian_word(block + 4 * i);
    auto [a, b, c, d] = state;
    for (std::uint32_t i = 0; i < 64; ++i) {
        std::uint32_t mixed = 0;
        std::uint32_t word = 0;
        switch (i / 16) {
        case 0: mixed = (b & c) | (~b & d); word = i; break;
        case 1: mixed = (b & d) | (c & ~d); word = (5 * i + 1) % 16; break;
        case 2: mixed = b ^ c ^ d; word = (3 * i + 5) % 16; break;
        default: mixed = c ^ (b | ~d); word = 7 * i % 16; break;
        }
        const std::uint32_t sum = a + mixed + words[word] + table[i];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, shifts[i / 16][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

} // namespace

std::string md5(std::string_view bytes) {
    State state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t done = 0;
    for (; bytes.size() - done >= block_size; done += block_size) add_block(state, data + done);

    // The rest, a one bit, zeros, and the number of bits: one block or two.
    std::array<unsigned char, 2 * block_size> tail{};
    const std::size_t rest = bytes.size() - done;
    if (rest > 0) std::memcpy(tail.data(), data + done, rest);
    tail[rest] = 0x80;
    const std::size_t length = rest + 9 <= block_size ? block_size : 2 * block_size;
    const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
    for (std::size_t i = 0; i < 8; ++i) tail[length - 8 + i] = static_cast<unsigned char>(bits >> (8 * i));
    for (std::size_t i = 0; i < length; i += block_size) add_block(state, tail.data() + i);

    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint32_t word : state)
        for (unsigned shift = 0; shift < 32; shift += 8) {
            text += digits[word >> (shift + 4) & 15];
            text += digits[word >> shift & 15];
        }
    return text;
}

} // namespace inspector
