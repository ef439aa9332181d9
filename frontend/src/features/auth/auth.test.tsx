import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { aSignIn } from "@/testing/builders";
import { answer, refuse } from "@/testing/fake-server";
import { axeViolations, renderPage } from "@/testing/render";
import { ConfirmEmailPage } from "./confirm-email-page";
import { LoginPage } from "./login-page";
import { RegisterPage } from "./register-page";
import { SignInLinkPage } from "./sign-in-link-page";

const CONFIG = {
  registration_open: true,
  registration: "auto",
  sends_mail: false,
  oidc_name: null,
  terms_url: null,
  first_run: false,
};
const STRONG = "Analytical-Engine-1843!";

describe("login", () => {
  const onSignedIn = vi.fn();
  beforeEach(() => onSignedIn.mockClear());

  async function openLogin(config: object = CONFIG) {
    answer("get", "auth/config", { ...CONFIG, ...config });
    return renderPage(<LoginPage next={undefined} errorCode={undefined} onSignedIn={onSignedIn} />);
  }

  it("signs in and remembers when asked to", async () => {
    const sent = answer("post", "auth/login", aSignIn());
    const { user } = await openLogin();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), "secret");
    await user.click(screen.getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Sign in" }));
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(sent[0]?.body).toEqual({
      email: "ada@example.org",
      password: "secret",
      remember_me: true,
    });
  });

  it("asks for a code where two-factor authentication is on", async () => {
    answer("post", "auth/login", { challenge: "signed", expires_at: "2026-01-15T10:05:00Z" });
    refuse("post", "auth/login/second-factor", 401, { code: "WRONG_CODE", message: "Wrong code." });
    const { user } = await openLogin();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), "secret{Enter}");
    const code = await screen.findByLabelText(/^Code/);
    expect(onSignedIn).not.toHaveBeenCalled();
    await user.type(code, "000000{Enter}");
    expect(await screen.findByText("Wrong code.")).toBeInTheDocument();
    const sent = answer("post", "auth/login/second-factor", aSignIn());
    await user.clear(code);
    await user.type(code, "123456{Enter}");
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(sent[0]?.body).toEqual({ challenge: "signed", code: "123456" });
  });

  it("never says which of the two was wrong", async () => {
    refuse("post", "auth/login", 401, { code: "INVALID_CREDENTIALS", message: "no such user" });
    const { user } = await openLogin();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), "wrong{Enter}");
    expect(await screen.findByText("Invalid email or password.")).toBeInTheDocument();
    expect(screen.queryByText(/no such user/)).not.toBeInTheDocument();
    expect(onSignedIn).not.toHaveBeenCalled();
  });

  it("counts down while the account is locked and blocks the button", async () => {
    refuse("post", "auth/login", 429, { code: "ACCOUNT_LOCKED" }, { "Retry-After": "890" });
    const { user } = await openLogin();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), "wrong{Enter}");
    expect(await screen.findByText("Account temporarily locked")).toBeInTheDocument();
    expect(screen.getByText(/You can try again in 14:(50|49)/)).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Sign in" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  it("offers the external account only when there is one, and registration only when open", async () => {
    await openLogin({ oidc_name: "Acme ID", registration_open: false });
    const link = await screen.findByRole("link", { name: "Continue with Acme ID" });
    expect(link).toHaveAttribute("href", "/api/v1/auth/oidc/start?next=%2Fprojects");
    expect(screen.queryByText("No account yet?")).not.toBeInTheDocument();
    expect(await axeViolations()).toEqual([]);
  });
});

