import type { ReactNode } from "react";
import { Card, CardContent, CardHeader } from "@/components/ui/card";

export interface FormSectionProps {
  title: string;
  description: ReactNode;
  children: ReactNode;
}

export function FormSection({ title, description, children }: FormSectionProps) {
  return (
    <Card>
      <CardHeader title={title} description={description} />
      <CardContent className="grid gap-5">{children}</CardContent>
    </Card>
  );
}
