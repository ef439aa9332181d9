"""`python -m benchmarks [prefix …]`: runs all benchmarks, or those with a given name or prefix. The
`LONG` ones take many minutes and run only when named.
"""

import sys

from benchmarks import (
    api_latency,
    arena,
    calls,
    datasets,
    engine,
    engine_large,
    engine_watching,
    engine_workers,
    estimates,
    eval,
    evidence,
    grid,
    monitors,
    optimize,
    optimize_load,
    page,
    prompts,
    reads,
    refine,
    sandbox,
    scorers,
    simulation,
    startup,
    statistics,
    streams,
)
from benchmarks.figures import print_table

ALL = {
    "startup": startup,
    "page": page,
    "grid": grid,
    "api_latency": api_latency,
    "datasets": datasets,
    "prompts": prompts,
    "reads": reads,
    "calls": calls,
    "simulation": simulation,
    "scorers": scorers,
    "sandbox": sandbox,
    "statistics": statistics,
    "evidence": evidence,
    "monitors": monitors,
    "arena": arena,
    "estimates": estimates,
    "refine": refine,
    "optimize": optimize,
    "optimize_load": optimize_load,
    "eval": eval,
    "engine": engine,
    "engine_watching": engine_watching,
    "streams": streams,
    "engine_workers": engine_workers,
    "engine_large": engine_large,
}
LONG = {"arena", "estimates", "evidence", "monitors", "optimize", "engine_workers", "engine_large"}


def main(names: list[str]) -> None:
    for name in _chosen(names):
        print_table(name.replace("_", " "), ALL[name].measure())


def _chosen(names: list[str]) -> list[str]:
    if not names:
        return [name for name in ALL if name not in LONG]
    chosen = [name for name in ALL if name in names]
    chosen = chosen or [name for name in ALL if name.startswith(tuple(names))]
    if not chosen:
        sys.exit(f"There is no such benchmark. There are: {', '.join(ALL)}.")
    return chosen


if __name__ == "__main__":
    main(sys.argv[1:])
