import { Link } from "@tanstack/react-router";
import { History, Scale } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import type { Project, Rubric, RubricSaved } from "@/api/types";
import { useChange } from "@/api/use-change";
import type { FieldErrors } from "@/components/schema-form/validate";
import type { Resource } from "@/components/listing/resource";
import { ArchivedBadge } from "@/components/listing/resource-name";
import { Button } from "@/components/ui/button";
import { CommandMenu } from "@/components/ui/command-menu";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { CriteriaFields } from "@/components/criteria/criteria-fields";
import { EditorFrame } from "./editor-frame";
import {
  changesOf,
  criteriaOf,
  draftOf,
  namedOf,
  newRubric,
  type RubricDraft,
} from "./rubric-draft";
import { RubricPreview } from "./rubric-preview";
import { useSaveRubric } from "./rubric-queries";
import { NameFields } from "./scorer-form";
import { useRubricCommands } from "./use-library-commands";

export type Notices = RubricSaved["notices"];

export interface RubricEditorProps {
  project: Project;
  /** Null for an unsaved rubric. */
  rubric: Rubric | null;
  /** Notices about the last save. */
  notices: Notices;
  onNoticed: (notices: Notices) => void;
  onOpened: (saved: Resource) => void;
  onLeft: () => void;
  onHistoryOpened: () => void;
}

function fieldErrors(error: unknown): FieldErrors {
  const problem = asProblem(error);
  const errors = Object.fromEntries(problem.fields.map(({ field, message }) => [field, message]));
  return problem.code === "DUPLICATE_NAME" ? { ...errors, name: problem.message } : errors;
}

function useRubricEditor({ project, rubric, onNoticed, onOpened }: RubricEditorProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => (rubric === null ? newRubric() : draftOf(rubric)));
  const create = useChange(
    "post",
    "/projects/{project}/rubrics",
    { project: project.slug },
    { also: [keys.scorers(project.slug)] },
  );
  const save = useSaveRubric(project.slug);
  const changed = rubric === null ? { named: true, criteria: true } : changesOf(draft, rubric);
  const error = create.error ?? save.error;
  const errors = error === null ? {} : fieldErrors(error);
  const submit = () => {
    if (rubric === null) {
      create.mutate(
        { body: { ...namedOf(draft), criteria: criteriaOf(draft) } },
        {
          onSuccess: (made) => {
            onNoticed(made.notices);
            onOpened(made.rubric);
          },
        },
      );
      return;
    }
    const content = changed.criteria
      ? { criteria: criteriaOf(draft), based_on: rubric.latest.number }
      : null;
    save.mutate(
      { rubricId: rubric.id, named: changed.named ? namedOf(draft) : null, content },
      {
        onSuccess: (notices) => {
          onNoticed(notices);
          toast.success(t("scorers.saved", { name: draft.name }));
        },
      },
    );
  };
  return {
    draft,
    change: (part: Partial<RubricDraft>) => {
      setDraft({ ...draft, ...part });
      create.reset();
      save.reset();
    },
    dirty: changed.named || changed.criteria,
    errors,
    problem: error !== null && Object.keys(errors).length === 0 ? problemMessage(error) : null,
    submit,
    isSaving: create.isPending || save.isPending || create.isSuccess,
  };
}

function Actions(props: RubricEditorProps & { rubric: Rubric; mayEdit: boolean }) {
  const { project, rubric, mayEdit } = props;
  const { t } = useTranslation();
  const { slug } = project;
  const { commandsOf, dialog } = useRubricCommands(slug, {
    onDuplicated: props.onOpened,
    onDeleted: props.onLeft,
  });
  return (
    <>
      <Button variant="secondary" onClick={props.onHistoryOpened}>
        <History aria-hidden />
        {rubric.latest.label}
      </Button>
      {mayEdit ? (
        <>
          <Button asChild variant="secondary">
            <Link
              to="/p/$slug/scorers/new"
              params={{ slug }}
              search={{ kind: "judge", rubric: rubric.latest.id }}
            >
              <Scale aria-hidden />
              {t("scorers.rubrics.makeJudge")}
            </Link>
          </Button>
          <CommandMenu
            label={t("lists.menu", { name: rubric.name })}
            commands={commandsOf(rubric)}
          />
        </>
      ) : null}
      {dialog}
    </>
  );
}

/** Rubric editor: criteria, and the text a judge receives. */
export function RubricEditor(props: RubricEditorProps) {
  const { project, rubric } = props;
  const { t } = useTranslation();
  const mayEdit = can(project.role, "scorers.edit") && project.archived_at === null;
  const editable = mayEdit && rubric?.archived_at == null;
  const editor = useRubricEditor(props);
  const { draft, errors } = editor;
  return (
    <EditorFrame
      slug={project.slug}
      title={rubric?.name ?? t("scorers.rubrics.new")}
      badges={rubric?.archived_at == null ? null : <ArchivedBadge />}
      actions={rubric === null ? null : <Actions {...props} rubric={rubric} mayEdit={mayEdit} />}
      editable={editable}
      dirty={editor.dirty && editable}
      isSaving={editor.isSaving}
      saveLabel={t(rubric === null ? "scorers.rubrics.save" : "ui.save")}
      problem={editor.problem}
      notices={props.notices.map(({ message }) => message)}
      onSaved={editor.submit}
      aside={<RubricPreview slug={project.slug} criteria={criteriaOf(draft)} />}
    >
      <div className="grid gap-6">
        <Card>
          <CardHeader
            title={t("scorers.form.about")}
            description={t("scorers.rubrics.description")}
          />
          <CardContent className="grid gap-5">
            <NameFields
              name={draft.name}
              description={draft.description}
              errors={errors}
              disabled={!editable}
              onChanged={editor.change}
            />
          </CardContent>
        </Card>
        <CriteriaFields
          criteria={draft.criteria}
          errors={errors}
          disabled={!editable}
          sumHint={t("scorers.rubrics.sumHint")}
          onChanged={(criteria) => editor.change({ criteria })}
        />
      </div>
    </EditorFrame>
  );
}
