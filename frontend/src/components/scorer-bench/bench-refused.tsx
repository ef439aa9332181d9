import { useTranslation } from "react-i18next";
import { asProblem } from "@/api/problem";
import { problemMessage } from "@/api/problem-message";
import { Alert } from "@/components/ui/alert";

/** Error of a scorer trial. */
export function BenchRefused({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const { fields } = asProblem(error);
  return (
    <Alert tone="danger" title={t("scorers.bench.refused")}>
      {fields.length === 0 ? (
        problemMessage(error)
      ) : (
        <ul className="grid gap-1">
          {fields.map(({ field, message }) => (
            <li key={field}>
              <code className="text-xs">{field.replace(/^scorer\.(options\.)?/, "")}</code>{" "}
              {message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
