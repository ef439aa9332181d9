import type { FieldErrors } from "@/components/schema-form/validate";
import type { MonitorFormDraft } from "./monitor-draft";

/** Shared by the sections of the form. */
export interface SectionProps {
  slug: string;
  draft: MonitorFormDraft;
  onDraftChanged: (part: Partial<MonitorFormDraft>) => void;
  errors: FieldErrors;
}
