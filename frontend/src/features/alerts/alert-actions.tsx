import { Link } from "@tanstack/react-router";
import { BellOff, CircleCheck, Eye, GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MonitorAlert } from "@/api/types";
import { Button } from "@/components/ui/button";
import { actionsFor, AlertDialog, type AlertAction } from "./alert-dialog";

const ICONS = { acknowledge: Eye, mute: BellOff, resolve: CircleCheck } as const;

export interface AlertActionsProps {
  slug: string;
  alert: MonitorAlert;
  editable: boolean;
}

/** Link to the cells that lost most, beside the baseline. */
function WorstCells({ slug, alert }: Omit<AlertActionsProps, "editable">) {
  const { t } = useTranslation();
  const { run_id: runId, baseline_run_id: against, variant } = alert.evidence;
  if (runId == null) {
    return null;
  }
  return (
    <Button asChild variant="secondary" size="sm">
      <Link
        to="/p/$slug/runs/$runId"
        params={{ slug, runId }}
        search={
          against == null
            ? {}
            : { tab: "compare", against, ...(variant == null ? {} : { variant }) }
        }
      >
        <GitCompareArrows aria-hidden />
        {t(
          against == null
            ? "alerts.openRun"
            : alert.rule === "drop"
              ? "alerts.worstCells"
              : "monitors.check.compare",
        )}
      </Link>
    </Button>
  );
}

/** Buttons of an alert, and their dialog. */
export function AlertActions({ slug, alert, editable }: AlertActionsProps) {
  const { t } = useTranslation();
  const [action, setAction] = useState<AlertAction | null>(null);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <WorstCells slug={slug} alert={alert} />
      {editable
        ? actionsFor(alert).map((name) => {
            const Icon = ICONS[name];
            return (
              <Button
                key={name}
                variant="secondary"
                size="sm"
                aria-label={`${t(`alerts.actions.${name}.do`)}: ${alert.title}`}
                onClick={() => setAction(name)}
              >
                <Icon aria-hidden />
                {t(`alerts.actions.${name}.do`)}
              </Button>
            );
          })
        : null}
      {action === null ? null : (
        <AlertDialog slug={slug} alert={alert} action={action} onClosed={() => setAction(null)} />
      )}
    </div>
  );
}
