import { useTranslation } from "react-i18next";
import { Badge } from "@/components/ui/badge";
import { LOOKS, shownState, type CountedRun } from "./run-state";

export function StateBadge({ run }: { run: CountedRun }) {
  const { t } = useTranslation();
  const state = shownState(run);
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`runs.states.${state}`)}
    </Badge>
  );
}
