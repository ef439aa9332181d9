import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { DatasetAddress } from "@/api/case-imports";
import type { Case } from "@/api/types";
import { Disclosure } from "@/components/ui/disclosure";
import { RelativeTime } from "@/components/ui/relative-time";
import { caseAuthorQuery } from "./tag-queries";

function Text({ label, children }: { label: string; children: string }) {
  return (
    <div className="grid gap-1">
      <h4 className="text-xs font-medium text-ink-muted">{label}</h4>
      <pre className="max-h-80 overflow-auto rounded-md bg-surface p-3 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
        {children}
      </pre>
    </div>
  );
}

/** The model that wrote a generated case, and the prompt it was asked with. */
export function CaseAuthor({ at, row }: { at: DatasetAddress; row: Case }) {
  const { t } = useTranslation();
  const found = useQuery(caseAuthorQuery(at, row.id));
  if (found.data === undefined || found.data === null) {
    return null;
  }
  const { model_name, created_at, system, prompt } = found.data;
  return (
    <Disclosure
      label={
        <span className="wrap-anywhere">
          {t("caseTags.author", { name: model_name })} · <RelativeTime iso={created_at} />
        </span>
      }
    >
      <div className="grid gap-3">
        {system === "" ? null : <Text label={t("caseTags.system")}>{system}</Text>}
        <Text label={t("caseTags.prompt")}>{prompt}</Text>
      </div>
    </Disclosure>
  );
}
