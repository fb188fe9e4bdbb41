import { type AuthorisedSigning, fail, ok, type Result, type SignatureContent } from "@conclave/custody";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { ObservedDigest, SigningDigest } from "../../compute/observed-digest.ts";
import type { SignerConfig } from "../config.ts";
import type { SignerEvent } from "../event.ts";
import { TRANSACTION_BYTES_MAX } from "../limits.ts";
import { authorisedSigning } from "../session/authorise.ts";
import type { Purpose, SignerState } from "../state.ts";
import { nonceConflict, replacedBy } from "./request-nonce.ts";

type BeginSigning = Extract<SignerEvent, { readonly kind: "begin-signing" }>;
type SigningPurpose = Extract<Purpose, { readonly protocol: "signing" }>;

/** What a signer makes of what it is asked to sign. */
type Reading = Pick<SigningPurpose, "digest" | "nonce">;

/**
 * What is signed and why: from the signed authorisation and the whole of what it is about. The digest is this signer's
 * own; one that the authority authorised as a bare hash says so, and meets no presignature (P7).
 */
export const understand = (
  state: SignerState,
  event: BeginSigning,
  nowMs: number,
): Result<SigningPurpose> => {
  const authorised = authorisedSigning(state.config, event.authorisation, nowMs);
  if (!authorised.ok) return authorised;
  const { value: request, forgetAtMs } = authorised.value;
  if (request.keyId !== event.keyId) {
    return fail("AuthorisationInvalid", {}, "The authorisation is for another key.");
  }
  const reading = read(state.config, request, event.unsignedTransaction);
  if (!reading.ok) return reading;
  const { digest, nonce } = reading.value;
  const claim = { requestId: request.requestId, replacedId: replacedBy(request), nonce };
  const conflict = nonceConflict(state, claim);
  if (conflict !== undefined) return { ok: false, problem: conflict };
  return ok({
    protocol: "signing",
    keyId: request.keyId,
    ...claim,
    digest,
    presignature: event.presignature,
    requestForgetAtMs: forgetAtMs,
  });
};

const read = (
  config: SignerConfig,
  request: AuthorisedSigning,
  unsignedTransaction: Uint8Array,
): Result<Reading> => {
  switch (request.kind) {
    case "transfer":
    case "transaction": {
      if (unsignedTransaction.length > TRANSACTION_BYTES_MAX) return fail("TransactionUnreadable");
      const transaction = config.readTransaction(request.network, unsignedTransaction, request);
      if (!transaction.ok) return transaction;
      const { digest, nonce } = transaction.value;
      return ok({ digest: { from: "transaction", bytes: digest }, nonce });
    }
    case "signature":
      return unsignedTransaction.length > 0
        ? fail("AuthorisationInvalid", {}, "What is signed stands in the authorisation, and nowhere else.")
        : readContent(config, request.content);
  }
};

const SOURCES = {
  message: "message",
  eip712: "typed-data",
  transaction: "transaction",
} as const satisfies Record<Exclude<SignatureContent["kind"], "hash">, ObservedDigest["from"]>;

const readContent = (config: SignerConfig, content: SignatureContent): Result<Reading> => {
  if (content.kind === "hash") {
    const digest: SigningDigest = { from: "caller", bytes: hexToBytes(content.hash) };
    return ok({ digest, nonce: undefined });
  }
  const reading = config.readContent(content);
  if (!reading.ok) return reading;
  const { digest, nonce } = reading.value;
  return ok({ digest: { from: SOURCES[content.kind], bytes: digest }, nonce });
};
