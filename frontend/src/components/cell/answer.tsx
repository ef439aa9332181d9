import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OutputDetail } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Segmented } from "@/components/ui/segmented";
import { failureLabel, malformationLabel } from "@/lib/failures";
import { formatNumber } from "@/lib/format";
import { TextBlock } from "./text-block";
import { WordDiff } from "./word-diff";

type Form = "parsed" | "raw";
type ExpectedView = "difference" | "text";

/** The expected answer, alone or as a diff against the actual answer. */
function Expected({ expected, answer }: { expected: string; answer: string | null }) {
  const { t } = useTranslation();
  const [way, setWay] = useState<ExpectedView>("difference");
  const hasBoth = answer !== null && answer !== "";
  return (
    <TextBlock
      label={t("runs.dialog.expected")}
      text={expected}
      actions={
        hasBoth ? (
          <Segmented
            label={t("runs.dialog.as.label")}
            value={way}
            options={(["difference", "text"] as const).map((value) => ({
              value,
              label: t(`runs.dialog.as.${value}`),
            }))}
            onValueChanged={setWay}
          />
        ) : null
      }
    >
      {hasBoth && way === "difference" ? <WordDiff before={expected} after={answer} /> : undefined}
    </TextBlock>
  );
}

/** Why the call failed or what is wrong with the answer, and the provider's own words. */
function Trouble({ output }: { output: OutputDetail }) {
  const { t } = useTranslation();
  const { status, error, message, provider_text: said, provenance } = output;
  const limit = provenance.parameters.max_tokens;
  const failure = error === null ? t("runs.cell.error") : failureLabel(error);
  return (
    <>
      {status === "ok" ? null : (
        <Alert
          live={false}
          tone={status === "error" ? "danger" : "warning"}
          title={status === "malformed" ? malformationLabel(error) : failure}
        >
          {message ?? t("runs.dialog.noMessage")}
        </Alert>
      )}
      {output.finish_reason === "length" ? (
        <Alert live={false} tone="warning" title={t("runs.cell.cutOff")}>
          {typeof limit === "number"
            ? t("runs.dialog.cutOff", { limit: formatNumber(limit) })
            : t("runs.dialog.cutOffUnknown")}
        </Alert>
      ) : null}
      {said === null ? null : <TextBlock label={t("runs.dialog.providerText")} text={said} />}
    </>
  );
}

export interface AnswerProps {
  output: OutputDetail;
  /** Null when the case has no expected answer. */
  expected: string | null;
}

/** The raw answer, and the extracted part where it differs. */
export function Answer({ output, expected }: AnswerProps) {
  const { t } = useTranslation();
  const [form, setForm] = useState<Form>("parsed");
  const { text, parsed } = output;
  const hasBoth = text !== null && parsed !== null && parsed !== text;
  const shown = hasBoth && form === "parsed" ? parsed : text;
  return (
    <div className="grid gap-3">
      <Trouble output={output} />
      {shown === null ? null : (
        <TextBlock
          label={t("runs.dialog.answer")}
          text={shown}
          actions={
            hasBoth ? (
              <Segmented
                label={t("runs.dialog.form")}
                value={form}
                options={[
                  { value: "parsed", label: t("runs.dialog.parsed") },
                  { value: "raw", label: t("runs.dialog.raw") },
                ]}
                onValueChanged={setForm}
              />
            ) : null
          }
        />
      )}
      {expected === null ? null : <Expected expected={expected} answer={shown} />}
      {output.tool_calls.length === 0 ? null : (
        <TextBlock
          label={t("runs.dialog.toolCalls")}
          text={JSON.stringify(output.tool_calls, null, 2)}
        />
      )}
    </div>
  );
}
