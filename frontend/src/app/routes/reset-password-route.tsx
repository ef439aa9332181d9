import { useLocation, useNavigate } from "@tanstack/react-router";
import { ResetPasswordPage } from "@/features/auth/reset-password-page";
import { hashParam } from "@/lib/hash";

export function ResetPasswordRoute() {
  const navigate = useNavigate();
  const token = useLocation({ select: ({ hash }) => hashParam(hash, "token") });
  return (
    <ResetPasswordPage
      token={token}
      onDone={() => void navigate({ to: "/login", replace: true })}
    />
  );
}
