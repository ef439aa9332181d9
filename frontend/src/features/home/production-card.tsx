import { Link } from "@tanstack/react-router";
import { RadioTower } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Sparkline } from "@/components/charts/sparkline";
import { ScoreBadge } from "@/components/score-badge";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import type { ProductionPrompt } from "./queries";

interface RowProps {
  slug: string;
  prompt: ProductionPrompt;
  editable: boolean;
}

function Watched({ slug, watched }: { slug: string; watched: ProductionPrompt["watched"] & {} }) {
  const { t } = useTranslation();
  const last = watched.trend.at(-1);
  return (
    <>
      {watched.open_alerts > 0 ? (
        <Badge tone="danger">{t("home.production.alerts", { count: watched.open_alerts })}</Badge>
      ) : null}
      {watched.state === "paused" ? (
        <Badge tone="outline">{t("home.production.paused")}</Badge>
      ) : null}
      {last === undefined ? (
        <span className="text-xs text-ink-muted">{t("home.production.noCheck")}</span>
      ) : (
        <Link
          to="/p/$slug/monitors/$monitorId"
          params={{ slug, monitorId: watched.monitor_id }}
          title={watched.name}
          className="flex items-center gap-3 rounded-sm"
        >
          <Sparkline
            values={watched.trend.map(({ score }) => score)}
            label={t("home.production.trend", { name: watched.name })}
            className="max-sm:hidden"
          />
          <ScoreBadge label={t("home.production.score")} value={last.score} passed={null} />
        </Link>
      )}
    </>
  );
}

function Row({ slug, prompt, editable }: RowProps) {
  const { t } = useTranslation();
  const { watched } = prompt;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <span className="grid min-w-40 flex-1">
        <Link
          to="/p/$slug/prompts/$promptId"
          params={{ slug, promptId: prompt.prompt_id }}
          title={prompt.prompt_name}
          className="truncate rounded-sm text-sm font-medium hover:text-accent-ink hover:underline"
        >
          {prompt.prompt_name}
        </Link>
        <span className="text-xs text-ink-muted">
          {prompt.version_label}
          {watched?.checked_at == null ? null : (
            <>
              {" · "}
              {t("home.production.checked")} <RelativeTime iso={watched.checked_at} />
            </>
          )}
        </span>
      </span>
      {watched !== null ? (
        <Watched slug={slug} watched={watched} />
      ) : editable ? (
        <Button asChild variant="secondary" size="sm">
          <Link to="/p/$slug/monitors/new" params={{ slug }} search={{ prompt: prompt.prompt_id }}>
            <RadioTower aria-hidden />
            {t("home.production.watch")}
          </Link>
        </Button>
      ) : (
        <span className="text-xs text-ink-muted">{t("home.production.unwatched")}</span>
      )}
    </li>
  );
}

export interface ProductionCardProps {
  slug: string;
  prompts: readonly ProductionPrompt[];
  editable: boolean;
}

/** Prompts in production with the last scores of their monitor. */
export function ProductionCard({ slug, prompts, editable }: ProductionCardProps) {
  const { t } = useTranslation();
  return (
    <Card aria-labelledby="production-heading" className="min-w-0">
      <CardHeader id="production-heading" title={t("home.production.title")} />
      {prompts.length === 0 ? (
        <p className="px-5 pt-2 pb-5 text-sm text-pretty text-ink-muted">
          {t("home.production.empty")}
        </p>
      ) : (
        <ul className="mt-3 divide-y divide-border border-t border-border">
          {prompts.map((prompt) => (
            <Row key={prompt.prompt_id} slug={slug} prompt={prompt} editable={editable} />
          ))}
        </ul>
      )}
    </Card>
  );
}
