import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { formatNumber } from "@/lib/format";

/** Avoids 7.000000000000001 for a share of 0.07. */
const rounded = (value: number) => Math.round(value * 1e9) / 1e9;

export interface NumberFieldProps<V extends number | null> {
  label: string;
  value: V;
  onValueChanged: (value: V) => void;
  least: number;
  most: number;
  /** Unit shown beside the number, such as "%" or "iterations". */
  unit?: string;
  /** Factor from value to shown number: 100 for a share in percent. */
  scale?: number;
  isWhole?: boolean;
  /** Meaning of an empty field; without it a number is required. */
  placeholder?: string;
  hint?: ReactNode;
  /** Server error; the field's own error takes precedence. */
  error?: string | undefined;
}

/**
 * Number input that reports valid numbers only. Invalid text stays local and is reset to the last
 * number on blur.
 */
export function NumberField<V extends number | null>(props: NumberFieldProps<V>) {
  const { value, onValueChanged, least, most, unit, placeholder, scale = 1 } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string | null>(null);
  const stored = value === null ? "" : String(rounded(value * scale));
  const text = typed ?? stored;
  const read = readNumber(text, props.isWhole ?? false);
  const isAbsent = text.trim() === "" && placeholder !== undefined;
  const range = { least: formatNumber(least), most: formatNumber(most) };
  const own =
    read === null
      ? isAbsent
        ? undefined
        : t("wizard.number.needed", range)
      : read < least || read > most
        ? t("wizard.number.range", range)
        : undefined;
  const change = (next: string) => {
    setTyped(next);
    const number = readNumber(next, props.isWhole ?? false);
    if (number !== null) {
      onValueChanged(rounded(number / scale) as V);
    } else if (next.trim() === "" && placeholder !== undefined) {
      onValueChanged(null as V);
    }
  };
  return (
    <Field
      required={placeholder === undefined}
      label={props.label}
      hint={props.hint}
      error={own ?? props.error}
    >
      {(control) => (
        <span className="flex items-center gap-2">
          <Input
            {...control}
            autoComplete="off"
            inputMode={props.isWhole === true ? "numeric" : "decimal"}
            className="max-w-40 tabular-nums"
            placeholder={placeholder}
            value={text}
            onChange={(event) => change(event.target.value)}
            onBlur={() => setTyped(null)}
          />
          {unit === undefined ? null : (
            <span className="text-sm whitespace-nowrap text-ink-muted">{unit}</span>
          )}
        </span>
      )}
    </Field>
  );
}

/** Null when invalid; accepts thousands separators. */
export function readNumber(text: string, isWhole: boolean): number | null {
  const plain = text.replaceAll(/[,_\s]/g, "");
  const pattern = isWhole ? /^-?\d{1,15}$/ : /^-?(\d{1,15}(\.\d*)?|\.\d+)$/;
  return pattern.test(plain) ? Number(plain) : null;
}
