import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/api/types";
import { DiffView } from "@/components/diff-view";
import { CopyButton } from "@/components/ui/copy-button";
import { Drawer } from "@/components/ui/drawer";
import { formatExact } from "@/lib/format";
import { OutcomeBadge } from "./outcome-badge";

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-muted">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1 break-all">{children}</dd>
    </>
  );
}

function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <>
      <code className="min-w-0 truncate text-xs" title={text}>
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </>
  );
}

export interface AuditEntryDrawerProps {
  entry: AuditEntry | null;
  onClosed: () => void;
}

export function AuditEntryDrawer({ entry, onClosed }: AuditEntryDrawerProps) {
  const { t } = useTranslation();
  if (entry === null) {
    return null;
  }
  const changed = Boolean(entry.before ?? entry.after);
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={<code className="text-sm">{entry.action}</code>}
      description={formatExact(entry.at)}
    >
      <div className="grid gap-6">
        <dl className="grid grid-cols-[8rem_1fr] items-center gap-x-4 gap-y-2.5 text-sm">
          <Fact label={t("audit.outcome.label")}>
            <OutcomeBadge outcome={entry.outcome} />
          </Fact>
          <Fact label={t("audit.actor")}>{entry.actor ?? t("audit.system")}</Fact>
          <Fact label={t("audit.entity")}>{entry.entity_type}</Fact>
          {entry.entity_id ? (
            <Fact label={t("audit.entityId")}>
              <Copyable text={entry.entity_id} label={t("audit.copyId")} />
            </Fact>
          ) : null}
          {entry.address ? <Fact label={t("audit.address")}>{entry.address}</Fact> : null}
          {entry.trace_id ? (
            <Fact label={t("ui.traceId")}>
              <Copyable text={entry.trace_id} label={t("ui.copyTraceId")} />
            </Fact>
          ) : null}
        </dl>
        <section className="grid gap-3">
          <h3 className="text-sm font-semibold">{t("audit.changes")}</h3>
          {changed ? (
            <DiffView
              caption={t("audit.changes")}
              before={entry.before ?? null}
              after={entry.after ?? null}
            />
          ) : (
            <p className="text-sm text-ink-muted">{t("audit.noChanges")}</p>
          )}
        </section>
      </div>
    </Drawer>
  );
}
