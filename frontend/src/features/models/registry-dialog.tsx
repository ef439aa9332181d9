import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "@/api/keys";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { ask } from "@/api/queries";
import { useChange } from "@/api/use-change";
import { DialogForm } from "@/components/dialog-form";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { toast } from "@/components/ui/toast";
import { useDebounced } from "@/lib/hooks";

const REGISTRY = "/projects/{project}/model-registry";
const LARGEST_FILE = 1_000_000;
const EXAMPLE = `models:
  - name: House model
    model: llama-3.1-8b
    base_url: https://models.example.org/v1
    api_key_env: HOUSE_KEY
    prices: { input: 0.0025, output: 0.01, unit: per_1000_tokens }`;

export interface RegistryDialogProps {
  slug: string;
  /** Whether the user may import. */
  editable: boolean;
  onClosed: () => void;
}

/** Every problem with the field it is about. */
function problemText(error: unknown): string {
  const { fields } = asProblem(error);
  return fields.length === 0
    ? problemMessage(error)
    : fields.map(({ field, message }) => `${field}: ${message}`).join("; ");
}

function ExportLinks({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-wrap items-center gap-3">
      {(["yaml", "json"] as const).map((format) => (
        <Button key={format} asChild variant="secondary" size="sm">
          <a
            href={`/api/v1/projects/${encodeURIComponent(slug)}/model-registry?format=${format}`}
            download
          >
            <Download aria-hidden />
            {t("registry.download", { format: format.toUpperCase() })}
          </a>
        </Button>
      ))}
    </div>
  );
}

function Preview({ slug, content }: { slug: string; content: string }) {
  const { t } = useTranslation();
  const found = useQuery(
    ask(
      `${REGISTRY}/preview`,
      { project: slug, body: { content } },
      { enabled: content !== "", retry: false },
    ),
  );
  if (content === "" || found.isPending) {
    return null;
  }
  if (found.isError) {
    return <Alert tone="danger">{problemText(found.error)}</Alert>;
  }
  const { created, skipped, credentials } = found.data;
  return (
    <div role="status" className="grid gap-1 text-sm">
      <p>{t("registry.created", { count: created.length, names: created.join(", ") })}</p>
      {skipped.length === 0 ? null : (
        <p className="text-ink-muted">{t("registry.skipped", { names: skipped.join(", ") })}</p>
      )}
      {credentials.length === 0 ? null : (
        <p className="text-ink-muted">
          {t("registry.credentials", { names: credentials.join(", ") })}
        </p>
      )}
    </div>
  );
}

/** Imports models from a YAML or JSON file, and exports those of the project. */
export function RegistryDialog({ slug, editable, onClosed }: RegistryDialogProps) {
  const { t } = useTranslation();
  const [content, setContent] = useState("");
  const settled = useDebounced(content.trim());
  const add = useChange(
    "post",
    REGISTRY,
    { project: slug },
    { also: [keys.models(slug), keys.credentials(slug)] },
  );
  return (
    <Dialog
      open
      onOpenChanged={onClosed}
      closeOnOutside={false}
      width="lg"
      title={t("registry.title")}
      description={t("registry.description")}
    >
      {editable ? (
        <DialogForm
          submitLabel={t("registry.import")}
          isSaving={add.isPending}
          disabled={content.trim() === ""}
          message={add.isError ? problemText(add.error) : null}
          onCancelled={onClosed}
          onSubmitted={() =>
            add.mutate(
              { body: { content } },
              {
                onSuccess: ({ created }) => {
                  toast.success(t("registry.done", { count: created.length }));
                  onClosed();
                },
              },
            )
          }
        >
          <ExportLinks slug={slug} />
          <Field label={t("registry.file")}>
            {(control) => (
              <Input
                {...control}
                type="file"
                className="py-2"
                accept=".yaml,.yml,.json"
                onChange={(event) => {
                  const file = event.target.files?.[0];
                  if (file !== undefined && file.size <= LARGEST_FILE) {
                    void file.text().then(setContent);
                  }
                }}
              />
            )}
          </Field>
          <Field required label={t("registry.content")} hint={t("registry.hint")}>
            {(control) => (
              <Textarea
                {...control}
                rows={10}
                spellCheck={false}
                className="font-mono text-xs"
                placeholder={EXAMPLE}
                value={content}
                onChange={(event) => setContent(event.target.value)}
              />
            )}
          </Field>
          <Preview slug={slug} content={settled} />
        </DialogForm>
      ) : (
        <ExportLinks slug={slug} />
      )}
    </Dialog>
  );
}
