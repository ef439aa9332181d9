import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { projectChoicesQuery } from "@/api/projects";
import { ProblemState } from "@/components/problem-state";
import { Checkbox } from "@/components/ui/checkbox";
import { FieldError } from "@/components/ui/field";
import { FormSkeleton } from "@/components/ui/skeleton";

export interface TokenProjectsProps {
  chosen: string[];
  error: string | undefined;
  onChosen: (ids: string[]) => void;
}

/** Picker of the projects that a token is limited to. */
export function TokenProjects({ chosen, error, onChosen }: TokenProjectsProps) {
  const { t } = useTranslation();
  const projects = useQuery(projectChoicesQuery);
  if (projects.isPending) {
    return <FormSkeleton fields={1} />;
  }
  if (projects.isError) {
    return <ProblemState error={projects.error} onRetry={() => void projects.refetch()} />;
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="sr-only">{t("account.tokens.projects")}</legend>
      <div className="grid max-h-48 gap-2.5 overflow-y-auto rounded-lg border border-border p-3">
        {projects.data.length === 0 ? (
          <p className="text-sm text-ink-muted">{t("account.tokens.noProjects")}</p>
        ) : null}
        {projects.data.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onCheckedChanged={(checked) =>
              onChosen(checked ? [...chosen, id] : chosen.filter((each) => each !== id))
            }
          />
        ))}
      </div>
      {error === undefined ? null : <FieldError id="token-projects-error">{error}</FieldError>}
    </fieldset>
  );
}
