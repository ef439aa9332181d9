import { useInfiniteQuery } from "@tanstack/react-query";
import { Monitor } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { SessionRead } from "@/api/types";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { describeUserAgent } from "@/lib/format";
import { sessionsQuery } from "./queries";

function SessionRow({ session }: { session: SessionRead }) {
  const { t } = useTranslation();
  const revoke = useChange("delete", "/auth/sessions/{session_id}", { session_id: session.id });
  const device = describeUserAgent(session.user_agent ?? null) ?? t("account.sessions.unknown");
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <span
        aria-hidden
        className="flex size-9 items-center justify-center rounded-lg bg-surface-hover text-ink-muted"
      >
        <Monitor className="size-4" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate" title={session.user_agent ?? undefined}>
            {device}
          </span>
          {session.is_current ? <Badge tone="accent">{t("account.sessions.current")}</Badge> : null}
        </span>
        <span className="text-xs text-ink-muted">
          {session.address ? `${session.address} · ` : null}
          {t("account.sessions.lastSeen")} <RelativeTime iso={session.last_seen_at} /> ·{" "}
          {t("account.sessions.created")} <RelativeTime iso={session.created_at} /> ·{" "}
          {t("account.sessions.expires")} <RelativeTime iso={session.expires_at} />
        </span>
      </div>
      {session.is_current ? null : (
        <Button
          variant="ghost"
          size="sm"
          loading={revoke.isPending}
          onClick={() =>
            revoke.mutate(undefined, {
              onSuccess: () => toast.success(t("account.sessions.revoked")),
              onError: (error) => toast.error(problemMessage(error)),
            })
          }
        >
          {t("account.sessions.revoke")} <span className="sr-only">{device}</span>
        </Button>
      )}
    </li>
  );
}

export function SessionsCard() {
  const { t } = useTranslation();
  const sessions = useInfiniteQuery(sessionsQuery);
  const revokeOthers = useChange("delete", "/auth/sessions", {});
  const others = sessions.data?.items.some((session) => !session.is_current) ?? false;
  return (
    <Card aria-labelledby="sessions-heading">
      <CardHeader
        id="sessions-heading"
        title={t("account.sessions.title")}
        description={t("account.sessions.hint")}
        actions={
          others ? (
            <Button
              variant="secondary"
              size="sm"
              loading={revokeOthers.isPending}
              onClick={() =>
                revokeOthers.mutate(undefined, {
                  onSuccess: () => toast.success(t("account.sessions.othersRevoked")),
                  onError: (error) => toast.error(problemMessage(error)),
                })
              }
            >
              {t("account.sessions.revokeOthers")}
            </Button>
          ) : null
        }
      />
      {sessions.isPending ? (
        <CardContent>
          <FormSkeleton fields={2} />
        </CardContent>
      ) : sessions.isError ? (
        <CardContent>
          <ProblemState error={sessions.error} onRetry={() => void sessions.refetch()} />
        </CardContent>
      ) : (
        <ul className="mt-4 divide-y divide-border border-t border-border">
          {sessions.data.items.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      )}
    </Card>
  );
}
