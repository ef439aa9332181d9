/** Something to underline, with a sentence for the tooltip. */
export interface EditorProblem {
  from: number;
  to: number;
  severity: "error" | "warning" | "info";
  message: string;
}
