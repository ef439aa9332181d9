import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import {
  useForm,
  type FieldValues,
  type Path,
  type UseFormProps,
  type UseFormReturn,
} from "react-hook-form";
import type { ZodType } from "zod";
import { placeProblem } from "./form-problem";

export interface ServerFormOptions<T extends FieldValues> extends Omit<
  UseFormProps<T>,
  "resolver"
> {
  schema: ZodType<T, T>;
  /** Form fields that can show server errors; other errors go above the form. */
  fields: readonly Path<T>[];
  /** Rejects with the server's error. */
  onSubmitted: (values: T, form: UseFormReturn<T>) => Promise<unknown>;
}

/** A form validated on the client first, then by the server. */
export function useServerForm<T extends FieldValues>(options: ServerFormOptions<T>) {
  const { schema, fields, onSubmitted, ...rest } = options;
  const [message, setMessage] = useState<string | null>(null);
  const form = useForm<T>({ ...rest, resolver: zodResolver(schema) });
  const submit = form.handleSubmit(async (values) => {
    setMessage(null);
    try {
      await onSubmitted(values, form);
    } catch (error) {
      setMessage(placeProblem(error, fields, form.setError));
    }
  });
  return { ...form, message, submit };
}
