import { RadioGroup as Primitive } from "radix-ui";

export interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  options: readonly { value: V; label: string }[];
  onValueChanged: (value: V) => void;
}

/** Single choice from a few options, side by side. */
export function Segmented<V extends string>(props: SegmentedProps<V>) {
  return (
    <Primitive.Root
      aria-label={props.label}
      orientation="horizontal"
      value={props.value}
      onValueChange={(next) => props.onValueChanged(next as V)}
      className="inline-flex max-w-full shrink-0 flex-wrap gap-0.5 rounded-md border border-border bg-surface p-0.5"
    >
      {props.options.map((option) => (
        <Primitive.Item
          key={option.value}
          value={option.value}
          className="h-8 rounded-sm px-2.5 text-xs font-medium whitespace-nowrap text-ink-muted transition-colors hover:text-ink data-[state=checked]:bg-raised data-[state=checked]:text-ink data-[state=checked]:shadow-xs"
        >
          {option.label}
        </Primitive.Item>
      ))}
    </Primitive.Root>
  );
}
