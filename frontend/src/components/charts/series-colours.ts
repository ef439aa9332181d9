/** Colour of a series, the same in charts, legends and tooltips. */
export interface SeriesColour {
  fill: string;
  ground: string;
}

export const SERIES_COLOURS: readonly SeriesColour[] = [
  { fill: "fill-chart-1", ground: "bg-chart-1" },
  { fill: "fill-chart-2", ground: "bg-chart-2" },
  { fill: "fill-chart-3", ground: "bg-chart-3" },
  { fill: "fill-chart-4", ground: "bg-chart-4" },
  { fill: "fill-chart-5", ground: "bg-chart-5" },
  { fill: "fill-chart-6", ground: "bg-chart-6" },
];

/** For everything without a series of its own. */
export const REST_COLOUR: SeriesColour = { fill: "fill-chart-rest", ground: "bg-chart-rest" };

export function seriesColour(index: number): SeriesColour {
  return SERIES_COLOURS[index] ?? REST_COLOUR;
}
