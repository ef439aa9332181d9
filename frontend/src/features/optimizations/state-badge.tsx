import { useTranslation } from "react-i18next";
import type { OptimizationState } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { LOOKS } from "./optimization-view";

export function StateBadge({ state }: { state: OptimizationState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`optimizations.states.${state}`)}
    </Badge>
  );
}
