import { useTranslation } from "react-i18next";
import { Button } from "./button";

export interface LoadMoreProps {
  shown: number;
  total: number | null;
  hasMore: boolean;
  loading: boolean;
  onLoadMore: () => void;
}

/** Load-more button for cursor paging, where the total may be unknown. */
export function LoadMore({ shown, total, hasMore, loading, onLoadMore }: LoadMoreProps) {
  const { t } = useTranslation();
  if (!hasMore && shown === 0) {
    return null;
  }
  return (
    <div className="flex flex-col items-center gap-2 pt-2">
      <p role="status" className="text-xs text-ink-muted">
        {total === null ? t("ui.shown", { count: shown }) : t("ui.shownOf", { shown, total })}
      </p>
      {hasMore ? (
        <Button variant="secondary" size="sm" loading={loading} onClick={onLoadMore}>
          {t("ui.loadMore")}
        </Button>
      ) : null}
    </div>
  );
}
