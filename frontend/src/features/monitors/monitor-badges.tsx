import {
  Ban,
  BellOff,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  LoaderCircle,
  Radar,
  RotateCw,
  SkipForward,
  TrendingDown,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CheckState, CheckVerdict, MonitorCheck, MonitorSummary } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { formatMoment } from "@/lib/format";
import { useNow } from "@/lib/hooks";
import { isInProgress, STATE_TONES, VERDICT_TONES } from "./check-figures";

const STATE_ICONS: Record<CheckState, LucideIcon> = {
  due: CircleDashed,
  running: LoaderCircle,
  measuring: LoaderCircle,
  confirming: RotateCw,
  done: CircleCheck,
  skipped: SkipForward,
  failed: CircleX,
  cancelled: Ban,
};

const VERDICT_ICONS: Record<CheckVerdict, LucideIcon> = {
  good: CircleCheck,
  lower: TrendingDown,
  unconfirmed: CircleAlert,
  not_comparable: CircleDashed,
  unscored: CircleDashed,
};

export function MonitorBadge({ monitor }: { monitor: MonitorSummary }) {
  const { t } = useTranslation();
  const { state, pause, last_check: check } = monitor;
  if (check !== null && isInProgress(check.state)) {
    return <CheckBadge check={check} />;
  }
  if (state === "active") {
    return (
      <Badge tone="success" icon={<Radar aria-hidden />}>
        {t("monitors.states.active")}
      </Badge>
    );
  }
  return (
    <Badge
      tone={pause === null || pause.reason === "person" ? "neutral" : "warning"}
      icon={<CirclePause aria-hidden />}
    >
      {t(`monitors.paused.${pause?.reason ?? "person"}`)}
    </Badge>
  );
}

/** Renders nothing when the mute has ended. */
export function MutedBadge({ until }: { until: string | null }) {
  const { t } = useTranslation();
  const now = useNow();
  return until === null || Date.parse(until) <= now ? null : (
    <Badge tone="outline" icon={<BellOff aria-hidden />}>
      {t("monitors.muted", { until: formatMoment(until) })}
    </Badge>
  );
}

/** Finding of a check that is done; the state of any other. */
export function CheckBadge({ check }: { check: Pick<MonitorCheck, "state" | "verdict"> }) {
  const { t } = useTranslation();
  const { state, verdict } = check;
  if (state === "done" && verdict !== null) {
    const Icon = VERDICT_ICONS[verdict];
    return (
      <Badge tone={VERDICT_TONES[verdict]} icon={<Icon aria-hidden />}>
        {t(`monitors.verdicts.${verdict}`)}
      </Badge>
    );
  }
  const Icon = STATE_ICONS[state];
  return (
    <Badge tone={STATE_TONES[state]} icon={<Icon aria-hidden />}>
      {t(`monitors.checkStates.${state}`)}
    </Badge>
  );
}
