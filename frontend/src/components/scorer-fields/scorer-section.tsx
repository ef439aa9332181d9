import { useQuery } from "@tanstack/react-query";
import { savedScorersQuery, scorerKindsQuery } from "@/api/scorers";
import { FormSection } from "@/components/form-section";
import { LoadError } from "@/components/load-error";
import { FieldError } from "@/components/ui/field";
import { ScorerFields, type ScorerFieldsProps } from "./scorer-fields";

export interface ScorerSectionProps extends Omit<ScorerFieldsProps, "kinds" | "saved"> {
  title: string;
  description: string;
}

/** The scorers of a form, as a section of it. */
export function ScorerSection({ title, description, ...fields }: ScorerSectionProps) {
  const kinds = useQuery(scorerKindsQuery(fields.slug));
  const saved = useQuery(savedScorersQuery(fields.slug));
  const { scorers: error } = fields.errors;
  return (
    <FormSection title={title} description={description}>
      <LoadError queries={[kinds, saved]} />
      <ScorerFields {...fields} kinds={kinds.data ?? []} saved={saved.data ?? []} />
      {error === undefined ? null : <FieldError>{error}</FieldError>}
    </FormSection>
  );
}
