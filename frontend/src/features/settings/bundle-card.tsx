import { FileUp } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { bundleAddress, ON_EXISTING, type OnExisting } from "@/api/bundles";
import type { BundleImport, Project } from "@/api/types";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { DownloadMenu } from "@/components/ui/download-menu";
import { Field } from "@/components/ui/field";
import { Progress } from "@/components/ui/progress";
import { Select } from "@/components/ui/select";
import { can } from "@/lib/permissions";
import { useImportBundle } from "./use-import-bundle";

const KINDS = ["prompt", "dataset", "model", "scorer", "rubric", "experiment"] as const;

function Names({ title, found }: { title: string; found: BundleImport["created"] }) {
  const { t } = useTranslation();
  const known = KINDS.flatMap((kind) => found.filter((each) => each.kind === kind));
  if (known.length === 0) {
    return null;
  }
  return (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="list-disc pl-5">
        {known.map(({ kind, names }) => (
          <li key={kind} className="wrap-anywhere">
            {t(`settings.bundles.kinds.${kind as (typeof KINDS)[number]}`)}: {names.join(", ")}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Imported({ result }: { result: BundleImport }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <Alert tone="success" title={t("settings.bundles.done", { name: result.name })}>
        <div className="grid gap-2">
          <Names title={t("settings.bundles.created")} found={result.created} />
          <Names title={t("settings.bundles.skipped")} found={result.skipped} />
          {result.runs === 0 ? null : <p>{t("settings.bundles.runs", { count: result.runs })}</p>}
        </div>
      </Alert>
      {result.needs_credential.length === 0 ? null : (
        <Alert tone="warning">
          {t("settings.bundles.needsCredential", { names: result.needs_credential.join(", ") })}
        </Alert>
      )}
    </div>
  );
}

function ImportFields({ slug }: { slug: string }) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [existing, setExisting] = useState<OnExisting>("refuse");
  const { sending, result, refusal, send } = useImportBundle(slug);
  return (
    <div className="grid gap-4 border-t border-border pt-5">
      <div className="flex flex-wrap items-end gap-4">
        <Field required label={t("settings.bundles.existing")} className="min-w-64 flex-1">
          {(control) => (
            <Select
              {...control}
              value={existing}
              options={ON_EXISTING.map((value) => ({
                value,
                label: t(`settings.bundles.existingChoices.${value}`),
              }))}
              onValueChanged={setExisting}
            />
          )}
        </Field>
        <Button
          variant="secondary"
          loading={sending !== null}
          onClick={() => input.current?.click()}
        >
          <FileUp aria-hidden />
          {t("settings.bundles.import")}
        </Button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".zip,application/zip"
          aria-label={t("settings.bundles.import")}
          onChange={(event) => {
            const file = event.target.files?.[0];
            event.target.value = "";
            if (file !== undefined) {
              send(file, existing);
            }
          }}
        />
      </div>
      {sending === null ? null : (
        <Progress
          label={t("settings.bundles.importing", { name: sending.name })}
          value={sending.share >= 1 ? null : Math.round(sending.share * 100)}
        />
      )}
      {refusal === null ? null : (
        <Alert tone="danger" title={t("settings.bundles.refused")}>
          {refusal}
        </Alert>
      )}
      {result === undefined ? null : <Imported result={result} />}
    </div>
  );
}

/** Export of the project, and import of bundles into it. */
export function BundleCard({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { slug } = project;
  const mayImport = can(project.role, "settings.edit") && typeof project.archived_at !== "string";
  return (
    <Card aria-labelledby="bundles-heading">
      <CardHeader
        id="bundles-heading"
        title={t("settings.bundles.title")}
        description={t("settings.bundles.description")}
      />
      <CardContent className="grid gap-5">
        <div>
          <DownloadMenu
            label={t("settings.bundles.export")}
            files={[
              {
                label: t("settings.bundles.withoutRuns"),
                address: bundleAddress(slug, { kind: "project" }),
              },
              {
                label: t("settings.bundles.withRuns"),
                address: bundleAddress(slug, { kind: "project", runs: true }),
              },
            ]}
          />
        </div>
        {mayImport ? <ImportFields slug={slug} /> : null}
      </CardContent>
    </Card>
  );
}
