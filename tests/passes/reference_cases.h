// Cases of torch.fx.passes.reinplace as recorded from PyTorch: a graph, what the pass decided, what it left.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "core/formats/reader.h"

namespace reference {

struct Recorded {
    std::string target;
    std::string verdict;
    std::string check;
    std::vector<std::string> detail;
};

struct Case {
    std::string name;
    inspector::ProgramGraph graph;
    std::map<std::string, Recorded> decisions; ///< by node; empty where the pass raised
    std::optional<std::string> after;          ///< str(graph) after the pass
    bool upstream_raised = false;
};

inline std::string text_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    std::string out = text.str();
    while (out.ends_with('\n')) out.pop_back();
    return out;
}

inline std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const auto& folder : std::filesystem::directory_iterator(TEST_DATA "/reference"))
        if (std::filesystem::exists(folder.path() / "decisions.json"))
            found.push_back(folder.path().filename().string());
    std::ranges::sort(found);
    return found;
}

/// An error's message where the graph cannot be read.
inline inspector::Result<Case> load(const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(TEST_DATA "/reference") / name;
    const bool is_text = std::filesystem::exists(folder / "before.py.txt");
    auto program = inspector::read_program((folder / (is_text ? "before.py.txt" : "before.pt2")).string());
    if (!program) return tl::unexpected(program.error());
    Case made{name, program->graphs.front(), {}, std::nullopt, false};

    QFile file(QString::fromStdString((folder / "decisions.json").string()));
    if (!file.open(QIODevice::ReadOnly)) return inspector::fail(name, "decisions.json cannot be read");
    const QJsonObject recorded = QJsonDocument::fromJson(file.readAll()).object();
    made.upstream_raised = recorded["upstream"].toString().startsWith("pass raised");
    const QJsonObject decisions = recorded["decisions"].toObject();
    for (auto it = decisions.begin(); it != decisions.end(); ++it) {
        const QJsonObject decision = it->toObject();
        Recorded& out = made.decisions[it.key().toStdString()];
        out = {decision["target"].toString().toStdString(), decision["verdict"].toString().toStdString(),
               decision["check"].toString().toStdString(), {}};
        for (const QJsonValue& item : decision["detail"].toArray()) out.detail.push_back(item.toString().toStdString());
    }
    if (std::filesystem::exists(folder / "after.fx.txt")) made.after = text_of(folder / "after.fx.txt");
    return made;
}

} // namespace reference
