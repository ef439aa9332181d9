import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OptimizationSummary } from "@/api/types";
import { DialogForm } from "@/components/dialog-form";
import { LoadError } from "@/components/load-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { optimizationChoicesQuery } from "../queries";

export interface CompareWithDialogProps {
  slug: string;
  row: OptimizationSummary;
  onClosed: () => void;
  onChosen: (otherId: string) => void;
}

/** Picker of the optimization to compare with. */
export function CompareWithDialog({ slug, row, onClosed, onChosen }: CompareWithDialogProps) {
  const { t } = useTranslation();
  const choices = useQuery(optimizationChoicesQuery(slug));
  const [chosen, setChosen] = useState("");
  const others = (choices.data ?? []).filter(({ id }) => id !== row.id);
  const isAlone = choices.isSuccess && others.length === 0;
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      width="sm"
      title={t("optimizations.compare.choose", { name: row.name })}
      description={t(
        isAlone ? "optimizations.compare.noOther" : "optimizations.compare.chooseHint",
      )}
    >
      <DialogForm
        submitLabel={t("optimizations.compare.now")}
        isSaving={false}
        disabled={chosen === ""}
        onCancelled={onClosed}
        onSubmitted={() => onChosen(chosen)}
      >
        <LoadError queries={[choices]} />
        {isAlone ? null : (
          <Field required label={t("optimizations.compare.other")}>
            {(control) => (
              <Select
                {...control}
                value={chosen}
                placeholder={t("schemaForm.choose")}
                options={others.map(({ id, name, prompt, strategy }) => ({
                  value: id,
                  label: name,
                  description: `${prompt.name} · ${strategy}`,
                }))}
                onValueChanged={setChosen}
              />
            )}
          </Field>
        )}
      </DialogForm>
    </Dialog>
  );
}
