import type { RunEstimate } from "@/api/types";
import { Assumptions } from "./estimate";
import { EstimateState, type EstimateStateProps } from "./estimate-state";

/** The estimate of a run, or why there is none yet. */
export function EstimateView(props: Omit<EstimateStateProps<RunEstimate>, "children">) {
  return (
    <EstimateState {...props}>{(estimate) => <Assumptions estimate={estimate} />}</EstimateState>
  );
}
