#include "ui/document/describe.h"

#include <array>
#include <cmath>

#include <QCoreApplication>
#include <QTextDocument>

#include "core/graph/print.h"
#include "ui/document/document.h"

namespace inspector {
namespace {

constexpr qsizetype longest_name = 200; ///< a page is laid out while somebody waits

QString translated(const char* text) { return QCoreApplication::translate("describe", text); }

} // namespace

QString bytesText(std::int64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (std::abs(amount) >= 1024 && unit + 1 < units.size()) {
        amount /= 1024;
        ++unit;
    }
    const double rounded = std::round(amount * 10) / 10;
    const int decimals = rounded == std::round(rounded) ? 0 : 1;
    return QStringLiteral("%1 %2").arg(QString::number(rounded, 'f', decimals), QLatin1String(units[unit]));
}

QString elementBytesText(const TensorLayout& layout) {
    std::int64_t bytes = element_size(layout.dtype);
    for (const std::int64_t size : layout.sizes)
        if (__builtin_mul_overflow(bytes, size, &bytes)) return translated("huge");
    return bytesText(bytes);
}

QString numbersText(const std::vector<std::int64_t>& numbers) {
    QStringList parts;
    for (const std::int64_t number : numbers) parts << QString::number(number);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QString valueText(const Document& document, NodeId node) {
    const Node* found = document.node(node);
    if (!found) return {};
    // The file's own words first: they keep symbols, where propagation has numbers.
    const std::string written = annotation(found->meta, {.class_name = {}, .strides = false, .device = false});
    if (!written.empty()) return QString::fromStdString(written);
    const GraphFacts& facts = document.session()->facts();
    if (index_of(node) >= facts.size() || !facts.is_known(node)) return {};
    const ValueFacts& value = facts.of(node);
    if (value.is_void) return translated("nothing");
    if (const TensorLayout* tensor = facts.tensor(node)) {
        const std::string_view dtype = short_name(tensor->dtype);
        return QString::fromUtf8(dtype.data(), static_cast<qsizetype>(dtype.size())) + numbersText(tensor->sizes);
    }
    if (value.is_list)
        return translated("list of %1").arg(value.items.size());
    return {};
}

QString checkTitle(CheckId check) {
    switch (check) {
    case CheckId::not_an_operator: return translated("Operator");
    case CheckId::no_arguments: return translated("Arguments");
    case CheckId::first_argument_not_tensor: return translated("First argument");
    case CheckId::metadata: return translated("Metadata");
    case CheckId::input_alias: return translated("Input alias");
    case CheckId::argument_alias: return translated("Argument alias");
    case CheckId::later_use: return translated("Later use");
    case CheckId::scatter: return translated("Scatter match");
    case CheckId::no_inplace_variant:
    case CheckId::inplace_variant: return translated("In-place variant");
    case CheckId::output_alias: return translated("Output alias");
    case CheckId::result_layout: return translated("Result layout");
    case CheckId::redundant_write: return translated("Redundant write");
    case CheckId::not_a_candidate: return translated("Candidate");
    case CheckId::written_twice: return translated("One writer");
    case CheckId::fusion: return translated("Fusion");
    }
    return {};
}

QString judgementText(Judgement judgement) {
    switch (judgement) {
    case Judgement::alike: return translated("alike");
    case Judgement::unsound: return translated("unsound");
    case Judgement::timid: return translated("timid");
    case Judgement::otherwise: return translated("otherwise");
    }
    return {};
}

QString differencesText(const Document& document, NodeId node) {
    QStringList parts;
    for (const PolicyDifference& difference : document.policyDifferences(node))
        parts << QStringLiteral("%1 %2").arg(QString::fromStdString(difference.policy), judgementText(difference.judgement));
    return parts.join(QStringLiteral(", "));
}

QString nodeText(const Document& document, NodeId node) {
    const Node* found = document.node(node);
    if (!found) return translated("(none)");
    const QString name = QString::fromStdString(found->name);
    return QLatin1Char('%') + (name.size() <= longest_name ? name : name.left(longest_name) + QChar(0x2026));
}

QString operationText(const Node& node) {
    switch (node.opcode) {
    case Opcode::placeholder: return QStringLiteral("placeholder");
    case Opcode::output: return QStringLiteral("output");
    case Opcode::get_attr: return QStringLiteral("get_attr ") + QString::fromStdString(node.target);
    case Opcode::call_method: return QStringLiteral("call_method ") + QString::fromStdString(node.target);
    case Opcode::call_module: return QStringLiteral("call_module ") + QString::fromStdString(node.target);
    case Opcode::call_function: break;
    }
    QString target = QString::fromStdString(node.target);
    const QString prefix = QStringLiteral("torch.ops.");
    return target.startsWith(prefix) ? target.mid(prefix.size()) : target;
}

VerdictMark verdictMark(const Document& document, NodeId node) {
    if (document.decisionIndex(node) < 0) return VerdictMark::none;
    const Decision* decision = document.decision(node);
    return verdictMark(decision, decision && document.session()->is_miss(*decision));
}

QString literalToolTip(const QString& text) { return Qt::convertFromPlainText(text, Qt::WhiteSpaceNormal); }

QString nodeToolTip(const Document& document, NodeId id) {
    const Node* node = document.node(id);
    if (!node) return {};
    QString tip = QStringLiteral("<b>%1</b> = %2")
                      .arg(nodeText(document, id).toHtmlEscaped(), operationText(*node).toHtmlEscaped());
    const QString value = valueText(document, id);
    if (!value.isEmpty()) tip += QStringLiteral("<br>%1").arg(value.toHtmlEscaped());
    const GraphFacts& facts = document.session()->facts();
    if (index_of(id) < facts.size()) {
        if (const TensorLayout* tensor = facts.tensor(id)) {
            tip += QStringLiteral("<br>") + translated("strides %1, offset %2, storage %3")
                                                .arg(numbersText(tensor->strides))
                                                .arg(tensor->storage_offset)
                                                .arg(document.storageOf(id));
        }
        if (facts.of(id).view_of != no_node)
            tip += QStringLiteral("<br>") +
                   translated("view of %1").arg(nodeText(document, facts.of(id).view_of).toHtmlEscaped());
    }
    if (document.decisionIndex(id) >= 0) {
        const Decision* decision = document.decision(id);
        tip += QStringLiteral("<br>") + verdictStyle(verdictMark(document, id), Scheme::light).word;
        if (decision && decision->verdict == Verdict::kept) tip += QStringLiteral(": ") + checkTitle(decision->check);
        if (const auto note = document.autogradNote(id))
            tip += QStringLiteral("<br>⚠ ") +
                   QString::fromStdString(plain_text(explain_autograd(*document.session(), *decision, *note))).toHtmlEscaped();
        for (const PolicyDifference& difference : document.policyDifferences(id))
            tip += QStringLiteral("<br>≠ ") + QString::fromStdString(plain_text(difference.sentence)).toHtmlEscaped();
    }
    return tip;
}

} // namespace inspector
