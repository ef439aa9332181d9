import { FlaskConical } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "./ui/badge";
import { Tooltip } from "./ui/tooltip";

/** Marks data from a simulated model. */
export function SimulatedBadge() {
  const { t } = useTranslation();
  return (
    <Tooltip content={t("simulated.hint")}>
      <span className="inline-flex rounded-full">
        <Badge tone="info" icon={<FlaskConical aria-hidden />}>
          <span className="@max-lg/toolbar:sr-only">{t("simulated.label")}</span>
        </Badge>
      </span>
    </Tooltip>
  );
}
