import { useTranslation } from "react-i18next";
import type { Role } from "@/lib/permissions";
import { Badge, type BadgeTone } from "./ui/badge";

const TONES: Record<Role, BadgeTone> = {
  OWNER: "accent",
  ADMIN: "info",
  EDITOR: "success",
  REVIEWER: "warning",
  VIEWER: "neutral",
};

export function RoleBadge({ role }: { role: Role }) {
  const { t } = useTranslation();
  return <Badge tone={TONES[role]}>{t(`roles.${role}.name`)}</Badge>;
}
