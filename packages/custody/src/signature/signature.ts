import { z } from "zod";
import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import type { KeyId, OrganisationId, SignatureId, WalletId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { PolicyDecision } from "../policies/policy-decision.ts";
import type { Requester } from "../requester.ts";
import type { SignatureBody } from "./signature-body.ts";
import { signatureView } from "./signature-view.ts";

export const SIGNATURE_STATUSES = ["Pending", "Executing", "Signed", "Failed", "Rejected"] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

const word = z.string().regex(/^0x[0-9a-f]{64}$/);

/** A signature as the API answers it: halves of 32 bytes in hex with 0x. */
export const signatureValueSchema = z.strictObject({
  r: word,
  s: word,
  /** of ECDSA: the parity of R's y */
  recid: z.int().min(0).max(1).optional(),
  /** r and s in one, and on EVM chains v (1b or 1c) after them */
  encoded: z.string().regex(/^0x[0-9a-f]{128}(1b|1c)?$/),
});
export type SignatureValue = z.infer<typeof signatureValueSchema>;

/** One request for a signature, from acceptance to its end. Dates are ISO 8601 UTC. */
export interface SignatureRequest {
  readonly id: SignatureId;
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  /** absent when the key itself was asked */
  readonly walletId: WalletId | undefined;
  readonly network: Network | undefined;
  readonly requester: Requester;
  readonly requestBody: SignatureBody;
  readonly externalId: string | undefined;
  readonly status: SignatureStatus;
  /** why it failed or was rejected, or what it waits for */
  readonly reason: string | undefined;
  readonly approvalId: string | undefined;
  /** both absent while an approval is pending: the authority signs nothing before (INV-8) */
  readonly policyDecision: PolicyDecision | undefined;
  readonly authorisation: SignedAuthorisation | undefined;
  readonly signature: SignatureValue | undefined;
  /** of a transaction: the whole of it, signed, in hex with 0x */
  readonly signedData: string | undefined;
  readonly dateRequested: string;
  readonly datePolicyResolved: string | undefined;
  readonly dateSigned: string | undefined;
}

export type SignatureEvent =
  /** an approval came: the authority has signed */
  | {
      readonly kind: "Authorised";
      readonly authorisation: SignedAuthorisation;
      readonly policyDecision: PolicyDecision;
      readonly date: string;
    }
  /** policies or approvers refused it */
  | { readonly kind: "Rejected"; readonly date: string; readonly reason: string }
  /** work begins: Pending → Executing */
  | { readonly kind: "Begun" }
  /** work cannot go on yet, as when too few signers are live */
  | { readonly kind: "Waiting"; readonly reason: string }
  | {
      readonly kind: "Signed";
      readonly signature: SignatureValue;
      readonly signedData: string | undefined;
      readonly date: string;
    }
  | { readonly kind: "Failed"; readonly date: string; readonly reason: string };

export interface SignatureDecision {
  readonly signature: SignatureRequest;
  readonly events: readonly DomainEvent[];
}

const FROM: Readonly<Record<SignatureEvent["kind"], readonly SignatureStatus[]>> = {
  Authorised: ["Pending"],
  Rejected: ["Pending"],
  Begun: ["Pending"],
  Waiting: ["Executing"],
  Signed: ["Executing"],
  Failed: ["Pending", "Executing"],
};

const happened = (kind: EventKind, signature: SignatureRequest, date: string): DomainEvent => ({
  kind,
  orgId: signature.orgId,
  entityId: signature.id,
  date,
  data: { signatureRequest: signatureView(signature) },
});

const quiet = (signature: SignatureRequest): Result<SignatureDecision> => ok({ signature, events: [] });
const loud = (kind: EventKind, signature: SignatureRequest, date: string): Result<SignatureDecision> =>
  ok({ signature, events: [happened(kind, signature, date)] });

/** The event that tells of a request that was rejected as it came. */
export const signatureRejected = (signature: SignatureRequest): DomainEvent =>
  happened("wallet.signature.rejected", signature, signature.dateRequested);

/** The event that tells of a new request; stored in the same transaction as its row. */
export const signatureRequested = (signature: SignatureRequest): DomainEvent =>
  happened("wallet.signature.requested", signature, signature.dateRequested);

/**
 * Moves a request for a signature on: `(request, event) → request' + events to emit` (INV-6).
 *
 * @returns SignatureStateInvalid when the event does not fit the state: a message that came twice, or late, or work that
 *   begins before the authority has signed (INV-8). The caller leaves the row as it is.
 */
export const decideSignature = (
  signature: SignatureRequest,
  event: SignatureEvent,
): Result<SignatureDecision> => {
  if (!FROM[event.kind].includes(signature.status)) return misfit(signature, event);
  switch (event.kind) {
    case "Authorised":
      return signature.authorisation === undefined
        ? quiet({
            ...signature,
            authorisation: event.authorisation,
            policyDecision: event.policyDecision,
            datePolicyResolved: event.date,
          })
        : misfit(signature, event);
    case "Rejected":
      return signature.authorisation === undefined
        ? loud(
            "wallet.signature.rejected",
            { ...signature, status: "Rejected", reason: event.reason, datePolicyResolved: event.date },
            event.date,
          )
        : misfit(signature, event);
    case "Begun":
      return signature.authorisation === undefined
        ? misfit(signature, event)
        : quiet({ ...signature, status: "Executing" });
    case "Waiting":
      return quiet({ ...signature, reason: event.reason });
    case "Signed":
      return loud(
        "wallet.signature.signed",
        {
          ...signature,
          status: "Signed",
          reason: undefined,
          signature: event.signature,
          signedData: event.signedData,
          dateSigned: event.date,
        },
        event.date,
      );
    case "Failed":
      return loud(
        "wallet.signature.failed",
        { ...signature, status: "Failed", reason: event.reason },
        event.date,
      );
  }
};

const misfit = (signature: SignatureRequest, event: SignatureEvent): Result<never> =>
  fail("SignatureStateInvalid", {
    signatureId: signature.id,
    status: signature.status,
    event: event.kind,
  });
