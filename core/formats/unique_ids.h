// Names that must be unique: the second of one name gets "_1".
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace inspector {

class UniqueIds {
public:
    std::string unique(const std::string& wanted) {
        if (used_.insert(wanted).second) return wanted;
        for (std::size_t& number = last_number_[wanted];;) {
            std::string numbered = wanted + "_" + std::to_string(++number);
            if (used_.insert(numbered).second) return numbered;
        }
    }

private:
    std::unordered_set<std::string> used_;
    std::unordered_map<std::string, std::size_t> last_number_;
};

} // namespace inspector
