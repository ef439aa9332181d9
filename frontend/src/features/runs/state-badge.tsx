import { useTranslation } from "react-i18next";
import type { RunState } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { LOOKS } from "./run-state";

export function StateBadge({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`runs.states.${state}`)}
    </Badge>
  );
}
