import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { scorerKindsQuery } from "@/api/scorers";
import type { Project } from "@/api/types";
import { BackLink } from "@/components/back-link";
import { ProblemState } from "@/components/problem-state";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { FormSkeleton } from "@/components/ui/skeleton";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import { Scale } from "lucide-react";
import { ScorerHistory } from "./history-drawer";
import { KindPicker } from "./kind-picker";
import { scorerQuery } from "./queries";
import { ScorerEditor, type ScorerEditorProps } from "./scorer-editor";

type EditorEvents = Pick<ScorerEditorProps, "onOpened" | "onLeft">;

export interface ScorerPageProps extends EditorEvents {
  project: Project;
  scorerId: string;
  isHistoryOpen: boolean;
  onHistoryChanged: (open: boolean) => void;
}

export function ScorerPage(props: ScorerPageProps) {
  const { project, scorerId, isHistoryOpen, onHistoryChanged } = props;
  const scorer = useQuery(scorerQuery(project.slug, scorerId));
  const kinds = useQuery(scorerKindsQuery(project.slug));
  useDocumentTitle(scorer.data?.name, project.name);
  if (scorer.isPending || kinds.isPending) {
    return <FormSkeleton fields={5} />;
  }
  const kind = kinds.data?.find((candidate) => candidate.kind === scorer.data?.kind);
  if (scorer.data === undefined || kind === undefined) {
    return (
      <ProblemState
        isPage
        error={scorer.error ?? kinds.error}
        onRetry={() => void Promise.all([scorer.refetch(), kinds.refetch()])}
      />
    );
  }
  return (
    <>
      <ScorerEditor
        // Remounts the form when another user has saved.
        key={`${scorerId}-${scorer.data.latest.number}-${scorer.data.updated_at}`}
        project={project}
        kind={kind}
        scorer={scorer.data}
        rubricVersionId={null}
        onOpened={props.onOpened}
        onLeft={props.onLeft}
        onHistoryOpened={() => onHistoryChanged(true)}
      />
      <ScorerHistory
        slug={project.slug}
        scorer={scorer.data}
        open={isHistoryOpen}
        onOpenChanged={onHistoryChanged}
      />
    </>
  );
}

export interface NewScorerPageProps extends EditorEvents {
  project: Project;
  kind: string | undefined;
  rubricVersionId: string | undefined;
  onKindChosen: (kind: string) => void;
}

export function NewScorerPage(props: NewScorerPageProps) {
  const { project, onKindChosen } = props;
  const { t } = useTranslation();
  const kinds = useQuery(scorerKindsQuery(project.slug));
  useDocumentTitle(t("scorers.new.action"), project.name);
  if (!can(project.role, "scorers.edit") || project.archived_at !== null) {
    return (
      <EmptyState
        isPage
        icon={<Scale />}
        title={t("scorers.new.action")}
        description={t("scorers.empty.askEditor")}
      />
    );
  }
  const kind = kinds.data?.find((candidate) => candidate.kind === props.kind);
  if (kind !== undefined) {
    return (
      <ScorerEditor
        key={kind.kind}
        project={project}
        kind={kind}
        scorer={null}
        rubricVersionId={props.rubricVersionId ?? null}
        onOpened={props.onOpened}
        onLeft={props.onLeft}
        onHistoryOpened={props.onLeft}
      />
    );
  }
  return (
    <div className="grid gap-6">
      <BackLink to="/p/$slug/scorers" slug={project.slug}>
        {t("scorers.title")}
      </BackLink>
      <PageHeader title={t("scorers.new.action")} description={t("scorers.new.hint")} />
      <KindPicker slug={project.slug} onKindChosen={onKindChosen} />
    </div>
  );
}
