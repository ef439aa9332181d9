import { Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Model } from "@/api/types";
import { useChange } from "@/api/use-change";
import { PriceText } from "@/components/model-prices/price-text";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { AvailabilityBadge, type AvailabilityBadgeProps } from "./availability";
import { MODEL } from "./queries";

export interface CellProps {
  slug: string;
  model: Model;
  editable: boolean;
}

interface NameCellProps extends AvailabilityBadgeProps {
  onOpened: () => void;
}

export function NameCell({ model, found, onOpened }: NameCellProps) {
  return (
    <div className="grid min-w-0 gap-0.5 text-left">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <button
          type="button"
          onClick={onOpened}
          className={cn(
            "min-w-0 rounded-sm text-left font-medium wrap-anywhere hover:text-accent-ink hover:underline",
            !model.is_enabled && "text-ink-muted",
          )}
        >
          {model.display_name}
        </button>
        {model.is_simulated ? <SimulatedBadge /> : null}
        <AvailabilityBadge model={model} found={found} />
      </span>
      <code className="text-xs wrap-anywhere text-ink-muted">{model.provider_model}</code>
    </div>
  );
}

/** The star marks the default model. */
export function DefaultCell({ slug, model, editable }: CellProps) {
  const { t } = useTranslation();
  const change = useChange("patch", MODEL, {
    project: slug,
    model_id: model.id,
  });
  if (!editable) {
    return model.is_default ? (
      <span className="inline-flex items-center p-2">
        <Star aria-hidden className="size-4 fill-current text-accent-ink" />
        <span className="sr-only">{t("models.default")}</span>
      </span>
    ) : null;
  }
  const label = model.is_default
    ? t("models.isDefault", { name: model.display_name })
    : t("models.makeDefault", { name: model.display_name });
  return (
    <Tooltip content={model.is_default ? t("models.default") : t("models.makeDefaultShort")}>
      <Button
        variant="ghost"
        size="sm"
        iconOnly
        aria-label={label}
        aria-pressed={model.is_default}
        loading={change.isPending}
        onClick={() => {
          if (!model.is_default) {
            change.mutate(
              { body: { is_default: true } },
              {
                onSuccess: () =>
                  toast.success(t("models.madeDefault", { name: model.display_name })),
                onError: (error) => toast.error(problemMessage(error)),
              },
            );
          }
        }}
      >
        <Star
          aria-hidden
          className={model.is_default ? "fill-current text-accent-ink" : "text-ink-decor"}
        />
      </Button>
    </Tooltip>
  );
}

export function PriceCell({
  model,
  editable,
  onPriceWanted,
}: Omit<CellProps, "slug"> & { onPriceWanted: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2">
      <PriceText prices={model.prices} />
      {model.prices.source === "unknown" && editable ? (
        <button
          type="button"
          onClick={onPriceWanted}
          className="rounded-sm text-xs whitespace-nowrap text-accent-ink underline underline-offset-4"
        >
          {t("models.prices.set")} <span className="sr-only">{model.display_name}</span>
        </button>
      ) : null}
    </span>
  );
}

export function EnabledCell({ slug, model, editable }: CellProps) {
  const { t } = useTranslation();
  const change = useChange("patch", MODEL, {
    project: slug,
    model_id: model.id,
  });
  return (
    <div className="flex items-center max-lg:justify-end">
      <Switch
        hideLabel
        label={t("models.enabledOf", { name: model.display_name })}
        checked={change.isPending ? (change.variables.body.is_enabled ?? false) : model.is_enabled}
        disabled={!editable}
        onCheckedChanged={(is_enabled) =>
          change.mutate(
            { body: { is_enabled } },
            { onError: (error) => toast.error(problemMessage(error)) },
          )
        }
      />
    </div>
  );
}
