import { CopyButton } from "./ui/copy-button";
import { Field } from "./ui/field";
import { Input } from "./ui/input";

export interface CopyFieldProps {
  label: string;
  text: string;
  copyLabel: string;
  hint?: string;
}

/** Read-only text with a copy button; focus selects all of it. */
export function CopyField({ label, text, copyLabel, hint }: CopyFieldProps) {
  return (
    <Field required label={label} hint={hint}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            readOnly
            value={text}
            className="font-mono text-xs"
            onFocus={(event) => event.target.select()}
          />
          <CopyButton withLabel size="md" variant="secondary" text={text} label={copyLabel} />
        </div>
      )}
    </Field>
  );
}
