import { useNavigate, useSearch } from "@tanstack/react-router";
import { useUser } from "@/api/session";
import { AccountPage } from "@/features/account/account-page";
import { PreferencesCard } from "@/features/notifications/preferences-card";
import { PageShell } from "../shell/page-shell";

export function AccountRoute() {
  const navigate = useNavigate();
  const { tab } = useSearch({ from: "/signed-in/account" });
  return (
    <PageShell>
      <AccountPage
        user={useUser()}
        notifications={<PreferencesCard />}
        tab={tab ?? "profile"}
        onTabChanged={(next) =>
          void navigate({
            to: "/account",
            search: next === "profile" ? {} : { tab: next },
            replace: true,
          })
        }
      />
    </PageShell>
  );
}
