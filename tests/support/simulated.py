"""Direct calls of the simulation, without its provider."""

from edison.pipeline.generate.call import Parameters
from edison.simulation.request import Sampling


def sampling_of(parameters: Parameters) -> Sampling:
    return Sampling(
        temperature=parameters.temperature,
        seed=parameters.seed,
        stop=tuple(parameters.stop or ()),
        max_tokens=parameters.max_tokens,
    )
