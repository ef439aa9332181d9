import { CircleCheck, CircleX, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Credential } from "@/api/types";
import { useChange } from "@/api/use-change";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Tooltip } from "@/components/ui/tooltip";
import { failureLabel } from "@/lib/failures";
import { CREDENTIAL } from "./queries";

function Outcome({ credential }: { credential: Credential }) {
  const { t } = useTranslation();
  if (credential.tested_at === null) {
    return <span className="text-ink-muted">{t("providers.test.never")}</span>;
  }
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 max-lg:justify-end">
      {credential.failure === null ? (
        <Badge tone="success" icon={<CircleCheck aria-hidden />}>
          {t("providers.test.works")}
        </Badge>
      ) : (
        <Badge tone="danger" icon={<CircleX aria-hidden />}>
          {failureLabel(credential.failure)}
        </Badge>
      )}
      <RelativeTime iso={credential.tested_at} className="text-xs text-ink-muted" />
    </span>
  );
}

export interface TestCellProps {
  slug: string;
  credential: Credential;
  editable: boolean;
}

/** Result of the last test, with a button to test again. */
export function TestCell({ slug, credential, editable }: TestCellProps) {
  const { t } = useTranslation();
  const test = useChange("post", `${CREDENTIAL}/test`, {
    project: slug,
    credential_id: credential.id,
  });
  const said = test.isPending
    ? t("providers.testing")
    : test.isError
      ? problemMessage(test.error)
      : test.data === undefined
        ? ""
        : test.data.ok
          ? t("providers.test.worksNow")
          : (test.data.message ?? "");
  const name = t("providers.test.again", { label: credential.label });
  return (
    <div className="grid gap-1">
      <div className="flex items-center gap-1 max-lg:justify-end">
        <Outcome credential={credential} />
        {editable ? (
          <Tooltip content={t("providers.test.action")}>
            <Button
              variant="ghost"
              size="sm"
              iconOnly
              aria-label={name}
              loading={test.isPending}
              onClick={() => test.mutate(undefined)}
            >
              <RotateCw aria-hidden />
            </Button>
          </Tooltip>
        ) : null}
      </div>
      <p role="status" className="max-w-72 text-xs text-pretty text-ink-muted empty:hidden">
        {said}
      </p>
    </div>
  );
}
