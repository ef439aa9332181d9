import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { Database } from "lucide-react";
import { GENERATE_KINDS } from "@/features/datasets/overlay";
import { CASE_SORTS, DIFFICULTIES, ORIGINS, SPLITS } from "@/features/datasets/view";
import { choiceParam, definedOnly, flagParam, textParam, type RawSearch } from "@/lib/search";
import { projectRoute } from "./frame";

const datasetsRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/datasets",
  staticData: {
    page: {
      key: "datasets",
      guide: "datasets",
      group: "evaluate",
      icon: Database,
      shortcut: "g d",
    },
  },
  validateSearch: (search: RawSearch) =>
    definedOnly({
      q: textParam(search.q),
      kind: choiceParam(search.kind, ORIGINS),
      tag: textParam(search.tag),
      status: choiceParam(search.status, ["archived", "all"] as const),
      sort: choiceParam(search.sort, ["name", "cases", "newest"] as const),
      create: choiceParam(search.create, ["cases", "file", "case"] as const),
    }),
  component: lazyRouteComponent(() => import("../routes/datasets-route"), "DatasetsRoute"),
});

const datasetRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/datasets/$datasetId",
  validateSearch: (search: RawSearch) =>
    definedOnly({
      tab: choiceParam(search.tab, ["coverage"] as const),
      q: textParam(search.q),
      tag: textParam(search.tag),
      split: choiceParam(search.split, SPLITS),
      difficulty: choiceParam(textParam(search.difficulty), DIFFICULTIES),
      origin: choiceParam(search.origin, ORIGINS),
      expected: choiceParam(search.expected, ["yes", "no"] as const),
      sort: choiceParam(search.sort, CASE_SORTS),
      case: textParam(search.case),
      add: flagParam(search.add),
      import: flagParam(search.import),
      duplicates: flagParam(search.duplicates),
      generate: choiceParam(search.generate, GENERATE_KINDS),
      gap: textParam(search.gap),
      generation: textParam(search.generation),
    }),
  component: lazyRouteComponent(() => import("../routes/dataset-route"), "DatasetRoute"),
});

export const datasetRoutes = [datasetsRoute, datasetRoute] as const;
