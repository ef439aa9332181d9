import { Play } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credential, Model, ModelAvailability } from "@/api/types";
import { usePriceUnit } from "@/components/model-prices/price-unit";
import { Button } from "@/components/ui/button";
import { LoadMore } from "@/components/ui/load-more";
import { Table, type Column } from "@/components/ui/table";
import { formatNumber } from "@/lib/format";
import { DefaultCell, EnabledCell, NameCell, PriceCell } from "./model-cells";

const SHOWN_AT_ONCE = 50;

export interface ModelTableProps {
  slug: string;
  models: readonly Model[];
  credentials: readonly Credential[];
  /** Answers of the providers, if they were asked. */
  availability: readonly ModelAvailability[];
  editable: boolean;
  triable: boolean;
  onModelOpened: (model: Model) => void;
  onTryWanted: (model: Model) => void;
}

function useColumns(props: ModelTableProps): Column<Model>[] {
  const { slug, credentials, availability, editable, triable, onModelOpened, onTryWanted } = props;
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
      cell: (model) => (
        <NameCell
          model={model}
          found={availability.find((each) => each.model_id === model.id)}
          onOpened={() => onModelOpened(model)}
        />
      ),
    },
    {
      key: "provider",
      header: t("models.columns.provider"),
      cell: (model) => (
        <span className="grid">
          <span>{model.provider_title}</span>
          {labels.get(model.credential_id) === model.provider_title ? null : (
            <span className="text-xs wrap-anywhere text-ink-muted">
              {labels.get(model.credential_id)}
            </span>
          )}
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
