import type { ReactNode } from "react";
import { Card, CardContent, CardHeader } from "@/components/ui/card";
import { Explained } from "@/components/ui/explained";

export interface FormSectionProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

export function FormSection({ title, description, children }: FormSectionProps) {
  return (
    <Card>
      <CardHeader
        title={title}
        description={
          typeof description === "string" ? <Explained text={description} /> : description
        }
      />
      <CardContent className="grid gap-5">{children}</CardContent>
    </Card>
  );
}
