import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { knownModelQuery } from "@/api/models";
import { asProblem } from "@/api/problem";
import type { KnownModel, Model } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { PriceText } from "@/components/model-prices/price-text";
import { Button } from "@/components/ui/button";
import { DialogFooter } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { toast } from "@/components/ui/toast";
import { formatNumber } from "@/lib/format";
import { useDebounced } from "@/lib/hooks";
import { placeRefusal } from "./model-draft";

function Facts({ known }: { known: KnownModel }) {
  const { t } = useTranslation();
  const { prices, context_window: window } = known;
  return (
    <dl className="grid grid-cols-[8rem_1fr] gap-x-4 gap-y-1.5 rounded-lg bg-surface px-4 py-3 text-sm">
      <dt className="text-ink-muted">{t("models.prices.title")}</dt>
      <dd>
        <PriceText prices={prices} />{" "}
        <span className="text-xs text-ink-muted">
          {t(`models.prices.sources.${prices.source}`, { version: prices.version ?? "" })}
        </span>
      </dd>
      <dt className="text-ink-muted">{t("models.columns.context")}</dt>
      <dd className="tabular-nums">
        {window === null
          ? t("models.unknown")
          : t("models.tokens", { tokens: formatNumber(window) })}
      </dd>
    </dl>
  );
}

export interface ModelByHandProps {
  slug: string;
  credentialId: string;
  onModelAdded: (model: Model) => void;
}

/** Adds a model missing from the provider's list, prefilled with known properties. */
export function ModelByHand({ slug, credentialId, onModelAdded }: ModelByHandProps) {
  const { t } = useTranslation();
  const create = useChange("post", "/projects/{project}/models", { project: slug });
  const [name, setName] = useState("");
  const [displayName, setDisplayName] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const settled = useDebounced(name.trim(), 400);
  const known = useQuery({
    ...knownModelQuery(slug, credentialId, settled),
    enabled: settled !== "",
  });
  const refusal = create.error === null ? null : placeRefusal(create.error);
  const nameProblem =
    create.error === null
      ? undefined
      : asProblem(create.error).fields.find((entry) => entry.field === "provider_model")?.message;
  const submit = () => {
    setIsMissing(name.trim() === "");
    if (name.trim() === "" || create.isPending) {
      return;
    }
    create.mutate(
      {
        body: {
          credential_id: credentialId,
          provider_model: name.trim(),
          display_name: displayName.trim() === "" ? null : displayName.trim(),
          is_enabled: true,
          is_default: false,
        },
      },
      {
        onSuccess: (model) => {
          toast.success(t("models.add.added", { name: model.display_name }));
          onModelAdded(model);
        },
      },
    );
  };
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormAlert message={nameProblem === undefined ? (refusal?.message ?? null) : null} />
      <Field
        required
        label={t("models.fields.providerModel")}
        hint={t("models.fields.providerModelHint")}
        error={isMissing && name.trim() === "" ? t("schemaForm.required") : nameProblem}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      {settled !== "" && known.data !== undefined ? <Facts known={known.data} /> : null}
      <Field
        label={t("models.fields.displayName")}
        hint={t("models.fields.displayNameHint")}
        error={refusal?.errors.display_name}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            placeholder={settled === "" ? "" : (known.data?.display_name ?? "")}
            value={displayName}
            onChange={(event) => setDisplayName(event.target.value)}
          />
        )}
      </Field>
      <DialogFooter>
        <Button type="submit" loading={create.isPending}>
          {t("models.add.submit")}
        </Button>
      </DialogFooter>
    </form>
  );
}
