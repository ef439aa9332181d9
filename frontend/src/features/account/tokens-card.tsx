import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { TokenRead } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { CreateTokenDialog } from "./create-token-dialog";
import { tokensQuery, useRevokeToken } from "./queries";

function TokenRow({ token }: { token: TokenRead }) {
  const { t } = useTranslation();
  const revoke = useRevokeToken();
  const [asking, setAsking] = useState(false);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <span
        aria-hidden
        className="flex size-9 items-center justify-center rounded-lg bg-surface-hover text-ink-muted"
      >
        <KeyRound className="size-4" />
      </span>
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex items-center gap-2 font-medium">
          <span className="truncate" title={token.name}>
            {token.name}
          </span>
          <Badge tone={token.scope === "admin" ? "warning" : "neutral"}>
            {t(`account.tokens.scopes.${token.scope}.name`)}
          </Badge>
          <code className="text-xs font-normal text-ink-muted">…{token.last_four}</code>
        </span>
        <span className="text-xs text-ink-muted">
          {token.last_used_at ? (
            <>
              {t("account.tokens.lastUsed")} <RelativeTime iso={token.last_used_at} />
            </>
          ) : (
            t("account.tokens.neverUsed")
          )}
          {" · "}
          {token.expires_at ? (
            <>
              {t("account.tokens.expires")} <RelativeTime iso={token.expires_at} />
            </>
          ) : (
            t("account.tokens.neverExpires")
          )}
        </span>
      </div>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        {t("account.tokens.revoke")} <span className="sr-only">{token.name}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChanged={setAsking}
        title={t("account.tokens.revokeTitle", { name: token.name })}
        description={t("account.tokens.revokeBody")}
        confirmLabel={t("account.tokens.revoke")}
        loading={revoke.isPending}
        error={revoke.isError ? problemMessage(revoke.error) : null}
        onConfirmed={() =>
          revoke.mutate(token.id, {
            onSuccess: () => {
              setAsking(false);
              toast.success(t("account.tokens.revoked"));
            },
          })
        }
      />
    </li>
  );
}

export function TokensCard() {
  const { t } = useTranslation();
  const tokens = useInfiniteQuery(tokensQuery);
  const [creating, setCreating] = useState(false);
  return (
    <Card aria-labelledby="tokens-heading">
      <CardHeader
        id="tokens-heading"
        title={t("account.tokens.title")}
        description={t("account.tokens.hint")}
        actions={
          <Button variant="secondary" size="sm" onClick={() => setCreating(true)}>
            <Plus aria-hidden />
            {t("account.tokens.new")}
          </Button>
        }
      />
      {tokens.isPending ? (
        <CardContent>
          <FormSkeleton fields={2} />
        </CardContent>
      ) : tokens.isError ? (
        <CardContent>
          <ProblemState error={tokens.error} onRetry={() => void tokens.refetch()} />
        </CardContent>
      ) : tokens.data.items.length === 0 ? (
        <EmptyState
          bare
          icon={<KeyRound />}
          title={t("account.tokens.none")}
          description={t("account.tokens.noneHint")}
        />
      ) : (
        <ul className="mt-4 divide-y divide-border border-t border-border">
          {tokens.data.items.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      <CreateTokenDialog open={creating} onOpenChanged={setCreating} />
    </Card>
  );
}
