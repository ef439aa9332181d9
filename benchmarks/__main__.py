"""`python -m benchmarks [name …]`: measure everything, or only what is named."""

import sys

from benchmarks import api_latency, calls, datasets, page, prompts, simulation, startup
from benchmarks.figures import print_table

ALL = {
    "startup": startup,
    "page": page,
    "api_latency": api_latency,
    "datasets": datasets,
    "prompts": prompts,
    "calls": calls,
    "simulation": simulation,
}


def main(names: list[str]) -> None:
    for name in names or ALL:
        print_table(name.replace("_", " "), ALL[name].measure())


if __name__ == "__main__":
    main(sys.argv[1:])
