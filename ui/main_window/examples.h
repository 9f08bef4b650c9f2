// Graphs that come with the program.
#pragma once

#include <vector>

#include <QString>

namespace inspector {

struct Example {
    QString title;
    QString about;
    QString resource; ///< ":/examples/…"
};
[[nodiscard]] const std::vector<Example>& examples();

/// A file readers can open: a copy of the resource in a folder that goes with the program's end. Empty where no
/// temporary file can be written.
[[nodiscard]] QString exampleFile(const Example& example);
/// Whether `path` is such a copy: no file of the person's.
[[nodiscard]] bool isExampleFile(const QString& path);

} // namespace inspector
