import { useId } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { EditCheck, PartName } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Spinner } from "@/components/ui/spinner";
import { PartTabs, type PartTabsProps } from "./part-tabs";
import { RailNotice } from "./reasons";
import { DiffModeChoice, LineCount, useDiffMode } from "./text-diff";

/** Result of the server's check, and whether it is for an older edit. */
export interface CheckState {
  data: EditCheck | undefined;
  isStale: boolean;
  error: unknown;
}

/** Whether the checked edit can be saved. */
export const isSavable = ({ data, isStale }: CheckState) =>
  data !== undefined && !isStale && !data.is_unchanged && data.problems.length === 0;

/** Shown beside the save button while the check is pending. */
export function CheckProgress({ id, check }: { id: string; check: CheckState }) {
  const { t } = useTranslation();
  const isChecking = !check.error && (check.data === undefined || check.isStale);
  return (
    <p
      id={id}
      role="status"
      aria-live="polite"
      className="flex min-h-5 items-center gap-2 text-sm text-ink-muted"
    >
      {isChecking ? (
        <>
          <Spinner /> {t("reviews.edit.waitForCheck")}
        </>
      ) : null}
    </p>
  );
}

export function CheckResult({ check }: { check: CheckState }) {
  const { t } = useTranslation();
  const { data, isStale, error } = check;
  if (error !== null && error !== undefined) {
    return <Alert tone="danger">{problemMessage(error)}</Alert>;
  }
  if (data === undefined) {
    return null;
  }
  return (
    <div role="status" aria-busy={isStale} className="grid gap-2">
      {data.problems.map(({ field, message }) => (
        <Alert key={`${field} ${message}`} tone="danger" live={false}>
          {message}
        </Alert>
      ))}
      {data.is_unchanged ? (
        <Alert tone="info" live={false}>
          {t("reviews.edit.unchanged")}
        </Alert>
      ) : (
        <>
          <RailNotice violations={data.violations} />
          {data.violations.length === 0 ? null : (
            <p className="text-xs text-ink-muted">{t("reviews.edit.railsAreYours")}</p>
          )}
        </>
      )}
    </div>
  );
}

export interface SuggestionEditorProps extends Omit<PartTabsProps, "mode" | "start" | "autoFocus"> {
  check: CheckState;
  start?: PartName;
  autoFocus?: boolean;
}

/** Editor of the prompt's parts, with their diffs and the server's check. */
export function SuggestionEditor(props: SuggestionEditorProps) {
  const { check, start = "text", autoFocus = false, ...edit } = props;
  const { t } = useTranslation();
  const [mode, setMode] = useDiffMode();
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="grid min-w-0 grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={heading} className="text-base font-semibold">
          {t("reviews.edit.title")}
        </h2>
        {check.data === undefined ? null : (
          <LineCount diffs={check.data.changes.map(({ diff }) => diff)} />
        )}
        <span className="ml-auto">
          <DiffModeChoice mode={mode} onModeChanged={setMode} />
        </span>
      </div>
      <PartTabs {...edit} mode={mode} start={start} autoFocus={autoFocus} />
      <CheckResult check={check} />
    </section>
  );
}
