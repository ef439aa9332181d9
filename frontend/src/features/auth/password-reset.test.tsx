import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ForgotPasswordPage } from "./forgot-password-page";
import { ResetPasswordPage } from "./reset-password-page";

const CONFIG = {
  registration_open: true,
  registration: "auto",
  sends_mail: true,
  oidc_name: null,
  terms_url: null,
  first_run: false,
};
const STRONG = "Analytical-Engine-1843!";

describe("a forgotten password", () => {
  it("is asked for by email, and the answer does not say whether the account exists", async () => {
    answer("get", "auth/config", CONFIG);
    const sent = answer("post", "auth/password-reset", null);
    const { user, container } = await renderPage(<ForgotPasswordPage />);
    await user.type(await screen.findByLabelText(/^Email/), "ada@example.org{Enter}");
    expect(await screen.findByText(/^If ada@example.org belongs to an account/)).toBeVisible();
    expect(sent[0]?.body).toEqual({ email: "ada@example.org" });
    expect(await axeViolations(container)).toEqual([]);
  });

  it("is a matter for the operator where no mail is sent", async () => {
    answer("get", "auth/config", { ...CONFIG, sends_mail: false });
    await renderPage(<ForgotPasswordPage />);
    expect(await screen.findByText(/edison user reset-password/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Send the link" })).toBeNull();
  });

  it("is replaced by a new one", async () => {
    const onDone = vi.fn();
    const sent = answer("post", "auth/new-password", null);
    const { user } = await renderPage(<ResetPasswordPage token="signed" onDone={onDone} />);
    await user.type(screen.getByLabelText(/^New password/), `${STRONG}{Enter}`);
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(sent[0]?.body).toEqual({ token: "signed", password: STRONG });
  });

  it("offers a new link when this one has expired", async () => {
    refuse("post", "auth/new-password", 409, { code: "RESET_EXPIRED", message: "Too old." });
    const { user } = await renderPage(<ResetPasswordPage token="signed" onDone={vi.fn()} />);
    await user.type(screen.getByLabelText(/^New password/), `${STRONG}{Enter}`);
    expect(await screen.findByRole("link", { name: "Ask for a new link" })).toBeVisible();
  });
});
