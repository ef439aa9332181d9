/** Style of the toolbar buttons. */
export const PILL =
  "inline-flex h-8 max-w-48 min-w-0 shrink-0 items-center gap-1.5 rounded-full bg-accent-bg px-3 text-xs font-medium " +
  "whitespace-nowrap text-on-accent-bg transition-colors hover:underline aria-disabled:opacity-60 " +
  "data-[state=open]:underline @max-2xs/toolbar:px-2 [&_svg]:size-3.5 [&_svg]:shrink-0";

/** Label of a toolbar button; hidden visually in a narrow panel. */
export const PILL_TEXT = "truncate @max-2xs/toolbar:sr-only";
