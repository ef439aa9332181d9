import { useState } from "react";
import { useTranslation } from "react-i18next";
import { outOfTen } from "@/components/score-scale";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { BaselineDialog } from "./baseline-dialog";
import type { MonitorTabProps } from "./tab-props";

/** The baseline in use, its history, and "Accept as new normal". */
export function BaselineCard({ at, monitor, editable }: MonitorTabProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { baseline, last_measured: last } = monitor;
  const mayAccept = editable && monitor.archived_at === null && last !== null;
  return (
    <Card aria-labelledby="monitor-baseline">
      <CardHeader
        id="monitor-baseline"
        title={t("monitors.kpi.baseline")}
        description={
          baseline.is_pinned
            ? t("monitors.baseline.pinned", { number: baseline.checks[0] })
            : t("monitors.baseline.checks", { count: baseline.checks.length })
        }
        actions={
          mayAccept ? (
            <Button variant="secondary" size="sm" onClick={() => setOpen(true)}>
              {t("monitors.baseline.accept")}
            </Button>
          ) : null
        }
      />
      <CardContent className="grid gap-4">
        <p className="text-sm">
          {baseline.score === null
            ? t("monitors.baseline.none")
            : t("monitors.baseline.score", { score: outOfTen(baseline.score) })}
        </p>
        {baseline.history.length === 0 ? null : (
          <ul aria-label={t("monitors.baseline.history")} className="grid gap-2 text-sm">
            {baseline.history.toReversed().map(({ at: time, note, author }) => (
              <li key={time} className="grid gap-0.5 border-t border-border pt-2">
                <span className="wrap-anywhere">{note || t("monitors.baseline.noNote")}</span>
                <span className="text-xs text-ink-muted">
                  {author === null ? null : `${author} · `}
                  <RelativeTime iso={time} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </CardContent>
      {isOpen ? (
        <BaselineDialog at={at} wish={{ kind: "accept" }} onClosed={() => setOpen(false)} />
      ) : null}
    </Card>
  );
}
