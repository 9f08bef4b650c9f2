// What Inductor's own reinplacing pass says in a log, kept to be shown beside what ours decides.
//
//     Reinplace for mylib::scale_ (wrapped by auto_functionalized_v2): candidates=range(0, 1), successfully
//         reinplaced=[], remain clones=[0], missed opportunities=[0], missed static bytes=128.      (on one line)
//     inductor reinplace_counters: defaultdict(<class 'int'>, {'missed_tensors_AUTO_FUNC_V2': 1})
#pragma once

#include "core/formats/fx_text/log_records.h"
#include "core/graph/program.h"

namespace inspector::fx_text {

/// Appends what the record's lines say to program.inductor, in order. Lines of another form are passed over. Source:
/// log_inplace_results of torch/_inductor/fx_passes/reinplace.py.
void append_logged_reinplace(const LogRecord& record, Program& program);

} // namespace inspector::fx_text
