import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Project } from "@/api/types";
import { ProblemState } from "@/components/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { FormSkeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { RubricHistory } from "./history-drawer";
import { RubricEditor, type Notices, type RubricEditorProps } from "./rubric-editor";
import { rubricQuery } from "@/api/rubrics";

type EditorEvents = Pick<RubricEditorProps, "onOpened" | "onLeft">;

const NONE: Notices = [];

export interface RubricPageProps extends EditorEvents {
  project: Project;
  rubricId: string;
  isHistoryOpen: boolean;
  onHistoryChanged: (open: boolean) => void;
}

export function RubricPage(props: RubricPageProps) {
  const { project, rubricId, isHistoryOpen, onHistoryChanged } = props;
  const rubric = useQuery(rubricQuery(project.slug, rubricId));
  const [notices, setNotices] = useState(NONE);
  useDocumentTitle(rubric.data?.name, project.name);
  if (rubric.isPending) {
    return <FormSkeleton fields={5} />;
  }
  if (rubric.data === undefined) {
    return <ProblemState isPage error={rubric.error} onRetry={() => void rubric.refetch()} />;
  }
  return (
    <>
      <RubricEditor
        // Remounts the form after every save, by any user.
        key={`${rubricId}-${rubric.data.latest.number}-${rubric.data.updated_at}`}
        project={project}
        rubric={rubric.data}
        notices={notices}
        onNoticed={setNotices}
        onOpened={props.onOpened}
        onLeft={props.onLeft}
        onHistoryOpened={() => onHistoryChanged(true)}
      />
      <RubricHistory
        slug={project.slug}
        rubric={rubric.data}
        open={isHistoryOpen}
        onOpenChanged={onHistoryChanged}
      />
    </>
  );
}

export function NewRubricPage({ project, onOpened, onLeft }: EditorEvents & { project: Project }) {
  const { t } = useTranslation();
  useDocumentTitle(t("scorers.rubrics.new"), project.name);
  if (!can(project.role, "scorers.edit") || project.archived_at !== null) {
    return (
      <EmptyState
        isPage
        icon={<Scale />}
        title={t("scorers.rubrics.new")}
        description={t("scorers.empty.askEditor")}
      />
    );
  }
  return (
    <RubricEditor
      project={project}
      rubric={null}
      notices={NONE}
      // The page is left at once, so notices are shown as toasts.
      onNoticed={(notices) => {
        for (const { message } of notices) {
          toast.warning(message);
        }
      }}
      onOpened={onOpened}
      onLeft={onLeft}
      onHistoryOpened={onLeft}
    />
  );
}
