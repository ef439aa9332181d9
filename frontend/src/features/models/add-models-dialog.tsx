import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credential, Model, Project } from "@/api/types";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { Tabs } from "@/components/ui/tabs";
import { ImportList } from "./import-list";
import { ModelByHand } from "./model-by-hand";

export interface AddModelsDialogProps {
  project: Project;
  models: readonly Model[];
  credentials: readonly Credential[];
  /** Credential id; falls back to the first one. */
  chosen: string;
  onChosenChanged: (credentialId: string) => void;
  onModelAdded: (model: Model) => void;
  onModelsImported: () => void;
  onClosed: () => void;
}

export function AddModelsDialog(props: AddModelsDialogProps) {
  const { project, models, credentials, onModelAdded, onClosed } = props;
  const { t } = useTranslation();
  const [tab, setTab] = useState<"list" | "hand">("list");
  const credential =
    credentials.find((candidate) => candidate.id === props.chosen) ?? credentials[0];
  if (credential === undefined) {
    return null;
  }
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("models.add.title")}
      description={t("models.add.description")}
    >
      <Field required label={t("models.add.credential")}>
        {(control) => (
          <Select
            {...control}
            value={credential.id}
            options={credentials.map(({ id, label }) => ({ value: id, label }))}
            onValueChanged={props.onChosenChanged}
          />
        )}
      </Field>
      <Tabs
        label={t("models.add.way")}
        value={tab}
        onValueChanged={setTab}
        tabs={[
          {
            value: "list",
            label: t("models.add.fromList"),
            content: (
              <ImportList
                key={credential.id}
                slug={project.slug}
                credentialId={credential.id}
                models={models}
                onDone={props.onModelsImported}
              />
            ),
          },
          {
            value: "hand",
            label: t("models.add.byHand"),
            content: (
              <ModelByHand
                slug={project.slug}
                credentialId={credential.id}
                onModelAdded={onModelAdded}
              />
            ),
          },
        ]}
      />
    </Dialog>
  );
}
