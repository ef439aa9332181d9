import type { FieldErrors } from "@/components/schema-form/validate";
import type { OptimizationFormDraft } from "./optimization-form-draft";

/** Shared by the sections of the form. */
export interface SectionProps {
  slug: string;
  draft: OptimizationFormDraft;
  onDraftChanged: (part: Partial<OptimizationFormDraft>) => void;
  errors: FieldErrors;
}
