import type { ReactNode } from "react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { UnsavedGuard } from "@/components/unsaved-guard";

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
