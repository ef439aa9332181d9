import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BackLink } from "@/components/back-link";
import { UnsavedGuard } from "@/components/unsaved-guard";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { PageHeader } from "@/components/ui/page-header";

export interface EditorFrameProps {
  slug: string;
  title: string;
  badges?: ReactNode;
  /** Content beside the save button. */
  actions?: ReactNode;
  editable: boolean;
  dirty: boolean;
  isSaving: boolean;
  saveLabel: string;
  problem: string | null;
  notices?: readonly string[];
  onSaved: () => void;
  children: ReactNode;
  aside: ReactNode;
}

/** Editor page of a library item, with a test panel beside it. */
export function EditorFrame(props: EditorFrameProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-6">
      <UnsavedGuard dirty={props.dirty && !props.isSaving} />
      <BackLink to="/p/$slug/scorers" slug={props.slug}>
        {t("scorers.title")}
      </BackLink>
      <PageHeader
        title={props.title}
        badges={props.badges}
        actions={
          <>
            {props.actions}
            {props.editable ? (
              <Button loading={props.isSaving} disabled={!props.dirty} onClick={props.onSaved}>
                {props.saveLabel}
              </Button>
            ) : null}
          </>
        }
      />
      {props.problem === null ? null : <Alert tone="danger">{props.problem}</Alert>}
      {props.notices?.map((notice) => (
        <Alert key={notice} tone="warning">
          {notice}
        </Alert>
      ))}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_26rem]">
        {props.children}
        {props.aside}
      </div>
    </div>
  );
}
