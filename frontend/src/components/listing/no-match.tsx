import { SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export interface NoMatchProps {
  /** Left out where the filters themselves offer it. */
  onFiltersCleared?: () => void;
}

/** A list of which the filters leave nothing. */
export function NoMatch({ onFiltersCleared }: NoMatchProps) {
  const { t } = useTranslation();
  return (
    <EmptyState
      icon={<SearchX />}
      title={t("lists.noMatch")}
      description={t("lists.noMatchHint")}
      action={
        onFiltersCleared === undefined ? undefined : (
          <Button variant="secondary" onClick={onFiltersCleared}>
            {t("lists.clear")}
          </Button>
        )
      }
    />
  );
}
