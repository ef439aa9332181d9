/** A range to underline, with a message for the tooltip. */
export interface EditorProblem {
  from: number;
  to: number;
  severity: "error" | "warning" | "info";
  message: string;
}
