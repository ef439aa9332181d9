import { Field, type FieldProps } from "@/components/ui/field";
import { Input } from "@/components/ui/input";

export interface BudgetFieldProps extends Omit<FieldProps, "children"> {
  value: string;
  onValueChanged: (value: string) => void;
  placeholder?: string;
}

/** A limit in US dollars as text, checked by the server. */
export function BudgetField({ value, onValueChanged, placeholder, ...field }: BudgetFieldProps) {
  return (
    <Field {...field}>
      {(control) => (
        <Input
          {...control}
          inputMode="decimal"
          autoComplete="off"
          className="max-w-40 tabular-nums"
          placeholder={placeholder}
          value={value}
          onChange={(event) => onValueChanged(event.target.value)}
        />
      )}
    </Field>
  );
}
