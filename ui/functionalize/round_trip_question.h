// What verifying the round trip asks: the functional form, and what the re-inplacing pass makes of it, run beside the source.
#pragma once

#include "core/passes/functionalize/functionalize.h"
#include "ui/verify/equivalence_run.h"

namespace inspector {

[[nodiscard]] EquivalenceQuestion roundTripQuestion(const Document& document, Epilogue epilogue);

} // namespace inspector
