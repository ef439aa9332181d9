import { useTranslation } from "react-i18next";
import type { Model } from "@/api/types";
import { PriceText } from "@/components/model-prices/price-text";
import type { FieldErrors } from "@/components/schema-form/validate";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Switch } from "@/components/ui/switch";
import { formatNumber, formatPrice } from "@/lib/format";
import { PRICE_FIELDS, type ModelDraft } from "./model-draft";

export interface PriceFieldsProps {
  model: Model;
  draft: ModelDraft;
  onDraftChanged: (draft: ModelDraft) => void;
  errors: FieldErrors;
  editable: boolean;
}

/** Source of the prices, and tiers by call size. */
function Source({ model }: { model: Model }) {
  const { t } = useTranslation();
  const { prices } = model;
  return (
    <div className="grid gap-1 text-sm">
      <PriceText prices={prices} />
      <p className="text-xs text-ink-muted">
        {t(`models.prices.sources.${prices.source}`, { version: prices.version ?? "" })}
      </p>
      {prices.tiers.map((tier) => (
        <p key={tier.above_input_tokens} className="text-xs text-ink-muted">
          {t("models.prices.tier", {
            tokens: formatNumber(tier.above_input_tokens),
            input: formatPrice(tier.input_usd_per_million, "million"),
            output: formatPrice(tier.output_usd_per_million, "million"),
          })}
        </p>
      ))}
    </div>
  );
}

export function PriceFields({ model, draft, onDraftChanged, errors, editable }: PriceFieldsProps) {
  const { t } = useTranslation();
  // An unknown price cannot be reset.
  const canReset = model.prices.source !== "unknown";
  return (
    <div className="grid gap-4">
      {draft.hasOwnPrices && model.prices.source !== "unknown" ? null : <Source model={model} />}
      {editable && canReset ? (
        <Switch
          label={t("models.prices.own")}
          description={t("models.prices.ownHint")}
          checked={draft.hasOwnPrices}
          onCheckedChanged={(hasOwnPrices) => onDraftChanged({ ...draft, hasOwnPrices })}
        />
      ) : null}
      {draft.hasOwnPrices ? (
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {PRICE_FIELDS.map((name) => (
            <Field
              key={name}
              required={name !== "cached_input_usd_per_million" && canReset}
              label={t(`models.prices.fields.${name}`)}
              error={errors[name]}
            >
              {(control) => (
                <div className="relative">
                  <span className="pointer-events-none absolute inset-y-0 left-3 flex items-center text-xs text-ink-muted">
                    $
                  </span>
                  <Input
                    {...control}
                    inputMode="decimal"
                    autoComplete="off"
                    className="pl-6 tabular-nums"
                    readOnly={!editable}
                    value={draft.prices[name]}
                    onChange={(event) =>
                      onDraftChanged({
                        ...draft,
                        prices: { ...draft.prices, [name]: event.target.value },
                      })
                    }
                  />
                </div>
              )}
            </Field>
          ))}
          <p className="text-xs text-ink-muted sm:col-span-3">
            {t("models.prices.perMillionHint")}
          </p>
        </div>
      ) : null}
    </div>
  );
}
