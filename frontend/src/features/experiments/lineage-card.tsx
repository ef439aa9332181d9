import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Experiment } from "@/api/types";
import { assignLanes, laneCount } from "@/components/lineage/lanes";
import { LineageGraph } from "@/components/lineage/lineage-graph";
import { outOfTen } from "@/components/score-scale";
import { Badge } from "@/components/ui/badge";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";

type Version = Experiment["lineage"][number];

function VersionScore({ version }: { version: Version }) {
  const { t } = useTranslation();
  const held = version.holdout !== null && version.holdout.value !== null;
  const mean = held ? version.holdout : version.train;
  if (mean?.value == null) {
    return <span className="text-xs text-ink-subtle">{t("experiments.lineage.untested")}</span>;
  }
  return (
    <span className="text-sm whitespace-nowrap tabular-nums">
      <span className="font-semibold">{outOfTen(mean.value)}</span>
      <span className="text-xs text-ink-muted">
        {"/10 "}
        {t(held ? "experiments.lineage.holdout" : "experiments.lineage.train")}
      </span>
    </span>
  );
}

/** Versions of the prompt, newest first, with their scores. */
export function LineageCard({ slug, experiment }: { slug: string; experiment: Experiment }) {
  const { t } = useTranslation();
  const id = useId();
  const versions = experiment.lineage.toSorted((one, other) =>
    other.created_at.localeCompare(one.created_at),
  );
  if (versions.length === 0) {
    return null;
  }
  const rows = assignLanes(
    versions.map(({ version_id, parent_id }) => ({ id: version_id, parent_id })),
  );
  const width = laneCount(rows);
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t("experiments.lineage.title")}
        description={t("experiments.lineage.hint")}
      />
      <CardContent>
        <ol className="grid">
          {versions.map((version, index) => {
            const row = rows[index];
            return row === undefined ? null : (
              <li key={version.version_id} className="flex gap-3">
                <LineageGraph
                  row={row}
                  above={rows[index - 1]}
                  width={width}
                  highlighted={version.is_best}
                />
                <div className="grid min-w-0 flex-1 gap-0.5 pb-4">
                  <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
                    <span className="flex flex-wrap items-center gap-2">
                      {experiment.prompt_id === null ? (
                        <code className="text-sm">{version.label}</code>
                      ) : (
                        <Link
                          to="/p/$slug/prompts/$promptId"
                          params={{ slug, promptId: experiment.prompt_id }}
                          search={{ history: true }}
                          className="rounded-sm hover:text-accent-ink hover:underline"
                        >
                          <code className="text-sm">{version.label}</code>
                        </Link>
                      )}
                      {version.is_best ? (
                        <Badge tone="success">{t("experiments.best.badge")}</Badge>
                      ) : null}
                      {version.is_production ? (
                        <Badge tone="info">{t("experiments.lineage.production")}</Badge>
                      ) : null}
                    </span>
                    <VersionScore version={version} />
                  </div>
                  {version.changelog ? (
                    <p className="line-clamp-2 text-sm wrap-anywhere" title={version.changelog}>
                      {version.changelog}
                    </p>
                  ) : null}
                  <p className="text-xs text-ink-muted">
                    {version.iteration === null
                      ? null
                      : `${t("experiments.timeline.number", { number: version.iteration })} · `}
                    <RelativeTime iso={version.created_at} />
                  </p>
                </div>
              </li>
            );
          })}
        </ol>
      </CardContent>
    </Card>
  );
}
