import { useRouter, useSearch } from "@tanstack/react-router";
import { RegisterPage } from "@/features/auth/register-page";
import { safeNext } from "@/lib/search";

export function RegisterRoute() {
  const router = useRouter();
  const { next, invitation } = useSearch({ from: "/register" });
  // Registering with an invitation accepts it, so that its page has nothing left to offer.
  const target = invitation === undefined ? safeNext(next) : "/projects";
  return (
    <RegisterPage
      next={next}
      invitation={invitation}
      onRegistered={() => router.history.push(target)}
    />
  );
}
