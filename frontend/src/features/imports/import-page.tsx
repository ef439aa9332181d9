import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { useTranslation } from "react-i18next";
import { importFormatsQuery } from "@/api/imports";
import type { FileImport, ImportFormat } from "@/api/imports";
import type { Project } from "@/api/types";
import { FileDrop } from "@/components/file-drop";
import { ProblemState } from "@/components/problem-state";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Card, CardContent } from "@/components/ui/card";
import { PageHeader } from "@/components/ui/page-header";
import { Progress } from "@/components/ui/progress";
import { TableSkeleton } from "@/components/ui/skeleton";
import { Table } from "@/components/ui/table";
import { can } from "@/lib/permissions";
import { ImportChoices } from "./import-choices";
import { ImportParts } from "./import-parts";
import { useFileImport } from "./use-file-import";

const ACCEPTED = ".yaml,.yml,.json,.jsonl,.ndjson,.csv,.zip";
const PAGES = {
  prompt: "/p/$slug/prompts",
  dataset: "/p/$slug/datasets",
  scorer: "/p/$slug/scorers",
  model: "/p/$slug/models",
} as const;

function KnownFormats({ formats }: { formats: readonly ImportFormat[] }) {
  const { t } = useTranslation();
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">{t("imports.known")}</h2>
      <Table
        caption={t("imports.known")}
        columns={[
          {
            key: "format",
            header: t("imports.columns.format"),
            primary: true,
            cell: ({ title }) => <span className="font-medium">{title}</span>,
          },
          {
            key: "file",
            header: t("imports.columns.file"),
            cell: ({ description }) => description,
          },
          {
            key: "makes",
            header: t("imports.columns.makes"),
            cell: ({ makes }) => makes.map((kind) => t(`imports.kindsMany.${kind}`)).join(", "),
          },
        ]}
        rows={formats}
        rowKey={({ key }) => key}
      />
      <p className="text-xs text-ink-muted">{t("imports.knownHint")}</p>
    </section>
  );
}

function Imported({ slug, result }: { slug: string; result: FileImport }) {
  const { t } = useTranslation();
  const kinds = (Object.keys(PAGES) as (keyof typeof PAGES)[]).filter((kind) =>
    result.parts.some((part) => part.kind === kind),
  );
  return (
    <div className="grid gap-4">
      <Alert tone="success">{t("imports.done", { name: result.name })}</Alert>
      <div className="flex flex-wrap gap-2">
        {kinds.map((kind) => (
          <Button key={kind} asChild variant="secondary" size="sm">
            <Link to={PAGES[kind]} params={{ slug }}>
              {t(`imports.see.${kind}`)}
            </Link>
          </Button>
        ))}
      </div>
    </div>
  );
}

function ImportWork({ slug, formats }: { slug: string; formats: readonly ImportFormat[] }) {
  const { t } = useTranslation();
  const work = useFileImport(slug);
  const { file, preview, result, refusal, isReading, isStoring } = work;
  if (file === null) {
    return (
      <div className="grid gap-8">
        <FileDrop
          label={t("imports.drop")}
          browse={t("imports.browse")}
          hint={t("imports.hint")}
          accept={ACCEPTED}
          onChosen={work.choose}
        />
        <KnownFormats formats={formats} />
      </div>
    );
  }
  const isBusy = isReading || isStoring;
  const shown = result ?? preview;
  return (
    <Card>
      <CardContent className="grid gap-6 pt-5">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex min-w-0 items-center gap-2 text-sm font-medium">
            <FileText aria-hidden className="size-4 shrink-0 text-ink-muted" />
            <span className="wrap-anywhere">{file.name}</span>
          </p>
          <Button variant="ghost" size="sm" disabled={isBusy} onClick={work.forget}>
            {t("imports.another")}
          </Button>
        </div>
        {result === undefined ? (
          <ImportChoices
            slug={slug}
            formats={formats}
            choice={work.choice}
            preview={preview}
            disabled={isBusy}
            onChanged={work.change}
          />
        ) : (
          <Imported slug={slug} result={result} />
        )}
        {isBusy ? (
          <Progress
            label={t(isStoring ? "imports.importing" : "imports.reading", { name: file.name })}
            value={work.share >= 1 ? null : Math.round(work.share * 100)}
          />
        ) : null}
        {refusal === null ? null : (
          <Alert tone="danger" title={t("imports.refused")}>
            <span className="whitespace-pre-line">{refusal}</span>
          </Alert>
        )}
        {shown === null || isReading || refusal !== null ? null : (
          <ImportParts found={shown} isDone={result !== undefined} />
        )}
        {result !== undefined || preview === null || isReading || refusal !== null ? null : (
          <div>
            <Button loading={isStoring} disabled={preview.parts.length === 0} onClick={work.store}>
              {t("imports.confirm")}
            </Button>
          </div>
        )}
      </CardContent>
    </Card>
  );
}

/** Imports of files from other tools and other installations. */
export function ImportPage({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { slug } = project;
  const formats = useQuery(importFormatsQuery(slug));
  const isArchived = typeof project.archived_at === "string";
  return (
    <div className="grid gap-6">
      <PageHeader title={t("imports.title")} description={t("imports.description")} />
      {formats.isPending ? (
        <TableSkeleton rows={6} />
      ) : formats.isError ? (
        <ProblemState error={formats.error} onRetry={() => void formats.refetch()} />
      ) : !can(project.role, "settings.edit") || isArchived ? (
        <Alert tone="info">{t(isArchived ? "imports.archived" : "imports.notAllowed")}</Alert>
      ) : (
        <ImportWork slug={slug} formats={formats.data} />
      )}
    </div>
  );
}
