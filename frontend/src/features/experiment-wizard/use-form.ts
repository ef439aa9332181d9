import { useState } from "react";
import { isSamePart } from "./wizard-draft";

/** How a form holds a part: with keys of its items, say, or with text that cannot be read yet. */
export interface FormRules<P, F> {
  read: (part: P) => F;
  /** What the form says of the part. */
  write: (form: F, part: P) => Partial<P>;
}

/**
 * A form over a part of the draft. It is made anew when the part changes by anything but the form:
 * the assistant, undoing, or somebody else.
 */
export function useForm<P extends object, F>(
  part: P,
  rules: FormRules<P, F>,
  onChanged: (change: Partial<P>) => void,
) {
  const [form, setForm] = useState(() => rules.read(part));
  const [seen, setSeen] = useState(part);
  if (seen !== part) {
    setSeen(part);
    const written = rules.write(form, part);
    const isOwn = Object.keys(written).every((key) =>
      isSamePart(written[key as keyof P], part[key as keyof P]),
    );
    if (!isOwn) {
      setForm(rules.read(part));
    }
  }
  const change = (next: F) => {
    setForm(next);
    onChanged(rules.write(next, part));
  };
  return [form, change] as const;
}
