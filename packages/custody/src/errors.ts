import { CALL_ERRORS } from "./errors/calls.ts";
import type { ErrorDescriptor } from "./errors/descriptor.ts";
import { IDENTITY_ERRORS } from "./errors/identities.ts";
import { OUTAGES } from "./errors/outages.ts";
import { POLICY_ERRORS } from "./errors/policies.ts";
import { PROCESS_ERRORS } from "./errors/processes.ts";
import { REQUEST_ERRORS } from "./errors/requests.ts";
import { SIGNER_ERRORS } from "./errors/signers.ts";
import { WALLET_ERRORS } from "./errors/wallets.ts";
import { WEBHOOK_ERRORS } from "./errors/webhooks.ts";

export type { ErrorDescriptor } from "./errors/descriptor.ts";

/**
 * The one table of errors, made of the parts in errors/. HTTP, gRPC and the CLI render it; no other code
 * invents error codes.
 */
export const ERRORS = {
  ...CALL_ERRORS,
  ...IDENTITY_ERRORS,
  ...WALLET_ERRORS,
  ...REQUEST_ERRORS,
  ...POLICY_ERRORS,
  ...WEBHOOK_ERRORS,
  ...SIGNER_ERRORS,
  ...OUTAGES,
  ...PROCESS_ERRORS,
} as const satisfies Readonly<Record<string, ErrorDescriptor>>;

export type ErrorCode = keyof typeof ERRORS;

/** An error as a value: its code, a message, and the details. The table has the remedy. */
export interface Problem {
  readonly code: ErrorCode;
  /** the table's message, or a more exact one */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Makes a problem. `exact` replaces the table's message by a more exact one; it never holds a secret (INV-10). */
export const problem = (
  code: ErrorCode,
  details: Readonly<Record<string, unknown>> = {},
  exact?: string,
): Problem => ({ code, message: exact ?? ERRORS[code].message, details });

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text);

/** A value, or the problem because of which there is none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = (
  code: ErrorCode,
  details?: Readonly<Record<string, unknown>>,
  exact?: string,
): Result<never> => ({
  ok: false,
  problem: problem(code, details, exact),
});
