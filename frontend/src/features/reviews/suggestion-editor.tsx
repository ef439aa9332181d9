import { useId } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { TextCheck } from "@/api/types";
import { CodeEditor } from "@/components/editor/code-editor";
import type { Reveal } from "@/components/editor/editor-props";
import { MergeView } from "@/components/editor/merge-view";
import { CharacterCount } from "@/components/prompt-editor/token-counter";
import { LONGEST } from "@/components/prompt-editor/content";
import { Alert } from "@/components/ui/alert";
import { Spinner } from "@/components/ui/spinner";
import { useDebounced } from "@/lib/hooks";
import type { Syntax } from "@/lib/template";
import { RailNotice } from "./reasons";
import { DiffModeChoice, LineCount, useDiffMode, useTemplateLanguage } from "./text-diff";

/** Result of the server's check, and whether it is for an older text. */
export interface CheckState {
  data: TextCheck | undefined;
  isStale: boolean;
  error: unknown;
}

/** Whether the checked text can be saved. */
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

export interface SuggestionEditorProps {
  before: string;
  beforeLabel: string;
  text: string;
  onTextChanged: (text: string) => void;
  syntax: Syntax;
  check: CheckState;
  /** Set where the editor is the main element of the page. */
  autoFocus?: boolean;
}

const START: Reveal = { from: 0, to: 0 };
const DEBOUNCE_MS = 350;

/** Editor of the prompt's text, with its diff and the server's check. */
export function SuggestionEditor(props: SuggestionEditorProps) {
  const { before, beforeLabel, text, onTextChanged, syntax, check, autoFocus = false } = props;
  const { t } = useTranslation();
  const [mode, setMode] = useDiffMode();
  const language = useTemplateLanguage(syntax);
  const heading = useId();
  const label = t("reviews.edit.yourText");
  // The diff is rebuilt for every text, so it waits until typing pauses.
  const settled = useDebounced(text, DEBOUNCE_MS);
  return (
    <section aria-labelledby={heading} className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 id={heading} className="text-base font-semibold">
          {t("reviews.edit.title")}
        </h2>
        {check.data === undefined ? null : <LineCount diff={check.data.diff} />}
        <span className="ml-auto">
          <DiffModeChoice mode={mode} onModeChanged={setMode} />
        </span>
      </div>
      {mode === "split" ? (
        <MergeView
          autoFocus={autoFocus}
          before={before}
          after={text}
          beforeLabel={beforeLabel}
          afterLabel={label}
          mode="split"
          collapsed={false}
          language={language}
          onAfterChanged={onTextChanged}
          className="max-h-[60dvh] min-h-64"
        />
      ) : (
        <>
          <CodeEditor
            label={label}
            value={text}
            language={language}
            reveal={autoFocus ? START : undefined}
            onChanged={onTextChanged}
            className="max-h-[45dvh] min-h-48"
            footer={<CharacterCount text={text} limit={LONGEST.text} />}
          />
          <MergeView
            before={before}
            after={settled}
            beforeLabel={beforeLabel}
            afterLabel={t("reviews.edit.result")}
            mode="unified"
            collapsed
            language={language}
            className="max-h-[40dvh] min-h-32"
          />
        </>
      )}
      <CheckResult check={check} />
    </section>
  );
}
