import { useState } from "react";
import { useTranslation } from "react-i18next";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import type { DatasetVariable } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Button } from "@/components/ui/button";
import { Drawer } from "@/components/ui/drawer";
import { toast } from "@/components/ui/toast";
import { CaseFormFields } from "./case-form";
import { fieldNames, readForm, toForm, toRequest, type FormErrors } from "./case-form-state";
import { DATASET } from "./queries";
import { FormFrame, unplacedMessage } from "./form-frame";
import { useFormWords } from "./use-form-words";
import { refusalOf } from "./use-save-case";

export interface NewCaseDrawerProps {
  at: DatasetAddress;
  variables: readonly DatasetVariable[];
  onClosed: () => void;
}

/** Adds cases one after the other: the drawer stays open. */
export function NewCaseDrawer({ at, variables, onClosed }: NewCaseDrawerProps) {
  const { t } = useTranslation();
  const words = useFormWords();
  const create = useChange("post", `${DATASET}/cases`, datasetPath(at));
  const empty = toForm(
    null,
    variables.map(({ name }) => name),
  );
  const [form, setForm] = useState(empty);
  const [errors, setErrors] = useState<FormErrors>({});
  const [message, setMessage] = useState<string | null>(null);
  const submit = async (isLast: boolean) => {
    const read = readForm(form, words);
    setErrors(read.ok ? {} : read.errors);
    setMessage(null);
    if (!read.ok || create.isPending) {
      return;
    }
    try {
      await create.mutateAsync({ body: toRequest(form, read.draft) });
      toast.success(t("datasets.added"));
      if (isLast) {
        onClosed();
      } else {
        const named = form.inputs.filter(({ isPresent }) => isPresent);
        setForm({ ...empty, inputs: named.map((field) => ({ ...field, text: "" })) });
      }
    } catch (error) {
      const refusal = refusalOf(error);
      setErrors(refusal.fields);
      setMessage(refusal.message ?? unplacedMessage(refusal.fields, fieldNames(form)));
    }
  };
  return (
    <Drawer
      open
      onOpenChanged={onClosed}
      title={t("datasets.add.title")}
      description={t("datasets.add.description")}
    >
      <FormFrame
        onSubmitted={() => void submit(true)}
        footer={
          <div className="ml-auto flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => void submit(false)}>
              {t("datasets.add.another")}
            </Button>
            <Button type="submit" loading={create.isPending}>
              {t("datasets.add.submit")}
            </Button>
          </div>
        }
      >
        <FormAlert message={message} />
        <CaseFormFields isNew editable form={form} onFormChanged={setForm} errors={errors} />
      </FormFrame>
    </Drawer>
  );
}
