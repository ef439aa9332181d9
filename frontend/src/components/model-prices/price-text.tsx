import { useTranslation } from "react-i18next";
import type { ModelPrices } from "@/api/types";
import { formatPrice } from "@/lib/format";
import { usePriceUnit } from "./price-unit";

/** Input and output price, such as "$2.50 / $10.00", in the chosen unit. */
export function PriceText({ prices }: { prices: ModelPrices }) {
  const { t } = useTranslation();
  const unit = usePriceUnit();
  const { input_usd_per_million: input, output_usd_per_million: output } = prices;
  if (input === null || output === null) {
    return <span className="text-warning">{t("models.prices.unknown")}</span>;
  }
  const words = { input: formatPrice(input, unit), output: formatPrice(output, unit) };
  return (
    <span className="whitespace-nowrap tabular-nums">
      <span aria-hidden>
        {words.input} <span className="text-ink-decor">/</span> {words.output}
      </span>
      <span className="sr-only">{t(`models.prices.spoken.${unit}`, words)}</span>
    </span>
  );
}
