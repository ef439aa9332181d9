import { SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

export interface NoMatchProps {
  /** Omitted where the filters have their own reset button. */
  onFiltersCleared?: () => void;
}

/** Empty state of a filtered list. */
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
