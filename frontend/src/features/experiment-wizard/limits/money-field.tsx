import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatNumber } from "@/lib/format";

const LEAST = 0.01;
const MOST = 10_000;
const AMOUNT = /^\d{1,10}(\.\d{1,9})?$/;

/** Parses an amount in US dollars; null when invalid. */
export function readAmount(text: string): string | null {
  const plain = text.replaceAll(/[$,\s]/g, "").replace(/\.$/, "");
  return AMOUNT.test(plain) ? plain : null;
}

export interface MoneyFieldProps {
  label: string;
  hint: string;
  value: string;
  onValueChanged: (value: string) => void;
  error: string | undefined;
}

/** Amount in US dollars; kept as text to avoid rounding. */
export function MoneyField({ label, hint, value, onValueChanged, error }: MoneyFieldProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? value;
  const amount = readAmount(text);
  const range = { least: `$${LEAST}`, most: `$${formatNumber(MOST)}` };
  const own =
    amount === null
      ? t("wizard.number.needed", range)
      : Number(amount) < LEAST || Number(amount) > MOST
        ? t("wizard.number.range", range)
        : undefined;
  return (
    <Field required label={label} hint={hint} error={own ?? error}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          inputMode="decimal"
          icon={<span aria-hidden>$</span>}
          className="max-w-40 tabular-nums"
          value={text}
          onChange={(event) => {
            setTyped(event.target.value);
            const next = readAmount(event.target.value);
            if (next !== null) {
              onValueChanged(next);
            }
          }}
          onBlur={() => setTyped(null)}
        />
      )}
    </Field>
  );
}
