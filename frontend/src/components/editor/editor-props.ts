import type { EditorLanguage } from "./extensions";

/** Range to select and scroll to; a new object triggers it again. */
export interface Reveal {
  from: number;
  to: number;
}

export interface CodeEditorProps {
  /** Accessible name of the editor. */
  label: string;
  value: string;
  /** Must be referentially stable. */
  language: EditorLanguage;
  onChanged?: (text: string) => void;
  onBlurred?: () => void;
  readOnly?: boolean;
  placeholder?: string;
  describedBy?: string;
  reveal?: Reveal | undefined;
}

export interface MergeEditorProps {
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
  mode: "split" | "unified";
  /** Hides long unchanged stretches. */
  collapsed: boolean;
  /** Must be referentially stable. */
  language: EditorLanguage;
  /** Focuses the right side once it is loaded. */
  autoFocus?: boolean;
  /** Makes the right side editable; split mode only. */
  onAfterChanged?: (text: string) => void;
}
