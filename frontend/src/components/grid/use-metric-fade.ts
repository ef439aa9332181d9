import { useEffect, useRef, type RefObject } from "react";
import type { Metric } from "./columns";

const FADE_MILLISECONDS = 150;

/** Fades metrics in when another one is chosen, but not when rows scroll into view. */
export function useMetricFade(grid: RefObject<HTMLElement | null>, metric: Metric): void {
  const shown = useRef(metric);
  useEffect(() => {
    if (shown.current === metric) {
      return;
    }
    shown.current = metric;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    for (const figure of grid.current?.querySelectorAll<HTMLElement>("[data-metric]") ?? []) {
      figure.animate([{ opacity: 0 }, { opacity: 1 }], FADE_MILLISECONDS);
    }
  }, [grid, metric]);
}
