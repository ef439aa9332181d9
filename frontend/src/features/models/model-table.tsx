import { Play, Star } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { problemMessage } from "@/api/problem-message";
import type { Credential, Model } from "@/api/types";
import { SimulatedBadge } from "@/components/simulated-badge";
import { Button } from "@/components/ui/button";
import { LoadMore } from "@/components/ui/load-more";
import { Switch } from "@/components/ui/switch";
import { Table, type Column } from "@/components/ui/table";
import { toast } from "@/components/ui/toast";
import { Tooltip } from "@/components/ui/tooltip";
import { cn } from "@/lib/cn";
import { formatNumber } from "@/lib/format";
import { PriceText } from "./price-text";
import { usePriceUnit } from "./price-unit";
import { useChangeModel } from "./queries";

const SHOWN_AT_ONCE = 50;

interface CellProps {
  slug: string;
  model: Model;
  editable: boolean;
}

interface NameCellProps {
  model: Model;
  onOpened: () => void;
}

function NameCell({ model, onOpened }: NameCellProps) {
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
      </span>
      <code className="text-xs wrap-anywhere text-ink-muted">{model.provider_model}</code>
    </div>
  );
}

/** The star says which model is used where nobody chose one. */
function DefaultCell({ slug, model, editable }: CellProps) {
  const { t } = useTranslation();
  const change = useChangeModel(slug);
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
              { modelId: model.id, change: { is_default: true } },
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

function PriceCell({
  model,
  editable,
  onPriceWanted,
}: Omit<CellProps, "slug"> & { onPriceWanted: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="flex flex-wrap items-center justify-end gap-x-2">
      <PriceText prices={model.prices} />
      {model.prices.source === "unknown" && editable ? (
        <Button variant="ghost" size="sm" onClick={onPriceWanted}>
          {t("models.prices.set")} <span className="sr-only">{model.display_name}</span>
        </Button>
      ) : null}
    </span>
  );
}

function EnabledCell({ slug, model, editable }: CellProps) {
  const { t } = useTranslation();
  const change = useChangeModel(slug);
  return (
    <div className="flex items-center max-lg:justify-end">
      <Switch
        hideLabel
        label={t("models.enabledOf", { name: model.display_name })}
        checked={
          change.isPending ? (change.variables.change.is_enabled ?? false) : model.is_enabled
        }
        disabled={!editable}
        onCheckedChanged={(is_enabled) =>
          change.mutate(
            { modelId: model.id, change: { is_enabled } },
            { onError: (error) => toast.error(problemMessage(error)) },
          )
        }
      />
    </div>
  );
}

export interface ModelTableProps {
  slug: string;
  models: readonly Model[];
  credentials: readonly Credential[];
  editable: boolean;
  triable: boolean;
  onModelOpened: (model: Model) => void;
  onTryWanted: (model: Model) => void;
}

function useColumns(props: ModelTableProps): Column<Model>[] {
  const { slug, credentials, editable, triable, onModelOpened, onTryWanted } = props;
  const { t } = useTranslation();
  const unit = usePriceUnit();
  const labels = new Map(credentials.map((credential) => [credential.id, credential.label]));
  const columns: Column<Model>[] = [
    {
      key: "default",
      header: t("models.default"),
      hideHeader: true,
      className: "lg:w-12 lg:pr-0",
      cell: (model) => <DefaultCell slug={slug} model={model} editable={editable} />,
    },
    {
      key: "name",
      primary: true,
      header: t("models.columns.name"),
      cell: (model) => <NameCell model={model} onOpened={() => onModelOpened(model)} />,
    },
    {
      key: "provider",
      header: t("models.columns.provider"),
      cell: (model) => (
        <span className="grid">
          <span>{model.provider_title}</span>
          <span className="text-xs wrap-anywhere text-ink-muted">
            {labels.get(model.credential_id)}
          </span>
        </span>
      ),
    },
    {
      key: "price",
      header: t(`models.columns.price.${unit}`),
      align: "right",
      cell: (model) => (
        <PriceCell model={model} editable={editable} onPriceWanted={() => onModelOpened(model)} />
      ),
    },
    {
      key: "context",
      header: t("models.columns.context"),
      align: "right",
      cell: (model) =>
        model.context_window === null ? (
          <span className="text-ink-muted">{t("models.unknown")}</span>
        ) : (
          <span className="tabular-nums">{formatNumber(model.context_window)}</span>
        ),
    },
    {
      key: "enabled",
      header: t("models.columns.enabled"),
      cell: (model) => <EnabledCell slug={slug} model={model} editable={editable} />,
    },
  ];
  if (triable) {
    columns.push({
      key: "try",
      header: t("models.try.action"),
      align: "right",
      cell: (model) => (
        <Button variant="secondary" size="sm" onClick={() => onTryWanted(model)}>
          <Play aria-hidden />
          {t("models.try.action")} <span className="sr-only">{model.display_name}</span>
        </Button>
      ),
    });
  }
  return columns;
}

export function ModelTable(props: ModelTableProps) {
  const { models } = props;
  const { t } = useTranslation();
  const [limit, setLimit] = useState(SHOWN_AT_ONCE);
  const columns = useColumns(props);
  return (
    <div className="grid gap-3">
      <Table
        caption={t("models.title")}
        columns={columns}
        rows={models.slice(0, limit)}
        rowKey={(model) => model.id}
      />
      {models.length > limit ? (
        <LoadMore
          shown={limit}
          total={models.length}
          hasMore
          loading={false}
          onLoadMore={() => setLimit(limit + SHOWN_AT_ONCE)}
        />
      ) : null}
    </div>
  );
}
