// A rewritten graph back into the .pt2 file it came from, for torch.export.load.
#pragma once

#include <string>

#include "core/formats/decisions/decision_records.h"
#include "core/graph/program.h"
#include "core/graph/result.h"

namespace inspector {

/// Why `program` cannot be written as a .pt2, as a clause: it came from none, or the document's archive is missing.
/// Empty: it can, from program.archive.
[[nodiscard]] std::string why_not_pt2(const Program& program);

/// Copies `source_path` to `out_path` with `original`, a graph of read_pt2, replaced by `rewritten`: targets,
/// arguments, inserted and erased nodes, outputs and their names in the signature. Weights, sample inputs and every
/// other record keep their bytes. Where operators work in place that did not, the program becomes one of the training
/// IR, since torch's verifier of ATen programs refuses such. The paths may be the same; the file is written whole or
/// not at all.
///
/// `records` become the member "reinplace" of the nodes' metadata "custom", and of the program's, there under the id of the
/// graph; what the program's says of other graphs stays. Those of before are dropped where the graph has changed since. getitem
/// has no metadata of its own in the file.
///
/// Errors: the source is no longer the file that was read, or from before torch 2.8; inputs or the number of outputs
/// changed; a node whose result nothing is known of; an argument the format cannot express; metadata that no record can
/// be added to.
[[nodiscard]] Result<void> write_pt2(const std::string& source_path, const ProgramGraph& original,
                                     const Graph& rewritten, const std::string& out_path,
                                     const DecisionRecords& records = {});

/// The same of all graphs of a program at once: `rewritten` has those of `original`, changed. Its root may return more than
/// the original's: what comes first then is what its signature adds, the final values of buffers, parameters and inputs. A
/// program in which nothing writes any more becomes one of the ATen IR.
[[nodiscard]] Result<void> write_pt2(const std::string& source_path, const Program& original, const Program& rewritten,
                                     const std::string& out_path);

} // namespace inspector
