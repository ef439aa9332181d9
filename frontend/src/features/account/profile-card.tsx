import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useServerForm } from "@/api/server-form";
import { meQuery } from "@/api/session";
import type { User } from "@/api/types";
import { useChange } from "@/api/use-change";
import { FormAlert } from "@/components/form-alert";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card, CardContent, CardFooter, CardHeader } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { RelativeTime } from "@/components/ui/relative-time";
import { toast } from "@/components/ui/toast";
import { i18n } from "@/lib/i18n";
import { UnverifiedNote } from "./email-notice";

const schema = z.object({
  name: z.string().trim().max(255),
  email: z.email({ error: () => i18n.t("validation.email") }).max(255),
});

export function ProfileCard({ user }: { user: User }) {
  const { t } = useTranslation();
  const update = useChange(
    "patch",
    "/auth/me",
    {},
    {
      refresh: [],
      keep: (queryClient, saved) =>
        queryClient.setQueryData(meQuery.queryKey, (old) => (old ? { ...old, user: saved } : old)),
    },
  );
  const { register, formState, message, submit } = useServerForm({
    schema,
    fields: ["name", "email"],
    mode: "onTouched",
    defaultValues: { name: user.name ?? "", email: user.email },
    onSubmitted: async ({ name, email }, { reset }) => {
      const saved = await update.mutateAsync({ body: { name: name === "" ? null : name, email } });
      reset({ name: saved.name ?? "", email: saved.email });
      toast.success(t("account.profile.saved"));
    },
  });
  const { errors, isDirty } = formState;
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card aria-labelledby="profile-heading">
        <CardHeader id="profile-heading" title={t("account.profile.title")} />
        <CardContent className="grid gap-5">
          <div className="flex items-center gap-4">
            <Avatar name={user.name ?? null} email={user.email} size="lg" />
            <div className="grid min-w-0">
              <span className="truncate font-medium">{user.name ?? user.email}</span>
              <span className="text-xs text-ink-muted">
                {user.is_local_owner ? `${t("account.profile.localOwner")} · ` : null}
                {t("account.profile.since")} <RelativeTime iso={user.created_at} />
              </span>
            </div>
          </div>
          <UnverifiedNote user={user} />
          <FormAlert message={message} />
          <div className="grid gap-5 sm:grid-cols-2">
            <Field label={t("fields.fullName")} error={errors.name?.message}>
              {(props) => <Input {...props} autoComplete="name" {...register("name")} />}
            </Field>
            <Field label={t("fields.email")} required error={errors.email?.message}>
              {(props) => (
                <Input {...props} type="email" autoComplete="email" {...register("email")} />
              )}
            </Field>
          </div>
        </CardContent>
        <CardFooter>
          <Button type="submit" size="sm" disabled={!isDirty} loading={update.isPending}>
            {t("ui.save")}
          </Button>
        </CardFooter>
      </Card>
    </form>
  );
}
