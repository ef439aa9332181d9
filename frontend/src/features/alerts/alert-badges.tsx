import { BellOff, CircleCheck, Eye, Siren, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { MonitorAlert } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { formatMoment } from "@/lib/format";
import { useNow } from "@/lib/hooks";

const STATES = {
  open: { tone: "danger", Icon: Siren },
  acknowledged: { tone: "info", Icon: Eye },
  resolved: { tone: "success", Icon: CircleCheck },
} as const;

/** State of an alert, whether it is a warning only, and whether it is muted. */
export function AlertBadges({ alert }: { alert: MonitorAlert }) {
  const { t } = useTranslation();
  const now = useNow();
  const { state, severity, resolution, muted_until: until } = alert;
  const { tone, Icon } = STATES[state];
  return (
    <span className="flex flex-wrap gap-1.5">
      <Badge tone={tone} icon={<Icon aria-hidden />}>
        {state === "resolved" && resolution !== null
          ? t(`alerts.resolutions.${resolution}`)
          : t(`alerts.states.${state}`)}
      </Badge>
      {severity === "warning" ? (
        <Badge tone="warning" icon={<TriangleAlert aria-hidden />}>
          {t("alerts.severities.warning")}
        </Badge>
      ) : null}
      {until === null || Date.parse(until) <= now || state === "resolved" ? null : (
        <Badge tone="outline" icon={<BellOff aria-hidden />}>
          {t("alerts.mutedUntil", { until: formatMoment(until) })}
        </Badge>
      )}
    </span>
  );
}
