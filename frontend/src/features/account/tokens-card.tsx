import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import { useChange } from "@/api/use-change";
import { ProblemState } from "@/components/problem-state";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { CreateTokenDialog } from "./create-token-dialog";
import { tokensQuery } from "./queries";
import { TokenRow } from "./token-row";

export function TokensCard() {
  const { t } = useTranslation();
  const tokens = useInfiniteQuery(tokensQuery);
  const revokeAll = useChange("delete", "/auth/tokens", {});
  const [creating, setCreating] = useState(false);
  const [asking, setAsking] = useState(false);
  const several = (tokens.data?.items.length ?? 0) > 1;
  return (
    <Card aria-labelledby="tokens-heading">
      <CardHeader
        id="tokens-heading"
        title={t("account.tokens.title")}
        description={t("account.tokens.hint")}
        actions={
          <div className="flex flex-wrap gap-2">
            {several ? (
              <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
                {t("account.tokens.revokeAll")}
              </Button>
            ) : null}
            <Button variant="secondary" size="sm" onClick={() => setCreating(true)}>
              <Plus aria-hidden />
              {t("account.tokens.new")}
            </Button>
          </div>
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
      <ConfirmDialog
        open={asking}
        onOpenChanged={setAsking}
        title={t("account.tokens.revokeAllTitle")}
        description={t("account.tokens.revokeAllBody")}
        confirmLabel={t("account.tokens.revokeAll")}
        loading={revokeAll.isPending}
        error={revokeAll.isError ? problemMessage(revokeAll.error) : null}
        onConfirmed={() =>
          revokeAll.mutate(undefined, {
            onSuccess: () => {
              setAsking(false);
              toast.success(t("account.tokens.allRevoked"));
            },
          })
        }
      />
      <CreateTokenDialog open={creating} onOpenChanged={setCreating} />
    </Card>
  );
}
