import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { notificationKindsQuery } from "@/api/notification-kinds";
import { problemMessage } from "@/api/problem-message";
import type { NotificationKind, NotificationPreference } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { FormSkeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { lookOf } from "./kinds";
import { preferencesQuery } from "./queries";

const CHANNELS = ["in_app", "by_email"] as const;

interface RowProps {
  kind: NotificationKind;
  preference: NotificationPreference;
  hasEmail: boolean;
}

function KindRow({ kind, preference, hasEmail }: RowProps) {
  const { t } = useTranslation();
  const change = useChange(
    "put",
    "/notifications/preferences",
    {},
    { refresh: [preferencesQuery.queryKey] },
  );
  const { Icon } = lookOf(kind);
  // Optimistic: shows the new value immediately, the stored one after an error.
  const shown = (change.isPending ? change.variables.body.preferences[0] : null) ?? preference;
  return (
    <tr className="border-t border-border">
      <th scope="row" className="py-3 pr-4 text-left font-normal">
        <span className="flex items-start gap-3">
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
          <span className="grid gap-0.5">
            <span className="text-sm font-medium">{kind.label}</span>
            <span className="text-xs text-pretty text-ink-muted">{kind.hint}</span>
          </span>
        </span>
      </th>
      {CHANNELS.map((way) => (
        <td key={way} className="w-24 py-3">
          <div className="flex justify-center">
            <Switch
              hideLabel
              label={t(`notifications.preferences.label.${way}`, {
                kind: kind.label,
              })}
              checked={shown[way]}
              disabled={way === "by_email" && !hasEmail}
              onCheckedChanged={(checked) =>
                change.mutate(
                  { body: { preferences: [{ ...preference, [way]: checked }] } },
                  { onError: (error) => toast.error(problemMessage(error)) },
                )
              }
            />
          </div>
        </td>
      ))}
    </tr>
  );
}

function Preferences() {
  const { t } = useTranslation();
  const query = useQuery(preferencesQuery);
  const kinds = useQuery(notificationKindsQuery);
  const failed = [query, kinds].find((each) => each.isError);
  if (failed !== undefined) {
    return <ProblemState error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (query.data === undefined || kinds.data === undefined) {
    return <FormSkeleton fields={5} />;
  }
  const { is_email_available: hasEmail, preferences } = query.data;
  const byKind = new Map<string, NotificationPreference>(
    preferences.map((preference) => [preference.kind, preference]),
  );
  return (
    <div className="grid gap-4">
      {hasEmail ? null : (
        <Alert tone="info" live={false} title={t("notifications.preferences.noEmail")}>
          {t("notifications.preferences.noEmailHint")}
        </Alert>
      )}
      <table className="w-full border-collapse">
        <caption className="sr-only">{t("notifications.preferences.title")}</caption>
        <thead>
          <tr className="text-xs text-ink-muted">
            <th scope="col" className="pb-2 text-left font-medium">
              {t("notifications.preferences.what")}
            </th>
            {CHANNELS.map((way) => (
              <th key={way} scope="col" className="w-24 pb-2 text-center font-medium">
                {t(`notifications.preferences.${way}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.data.items.map((kind) => {
            const preference = byKind.get(kind.kind);
            return preference === undefined ? null : (
              <KindRow key={kind.kind} kind={kind} preference={preference} hasEmail={hasEmail} />
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Notification preferences by kind and channel. Each switch is saved immediately. */
export function PreferencesCard() {
  const { t } = useTranslation();
  return (
    <Card aria-labelledby="notification-preferences">
      <CardHeader
        id="notification-preferences"
        title={t("notifications.preferences.title")}
        description={t("notifications.preferences.hint")}
      />
      <CardContent>
        <Preferences />
      </CardContent>
    </Card>
  );
}
