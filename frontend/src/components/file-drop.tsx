import { FileUp } from "lucide-react";
import { useId, useState, type DragEvent } from "react";
import { cn } from "@/lib/cn";

export interface FileDropProps {
  /** What can be dropped here. */
  label: string;
  /** The part of the label that looks like a link. */
  browse: string;
  hint: string;
  /** As for an input of the type file. */
  accept: string;
  onChosen: (file: File) => void;
}

/** Drop zone and file picker. */
export function FileDrop({ label, browse, hint, accept, onChosen }: FileDropProps) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file !== undefined) {
      onChosen(file);
    }
  };
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={cn(
        "grid cursor-pointer justify-items-center gap-3 rounded-xl border-2 border-dashed px-6 py-14 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus",
        isOver ? "border-accent-solid bg-accent-bg" : "border-border-strong hover:bg-surface",
      )}
    >
      <FileUp aria-hidden className="size-8 text-ink-subtle" />
      <span className="text-sm">
        <span className="font-medium">{label}</span>{" "}
        <span className="font-medium text-accent-ink underline">{browse}</span>
      </span>
      <span className="max-w-md text-xs text-ink-muted">{hint}</span>
      <input
        id={id}
        type="file"
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file !== undefined) {
            onChosen(file);
          }
        }}
      />
    </label>
  );
}
