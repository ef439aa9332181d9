import type { ReactNode } from "react";
import { Card } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";

export interface KpiProps {
  label: string;
  value: ReactNode;
  unit?: string;
  note: ReactNode;
}

/** One key figure with a note. */
export function Kpi({ label, value, unit, note }: KpiProps) {
  return (
    <Card className="grid content-start gap-1.5 p-5">
      <h3 className="text-xs font-medium text-ink-muted">
        <Explained text={label} />
      </h3>
      <p className="text-2xl font-semibold tracking-tight tabular-nums">
        {value}
        {unit === undefined ? null : (
          <span className="ml-1 text-sm font-normal text-ink-muted">{unit}</span>
        )}
      </p>
      <div className="grid justify-items-start gap-1.5 text-xs text-ink-muted">{note}</div>
    </Card>
  );
}
