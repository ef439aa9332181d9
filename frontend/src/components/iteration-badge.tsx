import {
  Ban,
  CircleCheck,
  CirclePause,
  CirclePlay,
  CircleX,
  Clock,
  FlaskConical,
  GitPullRequestArrow,
  Scale,
  Sigma,
  WandSparkles,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import type { IterationState } from "@/api/types";
import { Badge, type BadgeTone } from "./ui/badge";

const LOOKS: Record<IterationState, { tone: BadgeTone; Icon: LucideIcon }> = {
  pending: { tone: "neutral", Icon: Clock },
  executing: { tone: "info", Icon: CirclePlay },
  judging: { tone: "info", Icon: Scale },
  aggregating: { tone: "info", Icon: Sigma },
  refining: { tone: "info", Icon: WandSparkles },
  trying: { tone: "info", Icon: FlaskConical },
  reviewing: { tone: "accent", Icon: GitPullRequestArrow },
  completed: { tone: "success", Icon: CircleCheck },
  failed: { tone: "danger", Icon: CircleX },
  cancelled: { tone: "neutral", Icon: Ban },
  paused: { tone: "warning", Icon: CirclePause },
};

/** State of an iteration as a badge. */
export function IterationBadge({ state }: { state: IterationState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`iterationStates.${state}`)}
    </Badge>
  );
}
