import type { TFunction } from "i18next";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { TokenRead } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";

/** Projects that the user has left have no name here. */
function projectNames(token: TokenRead, t: TFunction): string {
  return token.projects === null
    ? t("account.tokens.everywhere")
    : token.projects.map(({ name }) => name ?? t("account.tokens.gone")).join(", ");
}

export function TokenRow({ token }: { token: TokenRead }) {
  const { t } = useTranslation();
  const revoke = useChange("delete", "/auth/tokens/{token_id}", { token_id: token.id });
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
              {token.last_used_address
                ? ` ${t("account.tokens.from", { address: token.last_used_address })}`
                : null}
            </>
          ) : (
            t("account.tokens.neverUsed")
          )}
          {" · "}
          {t("account.tokens.created")} <RelativeTime iso={token.created_at} />
          {" · "}
          {token.expires_at ? (
            <>
              {t("account.tokens.expires")} <RelativeTime iso={token.expires_at} />
            </>
          ) : (
            t("account.tokens.neverExpires")
          )}
        </span>
        <span className="truncate text-xs text-ink-muted" title={projectNames(token, t)}>
          {t("account.tokens.reaches")} {projectNames(token, t)}
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
          revoke.mutate(undefined, {
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
