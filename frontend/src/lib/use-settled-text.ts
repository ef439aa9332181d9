import { useEffect, useEffectEvent, useState } from "react";

export interface SettledTextOptions {
  value: string | undefined;
  /** Undefined when the text is too short to count. */
  onValueChanged: (value: string | undefined) => void;
  /** Milliseconds of rest after which the text counts. */
  delay: number;
  minLength?: number;
}

/**
 * A text that counts once it rests. A value that comes from elsewhere, such as cleared filters,
 * replaces what is typed; one that was asked for here does not, as more may be typed by then.
 */
export function useSettledText(options: SettledTextOptions) {
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
