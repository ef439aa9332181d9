import { useLocation, useNavigate } from "@tanstack/react-router";
import { ConfirmEmailPage } from "@/features/auth/confirm-email-page";
import { hashParam } from "@/lib/hash";

export function ConfirmEmailRoute() {
  const navigate = useNavigate();
  const token = useLocation({ select: ({ hash }) => hashParam(hash, "token") });
  return (
    <ConfirmEmailPage
      token={token}
      onConfirmed={() => void navigate({ to: "/projects", replace: true })}
    />
  );
}
