import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ProblemState } from "@/components/problem-state";
import type { PromptPreview } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { Textarea } from "@/components/ui/textarea";
import { useDebounced } from "@/lib/hooks";
import { CasePicker } from "./case-picker";
import { readTyped, type Syntax } from "@/lib/template";
import { previewQuery } from "./queries";
import { TokenCount } from "@/components/prompt-editor/token-counter";

export type PreviewValues = Readonly<Record<string, string>>;

export interface PreviewPanelProps {
  slug: string;
  promptId: string;
  /** Version of the saved draft to render. */
  draftVersion: number;
  syntax: Syntax;
  variables: readonly string[];
  values: PreviewValues;
  modelId: string | undefined;
  stale: boolean;
  onValuesChanged: (values: PreviewValues) => void;
  onClosed: () => void;
}

/** Values without empty fields. */
export function givenValues(values: PreviewValues): PreviewValues {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

function ValueFields({ variables, values, onValuesChanged }: PreviewPanelProps) {
  const { t } = useTranslation();
  const id = useId();
  if (variables.length === 0) {
    return <p className="text-sm text-ink-muted">{t("prompts.preview.noVariables")}</p>;
  }
  return (
    <div className="grid gap-3">
      {variables.map((name) => (
        <div key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="font-mono text-xs break-all text-ink-muted">
            {name}
          </label>
          <Textarea
            id={`${id}-${name}`}
            rows={1}
            className="[field-sizing:content] max-h-40 min-h-9 py-1.5"
            value={values[name] ?? ""}
            onChange={(event) => onValuesChanged({ ...values, [name]: event.target.value })}
          />
        </div>
      ))}
    </div>
  );
}

function Message({ role, text }: { role: "system" | "user" | "assistant"; text: string }) {
  const { t } = useTranslation();
  return (
    <li className="grid gap-1.5 rounded-lg border border-border bg-surface p-3">
      <div className="flex items-center justify-between gap-2">
        <Badge tone={role === "assistant" ? "accent" : role === "system" ? "info" : "neutral"}>
          {t(`prompts.roles.${role}`)}
        </Badge>
        <CopyButton
          text={text}
          label={t("prompts.preview.copy", { role: t(`prompts.roles.${role}`) })}
        />
      </div>
      <pre
        className="max-h-96 overflow-y-auto text-xs leading-5 wrap-anywhere whitespace-pre-wrap"
        tabIndex={0}
      >
        {text === "" ? (
          <span className="text-ink-subtle">{t("prompts.preview.empty")}</span>
        ) : (
          // Each line's direction follows its first word, as in the editor.
          text.split("\n").map((line, index) => (
            <span key={index} dir="auto" className="block min-h-5">
              {line}
            </span>
          ))
        )}
      </pre>
    </li>
  );
}

function Gaps({ preview }: { preview: PromptPreview }) {
  const { t } = useTranslation();
  return (
    <>
      {preview.missing.length > 0 ? (
        <Alert tone="warning">
          {t("prompts.preview.missing", {
            count: preview.missing.length,
            names: preview.missing.join(", "),
          })}
        </Alert>
      ) : null}
      {preview.unused.length > 0 ? (
        <Alert tone="info">
          {t("prompts.preview.unused", {
            count: preview.unused.length,
            names: preview.unused.join(", "),
          })}
        </Alert>
      ) : null}
    </>
  );
}

function Rendered(props: PreviewPanelProps) {
  const { slug, promptId, draftVersion, syntax, values, modelId, stale } = props;
  const { t } = useTranslation();
  const given = useMemo(() => {
    const typed = givenValues(values);
    return syntax === "nunjucks" ? readTyped(typed) : typed;
  }, [values, syntax]);
  const inputs = useDebounced(given);
  const preview = useQuery(previewQuery(slug, promptId, { draftVersion, inputs }));
  if (preview.isPending) {
    return (
      <LoadingStatus>
        <Skeleton className="h-24" />
      </LoadingStatus>
    );
  }
  if (preview.isError) {
    return <ProblemState error={preview.error} onRetry={() => void preview.refetch()} />;
  }
  const { system, messages, tools } = preview.data;
  return (
    <div className="grid min-w-0 gap-3">
      <Gaps preview={preview.data} />
      <ol aria-label={t("prompts.preview.messages")} className="grid min-w-0 gap-3">
        {system === null ? null : <Message role="system" text={system} />}
        {messages.map((message, index) => (
          <Message key={index} {...message} />
        ))}
      </ol>
      <p className="text-xs text-ink-muted">
        {stale ? (
          t("prompts.preview.stale")
        ) : (
          <TokenCount slug={slug} modelId={modelId} conversation={{ system, messages, tools }} />
        )}
      </p>
    </div>
  );
}

/** The prompt as sent to a model, with entered values or those of a case. */
export function PreviewPanel(props: PreviewPanelProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 content-start gap-4 rounded-xl border border-border bg-raised p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h2 id={id} className="text-sm font-semibold">
          {t("prompts.preview.title")}
        </h2>
        <Button
          variant="ghost"
          size="sm"
          iconOnly
          aria-label={t("prompts.preview.close")}
          onClick={props.onClosed}
        >
          <X aria-hidden />
        </Button>
      </div>
      {props.variables.length === 0 ? null : (
        <CasePicker slug={props.slug} onCaseChosen={props.onValuesChanged} />
      )}
      <ValueFields {...props} />
      <Rendered {...props} />
    </section>
  );
}
