import { describePage } from "@/testing/pages";

const CONFIG = {
  registration_open: true,
  registration: "auto",
  oidc_name: null,
  terms_url: null,
  first_run: false,
  sends_mail: false,
};

describePage("/register", {
  reads: "/auth/config",
  filled: CONFIG,
  shows: ["button", "auth.register.submit"],
  empty: { answer: { ...CONFIG, registration_open: false }, text: "auth.register.closedTitle" },
});

describePage("/invitations/$token", {
  params: { token: "abc" },
  reads: "/invitations/abc",
  filled: {
    email: null,
    expires_at: "2026-01-15T10:00:00Z",
    invited_by: "Grace",
    project_name: "Support answers",
    role: "EDITOR",
    status: "pending",
  },
  shows: ["button", "auth.invitation.accept"],
  empty: {
    answer: {
      email: null,
      expires_at: "2026-01-15T10:00:00Z",
      invited_by: "Grace",
      project_name: "Support answers",
      role: "EDITOR",
      status: "expired",
    },
    text: "auth.invitation.expired",
  },
});
