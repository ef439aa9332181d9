import { CloudCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Model, ModelAvailability } from "@/api/types";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Tooltip } from "@/components/ui/tooltip";

export interface AvailabilityButtonProps {
  isChecking: boolean;
  onChecked: () => void;
}

/** Asks the providers whether they still offer the models. */
export function AvailabilityButton({ isChecking, onChecked }: AvailabilityButtonProps) {
  const { t } = useTranslation();
  return (
    <Button variant="secondary" loading={isChecking} onClick={onChecked}>
      <CloudCheck aria-hidden />
      {t("registry.check")}
    </Button>
  );
}

export interface AvailabilityBadgeProps {
  model: Model;
  /** The provider's answer, if it was asked. */
  found?: ModelAvailability | undefined;
}

/** Marks a model that its provider retires or no longer lists, with its successor. */
export function AvailabilityBadge({ model, found }: AvailabilityBadgeProps) {
  const { t } = useTranslation();
  const isMissing = found?.state === "missing";
  if (!isMissing && !model.is_retired) {
    return null;
  }
  const successor = found?.successor ?? model.successor;
  const hint = t(isMissing ? "registry.missingHint" : "registry.retiredHint");
  return (
    <Tooltip
      content={successor == null ? hint : `${hint} ${t("registry.successor", { name: successor })}`}
    >
      <span tabIndex={0} className="inline-flex rounded-full">
        <Badge tone="warning">{t(isMissing ? "registry.missing" : "registry.retired")}</Badge>
      </span>
    </Tooltip>
  );
}
