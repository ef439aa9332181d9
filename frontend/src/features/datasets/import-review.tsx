import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import type { CaseImport, ImportChange, ImportPreview, MappedColumn } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Progress } from "@/components/ui/progress";
import { RadioGroup } from "@/components/ui/radio-group";
import { formatNumber } from "@/lib/format";
import { datasetPath, type DatasetAddress } from "@/api/case-imports";
import { useChange } from "@/api/use-change";
import { ImportColumns } from "./import-columns";
import { ImportLayout } from "./import-layout";
import { expectedCases } from "./import-mapping";
import { ImportProblems } from "./import-problems";
import { IMPORT, progressQuery } from "./import-queries";
import { explain } from "./use-save-case";
import { parseTags } from "./values";

export interface ImportReviewProps {
  at: DatasetAddress;
  requiredVariables: readonly string[];
  uploaded: CaseImport;
  preview: ImportPreview;
  onChanged: (uploaded: CaseImport) => void;
  onCommitted: (committed: CaseImport) => void;
  onOtherFileWanted: () => void;
}

/** Errors about one field, or all errors when they name no field. */
function fieldMessage(error: unknown, field: string): string | null {
  if (error === null) {
    return null;
  }
  const found = asProblem(error).fields.filter((each) => each.field === field);
  return found.length === 0 ? null : found.map(({ message }) => message).join(" ");
}

function CommitProgress({ at, importId }: { at: DatasetAddress; importId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(progressQuery(at.slug, importId));
  const share = data === undefined || data.total === 0 ? null : data.done / data.total;
  return (
    <div className="mr-auto grid min-w-56 flex-1 gap-1.5" role="status">
      <span className="text-sm text-ink-muted">
        {share === null || share >= 1
          ? t("datasets.import.writing")
          : t("datasets.import.checked", {
              done: formatNumber(data?.done ?? 0),
              total: formatNumber(data?.total ?? 0),
            })}
      </span>
      <Progress
        label={t("datasets.import.writing")}
        value={share === null || share >= 1 ? null : Math.round(share * 100)}
      />
    </div>
  );
}

/** Import review: file layout, column mapping and row problems. */
export function ImportReview(props: ImportReviewProps) {
  const { at, uploaded, preview, onChanged, onCommitted, onOtherFileWanted } = props;
  const { t } = useTranslation();
  const path = { ...datasetPath(at), import_id: uploaded.id };
  const change = useChange("patch", IMPORT, path, { refresh: [] });
  const commit = useChange("post", `${IMPORT}/commit`, path);
  const [mapping, setMapping] = useState<MappedColumn[]>(preview.mapping);
  const [onBadRows, setOnBadRows] = useState<"stop" | "skip">("stop");
  const [skipsCopies, setSkipsCopies] = useState(false);
  const [tags, setTags] = useState("");
  const isChecked = JSON.stringify(mapping) === JSON.stringify(preview.mapping);
  const count = expectedCases(preview, skipsCopies);
  const isStopped = onBadRows === "stop" && preview.bad_rows > 0 && isChecked;
  const copies = preview.copies_in_file + preview.copies_in_dataset;
  const look = (wanted: ImportChange) => {
    commit.reset();
    change.mutate(
      { body: wanted },
      {
        onSuccess: (looked) => {
          setMapping(looked.preview?.mapping ?? []);
          onChanged(looked);
        },
      },
    );
  };
  const submit = () =>
    commit.mutate(
      {
        body: {
          mapping,
          on_bad_rows: onBadRows,
          skip_copies: skipsCopies,
          tags: parseTags(tags),
          required_variables: [...props.requiredVariables],
        },
      },
      { onSuccess: onCommitted },
    );
  const refusal = change.error ?? commit.error;
  const aboutMapping = fieldMessage(refusal, "mapping");
  const aboutTags = fieldMessage(refusal, "tags");
  const isElsewhere = refusal !== null && aboutMapping === null && aboutTags === null;
  return (
    <div className="grid gap-6">
      <ImportLayout preview={preview} isReading={change.isPending} onLayoutChanged={look} />
      <section className="grid gap-3" aria-labelledby="import-columns">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h3 id="import-columns" className="text-sm font-semibold">
            {t("datasets.import.columns")}
          </h3>
          {isChecked ? null : (
            <Button
              variant="secondary"
              size="sm"
              loading={change.isPending}
              onClick={() => look({ mapping })}
            >
              {t("datasets.import.checkAgain")}
            </Button>
          )}
        </div>
        {aboutMapping === null ? null : <Alert tone="danger">{aboutMapping}</Alert>}
        <ImportColumns preview={preview} mapping={mapping} onMappingChanged={setMapping} />
      </section>
      <section className="grid gap-3" aria-labelledby="import-rows">
        <h3 id="import-rows" className="text-sm font-semibold">
          {t("datasets.import.rows", {
            good: formatNumber(preview.good_rows),
            total: formatNumber(preview.row_count),
          })}
        </h3>
        {preview.bad_rows === 0 ? null : (
          <>
            <ImportProblems at={at} importId={uploaded.id} preview={preview} />
            <RadioGroup
              legend={t("datasets.import.onBadRows")}
              value={onBadRows}
              onValueChanged={setOnBadRows}
              className="[&_[role=radiogroup]]:sm:grid-cols-2"
              options={[
                {
                  value: "stop",
                  label: t("datasets.import.stop"),
                  description: t("datasets.import.stopHint"),
                },
                {
                  value: "skip",
                  label: t("datasets.import.skip", { count: preview.bad_rows }),
                  description: t("datasets.import.skipHint"),
                },
              ]}
            />
          </>
        )}
        {copies === 0 ? null : (
          <Checkbox
            label={t("datasets.import.skipCopies")}
            description={t("datasets.import.copies", {
              file: formatNumber(preview.copies_in_file),
              dataset: formatNumber(preview.copies_in_dataset),
            })}
            checked={skipsCopies}
            onCheckedChanged={setSkipsCopies}
          />
        )}
      </section>
      <Field
        label={t("datasets.import.tagAll")}
        hint={t("datasets.bulk.tagsHint")}
        error={aboutTags}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            value={tags}
            onChange={(event) => setTags(event.target.value)}
          />
        )}
      </Field>
      {isElsewhere ? <Alert tone="danger">{explain(refusal)}</Alert> : null}
      <DialogFooter>
        {commit.isPending ? (
          <CommitProgress at={at} importId={uploaded.id} />
        ) : isStopped ? (
          <p role="status" className="mr-auto text-sm text-ink-muted">
            {t("datasets.import.stopped", { count: preview.bad_rows })}
          </p>
        ) : null}
        <Button variant="ghost" disabled={commit.isPending} onClick={onOtherFileWanted}>
          {t("datasets.import.otherFile")}
        </Button>
        <Button
          disabled={count === 0 || isStopped || change.isPending}
          loading={commit.isPending}
          onClick={submit}
        >
          {t("datasets.import.submit", { count, number: formatNumber(count) })}
        </Button>
      </DialogFooter>
    </div>
  );
}
