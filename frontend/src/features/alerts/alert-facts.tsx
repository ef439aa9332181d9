import { useTranslation } from "react-i18next";
import type { MonitorAlert } from "@/api/types";
import { RelativeTime } from "@/components/ui/relative-time";

/** When an alert opened, was seen and ended, by whom, and the note. */
export function AlertFacts({ alert }: { alert: MonitorAlert }) {
  const { t } = useTranslation();
  const { acknowledged_by: acknowledger, resolved_by: resolver } = alert;
  return (
    <div className="grid gap-1 text-xs text-ink-muted">
      <p>
        {t("alerts.opened")} <RelativeTime iso={alert.opened_at} />
        {alert.check_number === null
          ? null
          : ` · ${t("monitors.check.number", { number: alert.check_number })}`}
        {alert.reopened_count === 0
          ? null
          : ` · ${t("alerts.reopened", { count: alert.reopened_count })}`}
        {alert.resolved_at === null ? null : (
          <>
            {" · "}
            {resolver === null
              ? t("alerts.ended")
              : t("alerts.resolvedBy", { name: resolver })}{" "}
            <RelativeTime iso={alert.resolved_at} />
          </>
        )}
      </p>
      {acknowledger === null ? null : <p>{t("alerts.acknowledgedBy", { name: acknowledger })}</p>}
      {alert.note === null || alert.note === "" ? null : (
        <p className="text-sm wrap-anywhere text-ink">{t("alerts.noteIs", { note: alert.note })}</p>
      )}
    </div>
  );
}
