import { CirclePause, CirclePlay, Lock, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { QueueState } from "@/api/types";
import { Badge, type BadgeTone } from "@/components/ui/badge";

const LOOKS: Record<QueueState, { tone: BadgeTone; Icon: LucideIcon }> = {
  open: { tone: "success", Icon: CirclePlay },
  paused: { tone: "warning", Icon: CirclePause },
  closed: { tone: "outline", Icon: Lock },
};

export function QueueBadge({ state }: { state: QueueState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`annotation.states.${state}`)}
    </Badge>
  );
}
