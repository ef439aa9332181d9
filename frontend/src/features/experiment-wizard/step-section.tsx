import type { ReactNode } from "react";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

export interface StepSectionProps {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A titled section of a step. */
export function StepSection({ title, description, actions, children }: StepSectionProps) {
  return (
    <Card>
      <CardHeader title={title} description={description} actions={actions} />
      <CardContent className="grid gap-5">{children}</CardContent>
    </Card>
  );
}

/** The sections of a step; all disabled when not editable. */
export function StepBody({ editable, children }: { editable: boolean; children: ReactNode }) {
  return (
    <fieldset disabled={!editable} className="grid min-w-0 content-start gap-6">
      {children}
    </fieldset>
  );
}
