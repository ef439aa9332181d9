import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { UnsavedGuard } from "@/components/unsaved-guard";

export interface EstimateStateProps<Estimate> {
  /** Null while too little is chosen; `nothingYet` says what is missing. */
  estimate: UseQueryResult<Estimate> | null;
  nothingYet: string;
  children: (estimate: Estimate) => ReactNode;
}

/** Why there is no estimate: the server's messages about what is missing. */
function refusal(error: unknown): string {
  const messages = asProblem(error).fields.map(({ message }) => message);
  return messages.length === 0 ? problemMessage(error) : [...new Set(messages)].join(" ");
}

/** An estimate, or why there is none yet. */
export function EstimateState<Estimate>(props: EstimateStateProps<Estimate>) {
  const { estimate, nothingYet, children } = props;
  if (estimate === null) {
    return <p className="text-sm text-ink-muted">{nothingYet}</p>;
  }
  if (estimate.isError) {
    return <p className="text-sm text-ink-muted">{refusal(estimate.error)}</p>;
  }
  if (estimate.data === undefined) {
    return (
      <div className="grid gap-2">
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-4 w-5/6" />
      </div>
    );
  }
  return (
    <div
      aria-busy={estimate.isPlaceholderData}
      className={estimate.isPlaceholderData ? "grid gap-4 opacity-60" : "grid gap-4"}
    >
      {children(estimate.data)}
    </div>
  );
}

export interface DraftFormProps {
  children: ReactNode;
  /** Shown beside the fields, above the submit button. */
  estimate: ReactNode;
  submitLabel: string;
  problem: string | null;
  isSaving: boolean;
  isDirty: boolean;
  onSubmitted: () => void;
}

/** A page-long form with its estimate beside it. */
export function DraftForm(props: DraftFormProps) {
  const { t } = useTranslation();
  const titleId = useId();
  return (
    <form
      noValidate
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]"
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmitted();
      }}
    >
      <UnsavedGuard dirty={props.isDirty} />
      {props.children}
      <div className="grid gap-4 lg:sticky lg:top-20">
        {props.problem === null ? null : <Alert tone="danger">{props.problem}</Alert>}
        <Card aria-labelledby={titleId} className="grid gap-5 p-5">
          <div className="grid gap-3" aria-live="polite">
            <h2 id={titleId} className="text-sm font-semibold">
              {t("runs.estimate.title")}
            </h2>
            {props.estimate}
          </div>
          <Button type="submit" loading={props.isSaving}>
            {props.submitLabel}
          </Button>
        </Card>
      </div>
    </form>
  );
}
