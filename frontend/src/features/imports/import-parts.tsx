import { useTranslation } from "react-i18next";
import type { FileImport } from "@/api/imports";
import { Alert } from "@/components/ui/alert";
import { Table, type Column } from "@/components/ui/table";

type Part = FileImport["parts"][number];
type LeftOut = FileImport["left_out"][number];

type Kind = "prompt" | "dataset" | "scorer" | "model" | "rubric" | "experiment" | "monitor";

function Contents({ part }: { part: Part }) {
  const { t } = useTranslation();
  if (part.is_existing) {
    return <span className="text-ink-muted">{t("imports.existing")}</span>;
  }
  if (typeof part.count !== "number") {
    return <span className="text-ink-subtle">–</span>;
  }
  const { count } = part;
  return part.kind === "dataset"
    ? t("imports.cases", { count })
    : t("imports.assertions", { count });
}

/** What each part of the file becomes. */
function Becomes({ title, parts }: { title: string; parts: readonly Part[] }) {
  const { t } = useTranslation();
  const columns: Column<Part>[] = [
    {
      key: "name",
      header: t("imports.columns.name"),
      primary: true,
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
    },
    {
      key: "kind",
      header: t("imports.columns.kind"),
      cell: ({ kind }) => t(`imports.kinds.${kind as Kind}`),
    },
    {
      key: "source",
      header: t("imports.columns.source"),
      cell: ({ source }) => <span className="wrap-anywhere text-ink-muted">{source}</span>,
    },
    {
      key: "count",
      header: t("imports.columns.count"),
      cell: (part) => <Contents part={part} />,
      className: "lg:whitespace-nowrap",
    },
  ];
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      <Table
        caption={title}
        columns={columns}
        rows={parts}
        rowKey={({ kind, name, source }) => `${kind} ${name} ${source}`}
      />
    </section>
  );
}

/** What the project cannot hold, with the reason. */
function NotImported({ found }: { found: readonly LeftOut[] }) {
  const { t } = useTranslation();
  const columns: Column<LeftOut>[] = [
    {
      key: "what",
      header: t("imports.columns.what"),
      primary: true,
      cell: ({ what, count }) => (
        <span className="wrap-anywhere">
          {what}
          {count === 1 ? null : (
            <span className="text-ink-muted"> · {t("imports.times", { count })}</span>
          )}
        </span>
      ),
    },
    {
      key: "reason",
      header: t("imports.columns.reason"),
      cell: ({ reason }) => <span className="wrap-anywhere">{reason}</span>,
    },
    {
      key: "place",
      header: t("imports.columns.place"),
      cell: ({ place }) => <span className="wrap-anywhere text-ink-muted">{place ?? "–"}</span>,
    },
  ];
  return (
    <section className="grid gap-2">
      <h2 className="text-sm font-semibold">{t("imports.leftOut")}</h2>
      <Table
        caption={t("imports.leftOut")}
        columns={columns}
        rows={found}
        rowKey={({ what, reason, place }) => `${what} ${reason} ${place ?? ""}`}
      />
    </section>
  );
}

/** A preview, or the result of an import. */
export function ImportParts({ found, isDone }: { found: FileImport; isDone: boolean }) {
  const { t } = useTranslation();
  const { parts, left_out, copies, runs, needs_credential } = found;
  return (
    <div className="grid gap-5">
      {parts.length === 0 ? (
        <Alert tone="info">{t("imports.nothing")}</Alert>
      ) : (
        <Becomes title={t(isDone ? "imports.became" : "imports.becomes")} parts={parts} />
      )}
      {runs === 0 ? null : <p className="text-sm">{t("imports.runs", { count: runs })}</p>}
      {copies === 0 ? null : (
        <p className="text-sm text-ink-muted">{t("imports.copies", { count: copies })}</p>
      )}
      {needs_credential.length === 0 ? null : (
        <Alert tone="warning">
          {t("imports.needsCredential", { names: needs_credential.join(", ") })}
        </Alert>
      )}
      {left_out.length === 0 ? null : <NotImported found={left_out} />}
    </div>
  );
}
