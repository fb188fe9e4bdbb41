import { fail, ok, type Result } from "../errors.ts";
import type { DomainEvent, EventKind } from "../event.ts";
import { reasonWords } from "../text.ts";
import type { SignatureDecision, SignatureEvent, SignatureRequest, SignatureStatus } from "./signature.ts";
import { signatureView } from "./signature-view.ts";

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

/** The event of a request that was rejected when it arrived. */
export const signatureRejected = (signature: SignatureRequest): DomainEvent =>
  happened("wallet.signature.rejected", signature, signature.dateRequested);

/** The event of a new request; stored in the same transaction as its row. */
export const signatureRequested = (signature: SignatureRequest): DomainEvent =>
  happened("wallet.signature.requested", signature, signature.dateRequested);

/**
 * Changes the state of a request for a signature: `(request, event) → request' + events to emit` (INV-6).
 *
 * @returns SignatureStateInvalid when the event does not fit the state: a repeated or late message, or work
 * before the authority has signed (INV-8). The caller then leaves the row unchanged.
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
      return quiet({ ...signature, reason: reasonWords(event.reason) });
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
        { ...signature, status: "Failed", reason: reasonWords(event.reason) },
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
