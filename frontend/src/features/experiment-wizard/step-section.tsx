import type { ReactNode } from "react";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

export interface StepSectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** One question of a step, with its answers. */
export function StepSection({ title, description, actions, children }: StepSectionProps) {
  return (
    <Card>
      <CardHeader title={title} description={description} actions={actions} />
      <CardContent className="grid gap-5">{children}</CardContent>
    </Card>
  );
}

/** The sections of a step, one below the other; none of them works while nothing may be changed. */
export function StepBody({ editable, children }: { editable: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={!editable} className="grid min-w-0 content-start gap-6">
      {children}
    </fieldset>
  );
}
