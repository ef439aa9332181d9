const TABLE = "#main-content table";

/** The steps of the tour: a page of the demo project each, and the part of it to look at. */
export const STEPS = [
  { key: "home", to: "/p/$slug", anchor: '[aria-labelledby="waiting-heading"]' },
  { key: "playground", to: "/p/$slug/playground", anchor: '#main-content [role="grid"]' },
  { key: "experiment", to: "/p/$slug/experiments", anchor: `[data-tour="best"], ${TABLE}` },
  { key: "reviews", to: "/p/$slug/reviews", anchor: TABLE },
  { key: "optimizations", to: "/p/$slug/optimizations", anchor: TABLE },
  { key: "monitors", to: "/p/$slug/monitors", anchor: TABLE },
  { key: "abTests", to: "/p/$slug/ab-tests", anchor: TABLE },
  { key: "arena", to: "/p/$slug/arena", anchor: TABLE },
  { key: "end", to: "/p/$slug", anchor: "" },
] as const;
