import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { LinkTabs } from "@/components/ui/link-tabs";

const TAB = { exact: true, includeSearch: false } as const;

/** Tabs of the board, of blind voting and of judged questions. */
export function ArenaTabs({ slug }: { slug: string }) {
  const { t } = useTranslation();
  return (
    <LinkTabs label={t("arena.title")}>
      <Link to="/p/$slug/arena" params={{ slug }} activeOptions={TAB}>
        {t("arena.board")}
      </Link>
      <Link to="/p/$slug/arena/voting" params={{ slug }} activeOptions={TAB}>
        {t("voting.title")}
      </Link>
      <Link to="/p/$slug/arena/questions" params={{ slug }} activeOptions={TAB}>
        {t("questions.title")}
      </Link>
    </LinkTabs>
  );
}
