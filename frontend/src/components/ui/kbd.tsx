/** "g p" is a sequence, "Ctrl+K" keys held together. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.split(/[ +]/).map((key, index) => (
        <kbd
          key={`${key}-${index}`}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded-sm border border-border-strong bg-surface px-1 font-sans text-[11px] font-medium text-ink-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
