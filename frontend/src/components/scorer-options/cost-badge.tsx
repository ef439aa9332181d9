import { CircleDollarSign, Cpu, Feather } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { CostClass } from "@/api/types";
import { Badge } from "@/components/ui/badge";

const LOOKS = {
  free: { tone: "outline", Icon: Feather },
  local_model: { tone: "info", Icon: Cpu },
  llm_call: { tone: "warning", Icon: CircleDollarSign },
} as const;

/** Cost class of scoring one answer. */
export function CostBadge({ cost }: { cost: CostClass }) {
  const { t } = useTranslation();
  const { tone, Icon } = LOOKS[cost];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {t(`scorers.costs.${cost}`)}
    </Badge>
  );
}
