import { Bell, KeyRound, MonitorSmartphone, Palette, ShieldCheck, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/types";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import { useDocumentTitle } from "@/lib/hooks";
import { PasswordCard } from "./password-card";
import { ProfileCard } from "./profile-card";
import { SecondFactorCard } from "./second-factor-card";
import { SessionsCard } from "./sessions-card";
import { ThemeCard } from "./theme-card";
import { TokensCard } from "./tokens-card";

export const ACCOUNT_TABS = [
  "profile",
  "security",
  "sessions",
  "tokens",
  "notifications",
  "appearance",
] as const;
export type AccountTab = (typeof ACCOUNT_TABS)[number];

export interface AccountPageProps {
  user: User;
  tab: AccountTab;
  /** Notification preferences of the user. */
  notifications: ReactNode;
  onTabChanged: (tab: AccountTab) => void;
}

export function AccountPage({ user, tab, notifications, onTabChanged }: AccountPageProps) {
  const { t } = useTranslation();
  useDocumentTitle(t("account.title"));
  return (
    <div className="mx-auto grid w-full max-w-3xl grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={t("account.title")} description={t("account.description")} />
      <Tabs
        label={t("account.title")}
        value={tab}
        onValueChanged={onTabChanged}
        tabs={[
          {
            value: "profile",
            label: t("account.tabs.profile"),
            icon: <UserRound aria-hidden />,
            content: <ProfileCard user={user} />,
          },
          {
            value: "security",
            label: t("account.tabs.security"),
            icon: <ShieldCheck aria-hidden />,
            content: (
              <div className="grid gap-6">
                <PasswordCard key={String(user.has_password)} user={user} />
                <SecondFactorCard user={user} />
              </div>
            ),
          },
          {
            value: "sessions",
            label: t("account.tabs.sessions"),
            icon: <MonitorSmartphone aria-hidden />,
            content: <SessionsCard />,
          },
          {
            value: "tokens",
            label: t("account.tabs.tokens"),
            icon: <KeyRound aria-hidden />,
            content: <TokensCard />,
          },
          {
            value: "notifications",
            label: t("account.tabs.notifications"),
            icon: <Bell aria-hidden />,
            content: notifications,
          },
          {
            value: "appearance",
            label: t("account.tabs.appearance"),
            icon: <Palette aria-hidden />,
            content: <ThemeCard />,
          },
        ]}
      />
    </div>
  );
}
