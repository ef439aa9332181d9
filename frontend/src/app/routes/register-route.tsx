import { useRouter, useSearch } from "@tanstack/react-router";
import { RegisterPage } from "@/features/auth/register-page";
import { safeNext } from "@/lib/search";

export function RegisterRoute() {
  const router = useRouter();
  const { next, invitation, proof } = useSearch({ from: "/register" });
  return (
    <RegisterPage
      next={next}
      invitation={invitation}
      proof={proof}
      onRegistered={(slug) => router.history.push(slug === null ? safeNext(next) : `/p/${slug}`)}
    />
  );
}
