#include "core/graph/result.h"

namespace inspector {

std::string Error::message() const {
    std::string text;
    for (const std::string* part : {&file, &place, &reason}) {
        if (part->empty()) continue;
        if (!text.empty()) text += ": ";
        text += *part;
    }
    return text;
}

} // namespace inspector
