import { useState } from "react";
import { isSamePart } from "./wizard-draft";

/** Conversion between a part and its form state, which may hold list keys or unparsable text. */
export interface FormRules<P, F> {
  read: (part: P) => F;
  /** Change of the part made by the form. */
  write: (form: F, part: P) => Partial<P>;
}

/**
 * Form state of a part of the draft. Reset when the part changes from outside the form: by the
 * assistant, an undo, or another user.
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
