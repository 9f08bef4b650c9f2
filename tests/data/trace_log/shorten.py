"""shorten.py LOG… OUT: copies TORCH_TRACE logs into the folder OUT without the records that are many and hold no graph."""
import pathlib
import re
import sys

MANY = re.compile(r"\] \{\"(chromium_event|describe_\w+|dynamo_cpp_guards_str|inductor_output_code|compilation_metrics"
                  r"|bwd_compilation_metrics|artifact\": \{\"name\": \"(torch\._functorch\.config|inductor_prov|fx_graph_cache"
                  r"|\w+BYTECODE|runtime_wrapper_orchestration|dynamo_graph_break_reason|aot_forward_graph_fw_metadata))")


def shorten(log: str) -> str:
    kept, keep, first = [], True, True
    for line in log.split("\n"):
        if not line.startswith("\t"):
            keep = not MANY.search(line) or first and "chromium_event" in line
            first = first and not (keep and "chromium_event" in line)
        if keep:
            kept.append(line)
    return "\n".join(kept)


*logs, out = map(pathlib.Path, sys.argv[1:])
for path in logs:
    (out / f"{path.parent.name}.log").write_text(shorten(path.read_text(encoding="utf-8")), encoding="utf-8")
