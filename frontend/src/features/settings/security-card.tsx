import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { authConfigQuery } from "@/api/session";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { projectFamilies } from "./queries";

/** Access rules of the project, and registration on this server. */
export function SecurityCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const config = useQuery(authConfigQuery);
  const change = useChange(
    "put",
    "/projects/{project}/two-factor",
    { project: project.slug },
    projectFamilies(project.slug),
  );
  const isOwner = can(project.role, "security.edit");
  return (
    <Card aria-labelledby="security-heading">
      <CardHeader
        id="security-heading"
        title={t("settings.security.title")}
        description={t("settings.security.description")}
      />
      <CardContent className="grid gap-5">
        <Switch
          label={t("settings.security.twoFactor")}
          description={
            isOwner ? t("settings.security.twoFactorHint") : t("settings.security.ownerOnly")
          }
          checked={project.requires_two_factor}
          disabled={!isOwner || change.isPending || typeof project.archived_at === "string"}
          onCheckedChanged={(required) =>
            change.mutate(
              { body: { is_required: required } },
              {
                onSuccess: () =>
                  toast.success(t(required ? "settings.security.isOn" : "settings.security.isOff")),
                onError: (error) => toast.error(problemMessage(error)),
              },
            )
          }
        />
        {config.data === undefined ? null : (
          <p className="text-sm text-ink-muted">
            {t(
              config.data.registration_open
                ? "settings.security.registrationOpen"
                : "settings.security.registrationInvited",
            )}{" "}
            <code className="text-xs">EDISON_REGISTRATION={config.data.registration}</code>
          </p>
        )}
      </CardContent>
    </Card>
  );
}
