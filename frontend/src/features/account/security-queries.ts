import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { keys } from "@/api/keys";

export const secondFactorQuery = queryOptions({
  queryKey: keys.secondFactor,
  queryFn: ({ signal }) => unwrap(api.GET("/api/v1/auth/second-factor", { signal })),
});

/** What two-factor authentication changes is shown in several places. */
function useRefresh() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [keys.secondFactor, keys.me, keys.sessions].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
}

export function useStartEnrolment() {
  return useMutation({
    mutationFn: (body: { password: string | null }) =>
      unwrap(api.POST("/api/v1/auth/second-factor/enrolment", { body })),
  });
}

export function useConfirmEnrolment() {
  return useMutation({
    mutationFn: (body: { code: string }) =>
      unwrap(api.POST("/api/v1/auth/second-factor/confirmation", { body })),
    onSuccess: useRefresh(),
  });
}

export interface PasswordAndCode {
  password: string | null;
  code: string;
}

export function useRenewCodes() {
  return useMutation({
    mutationFn: (body: PasswordAndCode) =>
      unwrap(api.POST("/api/v1/auth/second-factor/recovery-codes", { body })),
    onSuccess: useRefresh(),
  });
}

export function useDisableSecondFactor() {
  return useMutation({
    mutationFn: (body: PasswordAndCode) =>
      unwrap(api.POST("/api/v1/auth/second-factor/removal", { body })),
    onSuccess: useRefresh(),
  });
}

/** Mails the link that confirms the address again. */
export function useSendConfirmation() {
  return useMutation({
    mutationFn: () => unwrap(api.POST("/api/v1/auth/email-confirmation")),
  });
}
