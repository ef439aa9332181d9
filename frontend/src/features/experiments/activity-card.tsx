import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Experiment } from "@/api/types";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { listActivity } from "./situation";

const SHOWN = 12;

/** What has happened, the latest first; the audit log has who did it. */
export function ActivityCard({ experiment }: { experiment: Experiment }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t("experiments.activity.title")} />
      <CardContent>
        <ol className="grid gap-3">
          {listActivity(experiment)
            .slice(0, SHOWN)
            .map(({ at, kind, number, version, message }) => (
              <li
                key={`${kind}-${number ?? ""}-${at}`}
                className="grid gap-0.5 border-l-2 border-border pl-3"
              >
                <span className="text-sm">
                  {t(`experiments.activity.${kind}`, { number, version })}
                </span>
                {message ? (
                  <span className="text-xs wrap-anywhere text-ink-muted">{message}</span>
                ) : null}
                <RelativeTime iso={at} className="text-xs text-ink-muted" />
              </li>
            ))}
        </ol>
      </CardContent>
    </Card>
  );
}
