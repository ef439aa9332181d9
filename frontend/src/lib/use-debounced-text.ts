import { useEffect, useEffectEvent, useState } from "react";

export interface DebouncedTextOptions {
  value: string | undefined;
  /** Undefined when the text is too short. */
  onValueChanged: (value: string | undefined) => void;
  /** Debounce delay in milliseconds. */
  delay: number;
  minLength?: number;
}

/**
 * Debounced text input. An external value, such as cleared filters, replaces the typed text; a
 * value that the input itself reported does not, because more may have been typed since.
 */
export function useDebouncedText(options: DebouncedTextOptions) {
  const { value, onValueChanged, delay, minLength = 1 } = options;
  const [text, setText] = useState(value ?? "");
  const [seen, setSeen] = useState(value);
  const [asked, setAsked] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (asked === seen) {
      setAsked(value);
      setText(value ?? "");
    }
  }
  const ask = useEffectEvent((wanted: string | undefined) => {
    if (wanted !== asked) {
      setAsked(wanted);
      onValueChanged(wanted);
    }
  });
  useEffect(() => {
    const typed = text.trim();
    const timer = setTimeout(() => ask(typed.length < minLength ? undefined : typed), delay);
    return () => clearTimeout(timer);
  }, [text, delay, minLength]);
  return [text, setText] as const;
}
