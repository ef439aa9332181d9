import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { SignInLinkPage } from "@/features/auth/sign-in-link-page";

export function SignInRoute() {
  const navigate = useNavigate();
  const { token } = useSearch({ from: "/sign-in" });
  const onSignedIn = useCallback(
    () => void navigate({ to: "/projects", replace: true }),
    [navigate],
  );
  return <SignInLinkPage token={token} onSignedIn={onSignedIn} />;
}
