import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CaseRequest } from "@/api/types";
import { FieldError } from "@/components/ui/field";
import { Segmented } from "@/components/ui/segmented";
import { StepBody, StepSection } from "../step-section";
import type { StepProps } from "../wizard-step";
import { AmountFields } from "./amount-fields";
import { CaseTable } from "./case-table";
import { CaseTools } from "./case-tools";
import { DatasetFields } from "./dataset-fields";
import { findGaps } from "./inline-cases";
import { usePromptVariables } from "./prompt-variables";
import { VariableCheck } from "./variable-check";

function WrittenCases(props: StepProps<"data"> & { variables: readonly string[] }) {
  const { part, errors, variables, onChanged } = props;
  const { t } = useTranslation();
  const { cases } = part;
  const change = (index: number, next: Partial<CaseRequest> | null) =>
    onChanged({
      cases:
        next === null
          ? cases.toSpliced(index, 1)
          : cases.map((each, at) => (at === index ? { ...each, ...next } : each)),
    });
  return (
    <div className="grid gap-4">
      {cases.length === 0 ? (
        <p className="text-sm text-ink-muted">{t("wizard.data.none")}</p>
      ) : (
        <VariableCheck {...findGaps(variables, cases)} />
      )}
      <CaseTable
        cases={cases}
        variables={variables}
        onCaseChanged={change}
        onCaseAdded={(added) => onChanged({ cases: [...cases, added] })}
      />
      {errors.dataset_id === undefined && errors.cases === undefined ? null : (
        <FieldError>{errors.dataset_id ?? errors.cases}</FieldError>
      )}
    </div>
  );
}

/** Step: test cases. */
export function DataStep(props: StepProps<"data">) {
  const { slug, draft, part, editable, onChanged } = props;
  const { t } = useTranslation();
  const variables = usePromptVariables(slug, draft.prompt) ?? [];
  const [wantsDataset, setWantsDataset] = useState(false);
  const source = part.dataset_id !== null || wantsDataset ? "dataset" : "written";
  const choose = (next: "dataset" | "written") => {
    setWantsDataset(next === "dataset");
    if (next === "written" && part.dataset_id !== null) {
      onChanged({ dataset_id: null, tag: null });
    }
  };
  return (
    <StepBody editable={editable}>
      <StepSection
        title={t("wizard.data.title")}
        description={
          variables.length === 0
            ? t("wizard.data.noVariables")
            : t("wizard.data.hint", { names: variables.join(", ") })
        }
        actions={
          <Segmented
            label={t("wizard.data.source")}
            value={source}
            options={[
              { value: "written", label: t("wizard.data.written") },
              { value: "dataset", label: t("wizard.data.fromDataset") },
            ]}
            onValueChanged={choose}
          />
        }
      >
        {editable ? <CaseTools {...props} variables={variables} /> : null}
        {source === "dataset" ? (
          <DatasetFields {...props} variables={variables} />
        ) : (
          <WrittenCases {...props} variables={variables} />
        )}
      </StepSection>
      <AmountFields {...props} />
    </StepBody>
  );
}
