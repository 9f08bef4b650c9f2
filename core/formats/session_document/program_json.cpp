#include "core/formats/session_document/program_json.h"

#include "core/formats/session_document/value_meta_json.h"
#include "core/formats/standard_input.h"

namespace inspector::session_document {
namespace {

Json inductor_json(const InductorLog& log) {
    Json ops = Json::array();
    for (const LoggedReinplace& op : log.ops)
        ops.push_back({{"compile_id", op.compile_id}, {"op", op.op}, {"node", op.node}, {"candidates", op.candidates},
                       {"reinplaced", op.reinplaced}, {"cloned", op.cloned}, {"missed", op.missed},
                       {"missed_bytes", op.missed_bytes}});
    Json counters = Json::array();
    for (const LoggedCounters& counted : log.counters) {
        Json each = Json::array();
        for (const auto& [name, number] : counted.counters) each.push_back(Json::array({name, number}));
        counters.push_back({{"compile_id", counted.compile_id}, {"counters", std::move(each)}});
    }
    return {{"ops", std::move(ops)}, {"counters", std::move(counters)}};
}

std::vector<std::string> texts(const Json& json) {
    std::vector<std::string> found;
    for (const Json& item : list(json)) found.push_back(text(item));
    return found;
}

InductorLog read_inductor(const Json& json) {
    InductorLog log;
    for (const Json& op : list(member(json, "ops")))
        log.ops.push_back({.compile_id = text(member(op, "compile_id")),
                           .op = text(member(op, "op")),
                           .node = text(member(op, "node")),
                           .candidates = texts(member(op, "candidates")),
                           .reinplaced = texts(member(op, "reinplaced")),
                           .cloned = texts(member(op, "cloned")),
                           .missed = texts(member(op, "missed")),
                           .missed_bytes = integer(member(op, "missed_bytes"))});
    for (const Json& counted : list(member(json, "counters"))) {
        LoggedCounters counters{.compile_id = text(member(counted, "compile_id")), .counters = {}};
        for (const Json& each : list(member(counted, "counters"))) {
            if (list(each).size() != 2) throw Malformed{&each, "a counter has a name and a number"};
            counters.counters.emplace_back(text(each[0]), integer(each[1]));
        }
        log.counters.push_back(std::move(counters));
    }
    return log;
}

Json stored_json(const StoredTensor& tensor) {
    Json json{{"name", tensor.name}, {"record", tensor.record}, {"meta", tensor_json(tensor.meta)}};
    if (tensor.is_parameter) json["parameter"] = true;
    if (tensor.is_pickled) json["pickled"] = true;
    return json;
}

StoredTensor read_stored(const Json& json) {
    const auto flag = [&json](const char* key) {
        const Json* found = find(json, key);
        return found && boolean(*found);
    };
    return {.name = text(member(json, "name")),
            .record = text(member(json, "record")),
            .is_parameter = flag("parameter"),
            .is_pickled = flag("pickled"),
            .meta = read_tensor(member(json, "meta"))};
}

} // namespace

Json program_json(const Program& program) {
    Json json = Json::object();
    put_text(json, "torch_version", program.torch_version);
    if (!program.verifiers.empty()) json["verifiers"] = program.verifiers;
    if (program.archive)
        json["archive"] = {{"path", is_kept_standard_input(program.archive->path) ? "" : program.archive->path},
                           {"bytes", program.archive->bytes}, {"checksum", program.archive->checksum}};
    for (const StoredTensor& tensor : program.tensors) json["tensors"].push_back(stored_json(tensor));
    if (!program.inductor.empty()) json["inductor"] = inductor_json(program.inductor);
    return json;
}

void read_program_json(const Json& json, Program& program) {
    program.torch_version = text_or_empty(json, "torch_version");
    if (const Json* verifiers = find(json, "verifiers")) program.verifiers = texts(*verifiers);
    if (const Json* archive = find(json, "archive"))
        program.archive = TensorArchive{.path = text(member(*archive, "path")),
                                        .bytes = static_cast<std::uint64_t>(integer(member(*archive, "bytes"))),
                                        .checksum = text(member(*archive, "checksum")),
                                        .is_at_hand = false};
    if (const Json* tensors = find(json, "tensors"))
        for (const Json& tensor : list(*tensors)) program.tensors.push_back(read_stored(tensor));
    if (const Json* inductor = find(json, "inductor")) program.inductor = read_inductor(*inductor);
}

} // namespace inspector::session_document
