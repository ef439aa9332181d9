import { History } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Project, SavedScorer, ScorerKind } from "@/api/types";
import { useChange } from "@/api/use-change";
import type { FieldErrors } from "@/components/schema-form/validate";
import { CostBadge } from "@/components/scorer-options/cost-badge";
import type { Resource } from "@/components/listing/resource";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { Button } from "@/components/ui/button";
import { CommandMenu } from "@/components/ui/command-menu";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { EditorFrame } from "./editor-frame";
import { useSaveScorer } from "./queries";
import {
  changesOf,
  draftOf,
  namedOf,
  newScorer,
  requestOf,
  settingsOf,
  type ScorerDraft,
} from "./scorer-draft";
import { ScorerForm } from "./scorer-form";
import { TestBench } from "./test-bench";
import { useScorerCommands } from "./use-library-commands";

export interface ScorerEditorProps {
  project: Project;
  kind: ScorerKind;
  /** Null for an unsaved scorer. */
  scorer: SavedScorer | null;
  rubricVersionId: string | null;
  onOpened: (saved: Resource) => void;
  onLeft: () => void;
  onHistoryOpened: () => void;
}

function fieldErrors(error: unknown): FieldErrors {
  const problem = asProblem(error);
  const errors = Object.fromEntries(problem.fields.map(({ field, message }) => [field, message]));
  return problem.code === "DUPLICATE_NAME" ? { ...errors, name: problem.message } : errors;
}

function useScorerEditor(props: ScorerEditorProps) {
  const { project, kind, scorer } = props;
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() =>
    scorer === null ? newScorer(kind, props.rubricVersionId) : draftOf(scorer),
  );
  const create = useChange(
    "post",
    "/projects/{project}/scorers",
    { project: project.slug },
    { also: [keys.rubrics(project.slug)] },
  );
  const save = useSaveScorer(project.slug);
  const changed = scorer === null ? { named: true, settings: true } : changesOf(draft, scorer);
  const error = create.error ?? save.error;
  const errors = error === null ? {} : fieldErrors(error);
  const submit = () => {
    if (scorer === null) {
      create.mutate(
        { body: requestOf(kind.kind, draft) },
        {
          onSuccess: (made) => {
            toast.success(t("scorers.created", { name: made.name }));
            props.onOpened(made);
          },
        },
      );
      return;
    }
    save.mutate(
      {
        scorerId: scorer.id,
        named: changed.named ? namedOf(draft) : null,
        settings: changed.settings
          ? { ...settingsOf(draft), based_on: scorer.latest.number }
          : null,
      },
      { onSuccess: () => toast.success(t("scorers.saved", { name: draft.name })) },
    );
  };
  return {
    draft,
    change: (part: Partial<ScorerDraft>) => {
      setDraft({ ...draft, ...part });
      create.reset();
      save.reset();
    },
    dirty: changed.named || changed.settings,
    errors,
    problem: error !== null && Object.keys(errors).length === 0 ? problemMessage(error) : null,
    submit,
    isSaving: create.isPending || save.isPending || create.isSuccess,
  };
}

/** Scorer editor: form and test bench. */
export function ScorerEditor(props: ScorerEditorProps) {
  const { project, kind, scorer } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const mayEdit = can(project.role, "scorers.edit") && project.archived_at === null;
  const editable = mayEdit && scorer?.archived_at == null;
  const editor = useScorerEditor(props);
  const { commandsOf, dialog } = useScorerCommands(slug, {
    onDuplicated: props.onOpened,
    onDeleted: props.onLeft,
  });
  return (
    <EditorFrame
      slug={slug}
      title={scorer?.name ?? t("scorers.new.title", { kind: kind.title })}
      badges={
        <>
          <CostBadge cost={kind.cost_class as SavedScorer["cost_class"]} />
          {scorer?.archived_at == null ? null : <ArchivedBadge />}
        </>
      }
      actions={
        scorer === null ? null : (
          <>
            <Button variant="secondary" onClick={props.onHistoryOpened}>
              <History aria-hidden />
              {scorer.latest.label}
            </Button>
            {mayEdit ? (
              <CommandMenu
                label={t("lists.menu", { name: scorer.name })}
                commands={commandsOf(scorer)}
              />
            ) : null}
          </>
        )
      }
      editable={editable}
      dirty={editor.dirty && editable}
      isSaving={editor.isSaving}
      saveLabel={t(scorer === null ? "scorers.new.save" : "ui.save")}
      problem={editor.problem}
      onSaved={editor.submit}
      aside={mayEdit ? <TestBench slug={slug} kind={kind} draft={editor.draft} /> : null}
    >
      <ScorerForm
        slug={slug}
        kind={kind}
        draft={editor.draft}
        saved={scorer}
        errors={editor.errors}
        disabled={!editable}
        onDraftChanged={editor.change}
      />
      {dialog}
    </EditorFrame>
  );
}
