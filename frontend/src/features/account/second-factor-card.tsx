import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import { secondFactorQuery } from "./queries";
import { SecondFactorDialog, type SecondFactorChange } from "./second-factor-dialog";

/** Below this number of recovery codes, a warning is shown. */
const ENOUGH_CODES = 4;

export function SecondFactorCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const state = useQuery(secondFactorQuery);
  const [dialog, setDialog] = useState<SecondFactorChange | null>(null);
  const enabledAt = state.data?.enabled_at ?? null;
  const left = state.data?.recovery_codes_left ?? 0;
  return (
    <Card aria-labelledby="second-factor-heading">
      <CardHeader
        id="second-factor-heading"
        title={t("account.secondFactor.title")}
        description={t("account.secondFactor.hint")}
        actions={
          state.isSuccess ? (
            <Badge tone={enabledAt === null ? "neutral" : "success"}>
              {enabledAt === null ? t("settings.off") : t("settings.on")}
            </Badge>
          ) : null
        }
      />
      <CardContent className="grid gap-4">
        {state.isPending ? (
          <FormSkeleton fields={1} />
        ) : state.isError ? (
          <ProblemState error={state.error} onRetry={() => void state.refetch()} />
        ) : enabledAt === null ? (
          <>
            <p className="text-sm text-ink-muted">{t("account.secondFactor.whenOff")}</p>
            <div>
              <Button size="sm" onClick={() => setDialog("enrol")}>
                {t("account.secondFactor.setUp")}
              </Button>
            </div>
          </>
        ) : (
          <>
            <p className="text-sm text-ink-muted">
              {t("account.secondFactor.since")} <RelativeTime iso={enabledAt} /> ·{" "}
              {t("account.secondFactor.codesLeft", { count: left })}
            </p>
            {left < ENOUGH_CODES ? (
              <Alert tone="warning" live={false}>
                {t("account.secondFactor.fewCodes")}
              </Alert>
            ) : null}
            <div className="flex flex-wrap gap-2">
              <Button variant="secondary" size="sm" onClick={() => setDialog("renew")}>
                {t("account.secondFactor.renew")}
              </Button>
              <Button variant="ghost" size="sm" onClick={() => setDialog("disable")}>
                {t("account.secondFactor.turnOff")}
              </Button>
            </div>
          </>
        )}
      </CardContent>
      {dialog === null ? null : (
        <SecondFactorDialog change={dialog} user={user} onClosed={() => setDialog(null)} />
      )}
    </Card>
  );
}
