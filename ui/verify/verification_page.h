// What a verification found, as rich text.
#pragma once

#include <QPalette>
#include <QString>

namespace inspector {

class Document;
class VerificationRun;

/// The last report, or what there will be. Links: "node:N" selects, "through:N" decides up to the node, "leave:N" takes
/// the choice for it back.
[[nodiscard]] QString verificationPage(const Document& document, const VerificationRun& run, const QPalette& palette);

} // namespace inspector
