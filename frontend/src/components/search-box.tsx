import { Search } from "lucide-react";
import { useDebouncedText } from "@/lib/use-debounced-text";
import { Input } from "./ui/input";

export interface SearchBoxProps {
  label: string;
  value: string | undefined;
  /** Undefined when the box is empty. */
  onValueChanged: (value: string | undefined) => void;
  /** Debounce delay in milliseconds. */
  delay?: number;
  minLength?: number;
}

/** Search box of a page; "/" focuses it. */
export function SearchBox({ label, delay = 150, ...props }: SearchBoxProps) {
  const [text, setText] = useDebouncedText({ ...props, delay });
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
