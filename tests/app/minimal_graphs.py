"""Runs the modules that `reinplace explain --node N --minimal` writes: plain torch must take every one.

usage: minimal_graphs.py REINPLACE FILE...
"""

import json
import subprocess
import sys

import torch


def main(program, files):
    count = 0
    for file in files:
        explained = subprocess.run([program, "explain", "--json", file], check=True, capture_output=True, text=True)
        decisions = json.loads(explained.stdout.splitlines()[0])["decisions"]
        for decision in decisions[:: max(1, len(decisions) // 4)]:
            made = subprocess.run([program, "explain", file, "--node", decision["node"], "--minimal"], check=True,
                                  capture_output=True, text=True)
            torch.manual_seed(0)
            exec(compile(made.stdout, f"{file} {decision['node']}", "exec"), {"__name__": "__main__"})
            count += 1
    print(f"{count} modules ran")
    assert count > len(files)


main(sys.argv[1], sys.argv[2:])
