import { Ban, Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/api/types";
import { Badge } from "@/components/ui/badge";

export function OutcomeBadge({ outcome }: { outcome: AuditEntry["outcome"] }) {
  const { t } = useTranslation();
  return outcome === "denied" ? (
    <Badge tone="danger" icon={<Ban aria-hidden />}>
      {t("audit.outcome.denied")}
    </Badge>
  ) : (
    <Badge icon={<Check aria-hidden />}>{t("audit.outcome.allowed")}</Badge>
  );
}
