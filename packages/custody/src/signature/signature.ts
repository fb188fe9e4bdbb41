import { z } from "zod";
import type { SignedAuthorisation } from "../authorisation/signed-authorisation.ts";
import type { DomainEvent } from "../event.ts";
import type { KeyId, OrganisationId, SignatureId, WalletId } from "../identifiers.ts";
import type { Network } from "../network.ts";
import type { PolicyDecision } from "../policies/policy-decision.ts";
import type { Requester } from "../requester.ts";
import type { SignatureBody } from "./signature-body.ts";

export const SIGNATURE_STATUSES = ["Pending", "Executing", "Signed", "Failed", "Rejected"] as const;
export type SignatureStatus = (typeof SIGNATURE_STATUSES)[number];

const word = z.string().regex(/^0x[0-9a-f]{64}$/);

/** A signature in API responses: r and s of 32 bytes each in hex with 0x. */
export const signatureValueSchema = z.strictObject({
  r: word,
  s: word,
  /** only for ECDSA: the parity of R's y */
  recid: z.int().min(0).max(1).optional(),
  /** r and s concatenated; for EVM chains followed by v (1b or 1c) */
  encoded: z.string().regex(/^0x[0-9a-f]{128}(1b|1c)?$/),
});
export type SignatureValue = z.infer<typeof signatureValueSchema>;

/** One request for a signature, from acceptance to its end. Dates are ISO 8601 UTC. */
export interface SignatureRequest {
  readonly id: SignatureId;
  readonly orgId: OrganisationId;
  readonly keyId: KeyId;
  /** absent when the request was made on the key itself */
  readonly walletId: WalletId | undefined;
  readonly network: Network | undefined;
  readonly requester: Requester;
  readonly requestBody: SignatureBody;
  readonly externalId: string | undefined;
  readonly status: SignatureStatus;
  /** why it failed or was rejected, or what it waits for */
  readonly reason: string | undefined;
  readonly approvalId: string | undefined;
  /** both absent while an approval is pending: the authority does not sign before (INV-8) */
  readonly policyDecision: PolicyDecision | undefined;
  readonly authorisation: SignedAuthorisation | undefined;
  readonly signature: SignatureValue | undefined;
  /** only for a transaction: the whole signed transaction, in hex with 0x */
  readonly signedData: string | undefined;
  readonly dateRequested: string;
  readonly datePolicyResolved: string | undefined;
  readonly dateSigned: string | undefined;
}

export type SignatureEvent =
  /** people approved, and the authority has signed */
  | {
      readonly kind: "Authorised";
      readonly authorisation: SignedAuthorisation;
      readonly policyDecision: PolicyDecision;
      readonly date: string;
    }
  /** a policy blocked it, or people denied it */
  | { readonly kind: "Rejected"; readonly date: string; readonly reason: string }
  /** work begins: Pending → Executing */
  | { readonly kind: "Begun" }
  /** work cannot go on yet, for example because too few signers are live */
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
