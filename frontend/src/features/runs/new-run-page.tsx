import { ListChecks } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { runOptions } from "@/api/runs";
import type { Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Alert } from "@/components/ui/alert";
import { EmptyState } from "@/components/ui/empty-state";
import { PageHeader } from "@/components/ui/page-header";
import { useDocumentTitle } from "@/lib/hooks";
import { can } from "@/lib/permissions";
import {
  unplacedErrors,
  newDraft,
  placeProblems,
  requestOf,
  type RunDraft,
  type RunPreset,
} from "./run-draft";
import { RunForm } from "./run-form";
import { StartPanel } from "./start-panel";

export interface NewRunPageProps {
  project: Project;
  /** Choices made on the page that linked here. */
  preset: RunPreset;
  onRunStarted: (runId: string) => void;
}

function useNewRun({ project, preset, onRunStarted }: NewRunPageProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => newDraft(preset));
  const [errors, setErrors] = useState<FieldErrors>({});
  const create = useChange(
    "post",
    "/projects/{project}/runs",
    { project: project.slug },
    runOptions(project.slug),
  );
  const complete = {
    ...draft,
    prompts: draft.prompts.filter(({ promptId }) => promptId !== ""),
  };
  const request = requestOf(complete);
  const start = () => {
    if (request === null) {
      setErrors({
        ...(complete.prompts.length === 0 ? { "prompts.0": t("runs.new.choosePrompt") } : {}),
        ...(draft.modelIds.length === 0 ? { models: t("runs.new.chooseModel") } : {}),
      });
      return;
    }
    create.mutate(
      { body: request },
      {
        onSuccess: (run) => onRunStarted(run.id),
        onError: (error) => setErrors(placeProblems(complete, asProblem(error).fields)),
      },
    );
  };
  const isPlaced = Object.keys(errors).length > 0;
  const unplaced = unplacedErrors(errors);
  return {
    draft,
    request,
    errors,
    start,
    isStarting: create.isPending,
    problem:
      unplaced.length > 0
        ? unplaced.join(" ")
        : create.isError && !isPlaced
          ? problemMessage(create.error)
          : null,
    change: (part: Partial<RunDraft>) => {
      setDraft({ ...draft, ...part });
      setErrors({});
      create.reset();
    },
  };
}

/** Sets up a run: prompts × models × cases, with an estimate. */
export function NewRunPage(props: NewRunPageProps) {
  const { project } = props;
  const { t } = useTranslation();
  useDocumentTitle(t("runs.new.title"), project.name);
  const form = useNewRun(props);
  if (!can(project.role, "runs.start") || project.archived_at !== null) {
    return (
      <EmptyState
        isPage
        icon={<ListChecks />}
        title={t("runs.new.title")}
        description={t("runs.empty.askEditor")}
      />
    );
  }
  return (
    <form
      noValidate
      className="grid gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        form.start();
      }}
    >
      <PageHeader title={t("runs.new.title")} description={t("runs.new.description")} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <RunForm
          slug={project.slug}
          draft={form.draft}
          onDraftChanged={form.change}
          errors={form.errors}
        />
        <div className="grid gap-4 lg:sticky lg:top-20">
          {form.problem === null ? null : <Alert tone="danger">{form.problem}</Alert>}
          <StartPanel slug={project.slug} request={form.request} isStarting={form.isStarting} />
        </div>
      </div>
    </form>
  );
}
