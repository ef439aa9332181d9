import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { runFailuresQuery, type FailureCause } from "@/api/run-failures";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { failureLabel, malformationLabel } from "@/lib/failures";
import { formatNumber } from "@/lib/format";
import { adviceFor, type Place } from "./trouble";

const ADDRESSES = {
  providers: "/p/$slug/settings/providers",
  models: "/p/$slug/models",
  prompts: "/p/$slug/prompts",
} as const satisfies Record<Place, string>;

interface CauseItemProps {
  slug: string;
  cause: FailureCause;
  total: number;
  onOutputOpened: ((outputId: string) => void) | undefined;
}

function CauseItem({ slug, cause, total, onOutputOpened }: CauseItemProps) {
  const { t } = useTranslation();
  const { status, reason, credential, cut_off_count: cutOff } = cause;
  const { key, place } = adviceFor(reason);
  const facts = [
    t("trouble.count", { count: cause.count, total: formatNumber(total) }),
    t("trouble.models", { models: cause.model_names.join(", ") }),
    credential === null ? null : t("trouble.credential", { label: credential }),
  ];
  return (
    <li className="grid gap-1.5 border-t border-border pt-4 first:border-t-0 first:pt-0">
      <h3 className="text-sm font-semibold">
        {status === "malformed" ? malformationLabel(reason) : failureLabel(reason)}{" "}
        <span className="font-normal text-ink-muted tabular-nums">
          {facts.filter(Boolean).join(" · ")}
        </span>
      </h3>
      {cause.message === null ? null : (
        <p className="text-sm wrap-anywhere text-ink-muted">{cause.message}</p>
      )}
      {cause.provider_text === null ? null : (
        <q className="text-sm wrap-anywhere text-ink-muted">{cause.provider_text}</q>
      )}
      <p className="text-sm">
        {cutOff > 0 ? `${t("trouble.cutOff", { count: cutOff })} ` : null}
        {t(`trouble.advice.${key}`)}
      </p>
      <div className="flex flex-wrap gap-2 pt-1">
        {place === null ? null : (
          <Button variant="secondary" size="sm" asChild>
            <Link to={ADDRESSES[place]} params={{ slug }}>
              {t(`trouble.places.${place}`)}
            </Link>
          </Button>
        )}
        {onOutputOpened === undefined ? null : (
          <Button variant="ghost" size="sm" onClick={() => onOutputOpened(cause.output_id)}>
            {t("trouble.open")}
          </Button>
        )}
      </div>
    </li>
  );
}

export interface TroublePanelProps {
  slug: string;
  runId: string;
  /** Number of answers that the run should have. */
  total: number;
  /** Opens an answer on the page; omitted where there is none to open. */
  onOutputOpened?: (outputId: string) => void;
}

/** Causes of failed and malformed answers, each with what to do and where. */
export function TroublePanel({ slug, runId, total, onOutputOpened }: TroublePanelProps) {
  const { t } = useTranslation();
  const causes = useQuery(runFailuresQuery(slug, runId));
  if (causes.isError) {
    return <ProblemState error={causes.error} onRetry={() => void causes.refetch()} />;
  }
  if (causes.data === undefined || causes.data.length === 0) {
    return null;
  }
  return (
    <Card role="region" aria-labelledby="trouble">
      <CardContent className="grid gap-4">
        <h2 id="trouble" className="text-base font-semibold">
          {t("trouble.title")}
        </h2>
        <ul className="grid gap-4">
          {causes.data.map((cause) => (
            <CauseItem
              key={`${cause.status}.${cause.reason}`}
              slug={slug}
              cause={cause}
              total={total}
              onOutputOpened={onOutputOpened}
            />
          ))}
        </ul>
      </CardContent>
    </Card>
  );
}
