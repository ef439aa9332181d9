import { useTranslation } from "react-i18next";
import { locale } from "@/lib/locale";
import { momentLabel } from "@/lib/utc-times";

function localLabel(iso: string): string {
  return new Intl.DateTimeFormat(locale, {
    weekday: "short",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  }).format(new Date(iso));
}

/** The next times of a schedule, in UTC and in the time zone of the browser. */
export function NextTimes({ times }: { times: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <table className="w-full text-left text-xs tabular-nums">
      <caption className="sr-only">{t("monitors.schedule.next")}</caption>
      <thead>
        <tr className="text-ink-muted">
          <th scope="col" className="py-1 pr-4 font-medium">
            {t("monitors.schedule.utc")}
          </th>
          <th scope="col" className="py-1 font-medium">
            {t("monitors.schedule.local")}
          </th>
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time} className="border-t border-border">
            <td className="py-1 pr-4">{momentLabel(time)}</td>
            <td className="py-1">{localLabel(time)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
