import { Play, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Credential, Model, Project } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { useParameterSchema } from "@/components/model-parameters/use-parameter-schema";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Drawer } from "@/components/ui/drawer";
import { toast } from "@/components/ui/toast";
import { can } from "@/lib/permissions";
import { checkModel, draftOf, placeRefusal, toChange, type ModelRefusal } from "./model-draft";
import { ModelForm } from "./model-form";
import { MODEL } from "./queries";

export interface ModelDrawerProps {
  project: Project;
  model: Model;
  credential: Credential | undefined;
  onTryWanted: () => void;
  onClosed: () => void;
}

function DeleteButton({ project, model, onClosed }: ModelDrawerProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  const remove = useChange("delete", MODEL, {
    project: project.slug,
    model_id: model.id,
  });
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        {t("models.delete.action")}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChanged={(open) => {
          remove.reset();
          setAsking(open);
        }}
        title={t("models.delete.title", { name: model.display_name })}
        description={t("models.delete.body")}
        confirmLabel={t("models.delete.action")}
        loading={remove.isPending}
        error={remove.error === null ? null : problemMessage(remove.error)}
        onConfirmed={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              toast.success(t("models.delete.done", { name: model.display_name }));
              onClosed();
            },
          })
        }
      />
    </>
  );
}

const NOTHING_WRONG: ModelRefusal = { errors: {}, message: null };

function useModelForm({ project, model, onClosed }: ModelDrawerProps) {
  const { t } = useTranslation();
  const save = useChange("patch", MODEL, {
    project: project.slug,
    model_id: model.id,
  });
  const [draft, setDraft] = useState(() => draftOf(model));
  const [refusal, setRefusal] = useState(NOTHING_WRONG);
  const { schema } = useParameterSchema(project.slug, model, {
    current: draft.parameters,
    capabilities: draft.capabilities,
  });
  const form = useRef<HTMLFormElement>(null);
  const change = toChange(draft, model);
  const isDirty = Object.keys(change).length > 0;
  useEffect(() => {
    if (refusal !== NOTHING_WRONG) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    }
  }, [refusal]);
  const submit = async () => {
    const errors = checkModel(draft, schema);
    if (Object.keys(errors).length > 0) {
      setRefusal({ errors, message: null });
      return;
    }
    setRefusal(NOTHING_WRONG);
    try {
      await save.mutateAsync({ body: change });
      toast.success(t("models.saved", { name: draft.displayName.trim() }));
      onClosed();
    } catch (error) {
      setRefusal(placeRefusal(error));
    }
  };
  return { form, draft, setDraft, refusal, isDirty, isSaving: save.isPending, submit };
}

export function ModelDrawer(props: ModelDrawerProps) {
  const { project, model, credential, onTryWanted, onClosed } = props;
  const { t } = useTranslation();
  const { form, draft, setDraft, refusal, isDirty, isSaving, submit } = useModelForm(props);
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const editable = can(project.role, "models.manage");
  const leave = (next: () => void) => (isDirty ? setLeaving(() => next) : next());
  return (
    <Drawer
      open
      onOpenChanged={() => leave(onClosed)}
      className="max-w-2xl"
      title={
        <span className="flex flex-wrap items-center gap-2.5">
          {model.display_name}
          {model.is_simulated ? <SimulatedBadge /> : null}
        </span>
      }
      description={
        <>
          <code className="text-xs wrap-anywhere">{model.provider_model}</code>
          {" · "}
          {[model.provider_title, credential?.label].filter(Boolean).join(" · ")}
        </>
      }
    >
      <form
        ref={form}
        noValidate
        className="grid gap-6"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving) {
            void submit();
          }
        }}
      >
        <FormAlert message={refusal.message} />
        <ModelForm
          slug={project.slug}
          model={model}
          draft={draft}
          onDraftChanged={setDraft}
          errors={refusal.errors}
          editable={editable}
        />
        <div className="sticky -bottom-5 -mx-6 -mb-5 flex flex-wrap items-center gap-2 border-t border-border bg-raised px-6 py-4">
          {editable ? <DeleteButton {...props} /> : null}
          <div className="ml-auto flex flex-wrap gap-2">
            {can(project.role, "models.try") ? (
              <Button variant="secondary" onClick={() => leave(onTryWanted)}>
                <Play aria-hidden />
                {t("models.try.action")}
              </Button>
            ) : null}
            {editable ? (
              <Button type="submit" disabled={!isDirty} loading={isSaving}>
                {t("ui.save")}
              </Button>
            ) : null}
          </div>
        </div>
      </form>
      <ConfirmDialog
        open={leaving !== null}
        onOpenChanged={() => setLeaving(null)}
        title={t("unsaved.title")}
        description={t("models.unsaved")}
        confirmLabel={t("ui.discard")}
        cancelLabel={t("unsaved.stay")}
        onConfirmed={() => leaving?.()}
      />
    </Drawer>
  );
}
