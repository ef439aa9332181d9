import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import {
  Boxes,
  Database,
  FlaskConical,
  ListChecks,
  MessageSquareText,
  Radar,
  Scale,
  Sparkles,
  Split,
  type LucideIcon,
} from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { query } from "@/api/queries";
import type { components } from "@/api/schema.gen";
import { useDebounced } from "@/lib/hooks";
import { PaletteGroup, PaletteItem } from "./palette-parts";

type Found = components["schemas"]["FoundRead"];

const ICONS: Record<Found["kind"], LucideIcon> = {
  prompt: MessageSquareText,
  dataset: Database,
  scorer: Scale,
  model: Boxes,
  run: ListChecks,
  experiment: FlaskConical,
  optimization: Sparkles,
  ab_test: Split,
  monitor: Radar,
};

/** Found things before anything is typed. */
const LATEST = 5;

const searchQuery = (slug: string, q: string) =>
  query("/projects/{project}/search", { project: slug, query: { q } }, { keepPrevious: true });

function useOpen(slug: string) {
  const navigate = useNavigate();
  return ({ kind, id }: Found) => {
    switch (kind) {
      case "prompt":
        return navigate({ to: "/p/$slug/prompts/$promptId", params: { slug, promptId: id } });
      case "dataset":
        return navigate({ to: "/p/$slug/datasets/$datasetId", params: { slug, datasetId: id } });
      case "scorer":
        return navigate({ to: "/p/$slug/scorers/$scorerId", params: { slug, scorerId: id } });
      case "model":
        return navigate({ to: "/p/$slug/models", params: { slug } });
      case "run":
        return navigate({ to: "/p/$slug/runs/$runId", params: { slug, runId: id } });
      case "experiment":
        return navigate({
          to: "/p/$slug/experiments/$experimentId",
          params: { slug, experimentId: id },
        });
      case "optimization":
        return navigate({
          to: "/p/$slug/optimizations/$optimizationId",
          params: { slug, optimizationId: id },
        });
      case "ab_test":
        return navigate({ to: "/p/$slug/ab-tests/$testId", params: { slug, testId: id } });
      case "monitor":
        return navigate({ to: "/p/$slug/monitors/$monitorId", params: { slug, monitorId: id } });
    }
  };
}

export interface FoundGroupProps {
  slug: string;
  text: string;
  run: (action: () => unknown) => void;
  /** After other things were found. */
  onFound: () => void;
}

/** Things of the project with the text in their names; the latest before anything is typed. */
export function FoundGroup({ slug, text, run, onFound }: FoundGroupProps) {
  const { t } = useTranslation();
  const open = useOpen(slug);
  const q = useDebounced(text.trim(), 200);
  const { data } = useQuery(searchQuery(slug, q));
  useEffect(onFound, [data, onFound]);
  const items = q === "" ? (data ?? []).slice(0, LATEST) : (data ?? []);
  if (items.length === 0) {
    return null;
  }
  return (
    <PaletteGroup heading={t(q === "" ? "palette.latest" : "palette.found")}>
      {items.map((found) => {
        const Icon = ICONS[found.kind];
        return (
          <PaletteItem
            key={found.id}
            value={`${found.name} ${found.id}`}
            icon={<Icon />}
            note={t(`palette.kinds.${found.kind}`)}
            onChosen={() => run(() => open(found))}
          >
            {found.name}
          </PaletteItem>
        );
      })}
    </PaletteGroup>
  );
}
