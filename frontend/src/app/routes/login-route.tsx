import { useRouter, useSearch } from "@tanstack/react-router";
import { LoginPage } from "@/features/auth/login-page";
import { safeNext } from "@/lib/search";

export function LoginRoute() {
  const router = useRouter();
  const { next, error } = useSearch({ from: "/login" });
  return (
    <LoginPage
      next={next}
      errorCode={error}
      onSignedIn={() => router.history.push(safeNext(next))}
    />
  );
}
