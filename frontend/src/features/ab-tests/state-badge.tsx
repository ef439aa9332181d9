import { useTranslation } from "react-i18next";
import type { AbTestState } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { LOOKS } from "./ab-test-view";

export function StateBadge({ state }: { state: AbTestState }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`abTests.states.${state}`)}
    </Badge>
  );
}
