import type { EditorLanguage } from "./extensions";

/** A place to select and scroll to; a new object asks again. */
export interface Reveal {
  from: number;
  to: number;
}

export interface CodeEditorProps {
  /** Read out as the name of the editor. */
  label: string;
  value: string;
  /** Keep it the same object while nothing changes. */
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
  /** Long stretches without a change are hidden. */
  collapsed: boolean;
  /** Keep it the same object while nothing changes. */
  language: EditorLanguage;
  /** Puts the caret into the right side as soon as it is there. */
  autoFocus?: boolean;
  /** Makes the right side writable, in split mode only. */
  onAfterChanged?: (text: string) => void;
}
