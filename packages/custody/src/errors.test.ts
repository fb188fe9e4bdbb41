import { describe, expect, it } from "vitest";
import { CALL_ERRORS } from "./errors/calls.ts";
import { IDENTITY_ERRORS } from "./errors/identities.ts";
import { OUTAGES } from "./errors/outages.ts";
import { POLICY_ERRORS } from "./errors/policies.ts";
import { PROCESS_ERRORS } from "./errors/processes.ts";
import { REQUEST_ERRORS } from "./errors/requests.ts";
import { SIGNER_ERRORS } from "./errors/signers.ts";
import { WALLET_ERRORS } from "./errors/wallets.ts";
import { WEBHOOK_ERRORS } from "./errors/webhooks.ts";
import { ERRORS } from "./errors.ts";

const PARTS = [
  CALL_ERRORS,
  IDENTITY_ERRORS,
  WALLET_ERRORS,
  REQUEST_ERRORS,
  POLICY_ERRORS,
  WEBHOOK_ERRORS,
  SIGNER_ERRORS,
  OUTAGES,
  PROCESS_ERRORS,
];

/** Messages that client libraries compare with: they must stay exactly as the interface has them. */
const WORDS_OF_CLIENTS: readonly string[] = [
  "user token is missing or invalid",
  "user token has expired",
  "user action signature is missing or invalid",
  "user action has already been used",
  "request nonce is missing or invalid",
  "request nonce has already been used",
  "Conflicting request with same externalId",
  "permission not found",
  "identity not found",
  "assignment not found",
  "user not found",
  "service account not found",
  "access token not found",
  "application not found",
  "application cannot modify its own state",
  "credential not found",
  "Registration code expired",
  "audit log not found",
  "wallet not found",
  "key not found",
  "transfer not found",
  "transaction not found",
  "signature not found",
  "policy not found",
  "approval not found",
  "webhook not found",
  "webhook event not found",
  "Internal Server Error",
];

/** The words with which remedies begin: each is an action. "See" is not among them, since it names no next step. */
const STEPS: readonly string[] =
  "Archive Ask Assign Begin Build Change Check Choose Compare Correct Create Deactivate Delete Deny Encrypt Export Find Free Have Leave Let List Name Offer Provision Raise Read Register Remove Repair Replace Report Restore Revoke Run Send Set Settle Shard Show Sign Start Stop Take Tell Try Upgrade Use Wait".split(
    " ",
  );

const ROWS = Object.entries(ERRORS).map(([code, { message, remedy }]) => ({ code, message, remedy }));

describe("the table of errors", () => {
  it("has each code once", () => {
    const codes = PARTS.flatMap((part) => Object.keys(part));
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
    expect(codes.toSorted()).toEqual(ROWS.map(({ code }) => code).toSorted());
  });

  it("uses every entry of the lists in this test", () => {
    const messages = new Set(ROWS.map(({ message }) => message));
    expect(WORDS_OF_CLIENTS.filter((words) => !messages.has(words))).toEqual([]);
    const first = new Set(ROWS.map(({ remedy }) => remedy.split(" ")[0]));
    expect(STEPS.filter((step) => !first.has(step))).toEqual([]);
  });

  it.each(ROWS)("$code names a cause in a sentence", ({ message }) => {
    if (!WORDS_OF_CLIENTS.includes(message)) expect(message).toMatch(/^[A-Z][^\n]* [^\n]*[A-Za-z0-9)]\.$/);
  });

  it.each(ROWS)("$code has a remedy that begins with a next step", ({ remedy }) => {
    expect(STEPS).toContain(remedy.split(" ")[0]);
    expect(remedy).toMatch(/^[A-Z][^\n]* [^\n]*[^\s.,;:]\.$/);
  });

  it.each(ROWS)("$code says it in words that its reader knows", ({ message, remedy }) => {
    expect(`${message} ${remedy}`).not.toMatch(/\b(brain|seat|lodger|told|undefined|null|todo|stub)\b/i);
  });

  it("names a code for every status that a caller can mend, and an outage for every one that passes", () => {
    const kinds: Readonly<Record<string, (status: number) => boolean>> = {
      refusal: (status) => (status >= 400 && status < 500) || status === 501 || status === 500,
      outage: (status) => status === 503,
      fault: (status) => status === 503,
      internal: (status) => status === 500,
    };
    const wrong = Object.entries(ERRORS).filter(([, { kind, status }]) => kinds[kind]?.(status) !== true);
    expect(wrong).toEqual([]);
  });
});
