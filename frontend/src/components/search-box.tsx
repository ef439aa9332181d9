import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useDebounced } from "@/lib/hooks";
import { Input } from "./ui/input";

export interface SearchBoxProps {
  label: string;
  value: string | undefined;
  /** Undefined when the box is empty. */
  onValueChanged: (value: string | undefined) => void;
  /** Milliseconds of rest after which the text counts. */
  delay?: number;
}

/** The search of a page, which "/" leads to. */
export function SearchBox({ label, value, onValueChanged, delay = 150 }: SearchBoxProps) {
  const [text, setText] = useState(value ?? "");
  const settled = useDebounced(text.trim(), delay);
  const wanted = settled === "" ? undefined : settled;
  useEffect(() => {
    if (wanted !== value) {
      onValueChanged(wanted);
    }
    // Only a change of the typed text may change the address, not the other way round.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);
  return (
    <Input
      icon={<Search aria-hidden />}
      data-page-search=""
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