describe("register", () => {
  async function openRegister(config: object = {}, onRegistered = vi.fn()) {
    answer("get", "auth/config", { ...CONFIG, ...config });
    const page = await renderPage(
      <RegisterPage
        next={undefined}
        invitation={undefined}
        proof={undefined}
        onRegistered={onRegistered}
      />,
    );
    await screen.findByLabelText(/^Email/);
    return { ...page, onRegistered };
  }

  it("puts the server's complaints on their fields", async () => {
    refuse("post", "auth/register", 400, {
      code: "VALIDATION_ERROR",
      details: [
        { field: "email", message: "This domain is not allowed.", code: "domain" },
        { field: "password", message: "This password is known.", code: "known" },
      ],
    });
    const { user, onRegistered } = await openRegister();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), STRONG);
    await user.type(screen.getByLabelText(/^Confirm password/), STRONG);
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() =>
      expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription(
        "This domain is not allowed.",
      ),
    );
    expect(screen.getByLabelText(/^Password/)).toHaveAccessibleDescription(
      "This password is known.",
    );
    expect(onRegistered).not.toHaveBeenCalled();
  });

  it("ticks each rule while typing and refuses a weak password", async () => {
    const sent = answer("post", "auth/register", aSignIn(), { status: 201 });
    const { user } = await openRegister();
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), "abc1");
    const rule = (name: RegExp) => screen.getByText(name).closest("li");
    expect(rule(/A digit/)).toHaveTextContent("(met)");
    expect(rule(/An uppercase letter/)).toHaveTextContent("(not met)");
    await user.type(screen.getByLabelText(/^Confirm password/), "abc1");
    await user.click(screen.getByRole("button", { name: "Create account" }));
    expect(await screen.findByText(/does not meet all rules/)).toBeInTheDocument();
    expect(sent).toHaveLength(0);
  });

  it("asks for the terms only where there are some", async () => {
    const sent = answer("post", "auth/register", aSignIn(), { status: 201 });
    const { user } = await openRegister({ terms_url: "https://example.org/terms" });
    await user.type(screen.getByLabelText(/^Email/), "ada@example.org");
    await user.type(screen.getByLabelText(/^Password/), STRONG);
    await user.type(screen.getByLabelText(/^Confirm password/), `${STRONG}{Enter}`);
    expect(await screen.findByText("Accept the terms to continue.")).toBeInTheDocument();
    expect(sent).toHaveLength(0);
    await user.click(screen.getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Create account" }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });
});

describe("sign-in link", () => {
  it("posts the token once and continues", async () => {
    const sent = answer("post", "auth/sign-in-link", aSignIn());
    const onSignedIn = vi.fn();
    await renderPage(<SignInLinkPage token="abc" onSignedIn={onSignedIn} />);
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledOnce());
    expect(sent.map(({ body }) => body)).toEqual([{ token: "abc" }]);
  });

  it("explains a used link and how to get a new one", async () => {
    refuse("post", "auth/sign-in-link", 409, { code: "LINK_EXPIRED" });
    await renderPage(<SignInLinkPage token="old" onSignedIn={vi.fn()} />);
    expect(
      await screen.findByRole("heading", { name: "This link no longer works" }),
    ).toBeInTheDocument();
    expect(screen.getByText("edison serve")).toBeInTheDocument();
  });
});

describe("confirming an address", () => {
  it("confirms at once in the browser that is signed in", async () => {
    const sent = answer("post", "auth/email-confirmation/use", aSignIn());
    const onConfirmed = vi.fn();
    await renderPage(<ConfirmEmailPage token="secret" onConfirmed={onConfirmed} />);
    await waitFor(() => expect(onConfirmed).toHaveBeenCalledOnce());
    expect(sent[0]?.body).toEqual({ token: "secret", password: null });
  });

  it("asks everyone else for a new password before it hands the account over", async () => {
    refuse("post", "auth/email-confirmation/use", 409, { code: "PASSWORD_NEEDED" });
    const onConfirmed = vi.fn();
    const { user, container } = await renderPage(
      <ConfirmEmailPage token="secret" onConfirmed={onConfirmed} />,
    );
    const password = await screen.findByLabelText(/^New password/);
    expect(await axeViolations(container)).toEqual([]);
    const sent = answer("post", "auth/email-confirmation/use", aSignIn());
    await user.type(password, `${STRONG}{Enter}`);
    await waitFor(() => expect(onConfirmed).toHaveBeenCalledOnce());
    expect(sent[0]?.body).toEqual({ token: "secret", password: STRONG });
  });

  it("says so when the link is spent", async () => {
    refuse("post", "auth/email-confirmation/use", 409, {
      code: "CONFIRMATION_EXPIRED",
      message: "This link is too old.",
    });
    await renderPage(<ConfirmEmailPage token="old" onConfirmed={vi.fn()} />);
    expect(await screen.findByText("This link is too old.")).toBeInTheDocument();
  });
});
