import { CircleCheck, OctagonX, TriangleAlert, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Budget } from "@/api/types";
import { Badge, type BadgeTone } from "@/components/ui/badge";

interface Look {
  tone: BadgeTone;
  icon: LucideIcon;
  fill: string;
}

export const STATE_LOOKS: Record<Budget["state"], Look> = {
  open: { tone: "success", icon: CircleCheck, fill: "bg-accent-solid" },
  alert: { tone: "warning", icon: TriangleAlert, fill: "bg-chart-3" },
  exhausted: { tone: "danger", icon: OctagonX, fill: "bg-danger-solid" },
};

export function BudgetStateBadge({ state }: { state: Budget["state"] }) {
  const { t } = useTranslation();
  const { tone, icon: Icon } = STATE_LOOKS[state];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`budgets.states.${state}`)}
    </Badge>
  );
}
