import { Sparkles, Undo2, X } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { AssistAction, AssistRead } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { LoadingStatus, Skeleton } from "@/components/ui/skeleton";
import { useAssist } from "./queries";
import { isSamePart } from "./wizard-draft";
import type { Draft, Step, StepProps } from "./wizard-step";

export interface Assistance {
  action: AssistAction;
  label: string;
  /** Why the assistant is unavailable. */
  blockedBy?: string | null;
  needsHints?: boolean;
}

export interface AssistPanelProps<S extends Step> extends StepProps<S> {
  step: S;
  actions: readonly Assistance[];
  /** Hint field; `fallback` is used while it is empty. */
  hints?: { label: string; placeholder: string; fallback?: string };
  /** Additional buttons beside the actions. */
  extra?: ReactNode;
  /** Renders the options found. */
  children: (
    found: AssistRead,
    apply: (change: Partial<Draft[S]>) => void,
    action: AssistAction,
  ) => ReactNode;
}

interface Applied<S extends Step> {
  before: Draft[S];
  after: Draft[S];
}

/**
 * Never overwrites without confirmation: options are shown, applied by a click, and can be undone.
 */
function useAssistance<S extends Step>(props: AssistPanelProps<S>) {
  const { slug, step, experimentId, draft, part, onChanged } = props;
  const ask = useAssist(slug, step);
  const [written, setHints] = useState("");
  const hints = written.trim() === "" ? (props.hints?.fallback ?? "") : written;
  const [turn, setTurn] = useState(0);
  const [applied, setApplied] = useState<Applied<S> | null>(null);
  const [isFolded, setFolded] = useState(false);
  return {
    ask,
    written,
    hints,
    setHints,
    /** What was found is folded once it is used. */
    isFolded,
    unfold: () => setFolded(false),
    start: (action: AssistAction) => {
      setApplied(null);
      setFolded(false);
      setTurn(turn + 1);
      ask.mutate({ action, draft, hints, turn, experiment_id: experimentId });
    },
    apply: (change: Partial<Draft[S]>) => {
      setApplied({ before: part, after: { ...part, ...change } });
      setFolded(true);
      onChanged(change);
    },
    /** Only while nothing has changed since, so that undo reverts nothing else. */
    undo:
      applied !== null && isSamePart(applied.after, part)
        ? () => {
            setApplied(null);
            onChanged(applied.before);
          }
        : null,
  };
}

function AssistResult<S extends Step>({
  found,
  apply,
  action,
  onDismissed,
  children,
}: {
  found: AssistRead;
  action: AssistAction;
  apply: (change: Partial<Draft[S]>) => void;
  onDismissed: () => void;
  children: AssistPanelProps<S>["children"];
}) {
  const { t } = useTranslation();
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center gap-2 text-xs text-ink-muted">
        {found.model == null ? null : <span>{t("wizard.assist.by", { model: found.model })}</span>}
        {found.is_simulated ? <SimulatedBadge /> : null}
        <Button variant="ghost" size="sm" className="ml-auto" onClick={onDismissed}>
          <X aria-hidden />
          {t("wizard.assist.dismiss")}
        </Button>
      </div>
      {children(found, apply, action)}
    </div>
  );
}

/** Assistant panel of a step. */
export function AssistPanel<S extends Step>(props: AssistPanelProps<S>) {
  const { editable, actions, hints, extra, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const assistance = useAssistance(props);
  const { ask } = assistance;
  if (!editable) {
    return null;
  }
  const reasonOf = ({ blockedBy = null, needsHints = false }: Assistance) =>
    blockedBy ??
    (needsHints && assistance.hints.trim() === "" ? t("wizard.assist.hintsFirst") : null);
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 gap-3 rounded-xl border border-border bg-surface p-4"
    >
      <h2 id={id} className="flex items-center gap-2 text-sm font-semibold">
        <Sparkles aria-hidden className="size-4 text-accent-ink" />
        {t("wizard.assist.title")}
      </h2>
      <div className="flex flex-wrap items-center gap-2">
        {hints === undefined ? null : (
          <Input
            aria-label={hints.label}
            placeholder={hints.placeholder}
            className="h-8 min-w-56 flex-1 text-sm"
            maxLength={4000}
            value={assistance.written}
            onChange={(event) => assistance.setHints(event.target.value)}
          />
        )}
        {actions.map((one) => (
          <Button
            key={one.action}
            variant="secondary"
            size="sm"
            loading={ask.isPending && ask.variables.action === one.action}
            disabled={ask.isPending || reasonOf(one) !== null}
            title={reasonOf(one) ?? undefined}
            onClick={() => assistance.start(one.action)}
          >
            {one.label}
          </Button>
        ))}
        {extra}
      </div>
      {ask.isPending ? (
        <LoadingStatus>
          <Skeleton className="h-24" />
        </LoadingStatus>
      ) : null}
      {ask.isError ? <Alert tone="danger">{problemMessage(ask.error)}</Alert> : null}
      {assistance.undo === null ? null : (
        <Alert
          tone="success"
          action={
            <Button variant="secondary" size="sm" onClick={assistance.undo}>
              <Undo2 aria-hidden />
              {t("wizard.assist.undo")}
            </Button>
          }
        >
          {t("wizard.assist.applied")}
        </Alert>
      )}
      {ask.isSuccess && assistance.isFolded ? (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          onClick={assistance.unfold}
        >
          {t("wizard.assist.again")}
        </Button>
      ) : ask.isSuccess ? (
        <AssistResult<S>
          found={ask.data}
          action={ask.variables.action}
          apply={assistance.apply}
          onDismissed={() => ask.reset()}
        >
          {children}
        </AssistResult>
      ) : null}
    </section>
  );
}
