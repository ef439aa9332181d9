import { useTranslation } from "react-i18next";
import type { ExperimentState } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { LOOKS } from "./experiment-state";

export function StateBadge({ state }: { state: ExperimentState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`experiments.states.${state}`)}
    </Badge>
  );
}
