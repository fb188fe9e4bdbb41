import type { SigningResult } from "@conclave/cluster";
import { type ChainRequest, ERRORS, type ErrorCode, type SignedAuthorisation } from "@conclave/custody";
import type { CoordinationOutcome as Outcome } from "@conclave/platform/coordination";
import type { Signature } from "@conclave/threshold";
import { apply, failUnsigned, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { renew } from "./prepare.ts";
import { again, GO_ON, type Next, type RequestWork, type Step } from "./step.ts";

/** While too few signers live a request is looked at this often: signing goes on within a second of their return. */
const SIGNERS_AWAY_MS = 400;
const SIGNING_FAILED_MS = 500;

export interface SigningRequest {
  readonly keyId: string;
  readonly authorisation: SignedAuthorisation;
  readonly unsignedTransaction: Uint8Array;
  /** whether it is the wallet's signature over these bytes: one that is not is never used (P19) */
  readonly isSignature: (signature: Signature) => boolean;
}

/** The cluster's signers, as a request needs them. */
export interface SigningQuorum {
  /** why signing cannot begin now; undefined when it can */
  shortage(): string | undefined;
  /**
   * Signs with one quorum after another, replacing signers that die, stall or are blamed. It is "stopped" when too
   * few signers live or the process ends.
   * @param waiting told why it does not go on at the moment
   */
  sign(request: SigningRequest, waiting: (reason: string) => void): Promise<Outcome<SigningResult>>;
}

/**
 * Has the unsigned bytes signed by a quorum, checks the signature once more, and stores the signed bytes before
 * anyone broadcasts them (INV-4). With too few signers live the request stays Executing and says why; the message
 * goes back to the bus, and no lane of work is held.
 */
export const sign: Step = async (work, request) => {
  const { unsignedTransaction, authorisation } = request;
  if (unsignedTransaction === undefined || authorisation === undefined) return GO_ON;
  const shortage = work.quorum.shortage();
  if (shortage !== undefined) return wait(work, request, shortage);
  if (request.reason !== undefined) return renew(work, request);
  const signing = {
    keyId: authorisedOf(request).keyId,
    authorisation,
    unsignedTransaction,
    isSignature: (signature: Signature) =>
      work.chain.attach(unsignedTransaction, signature, work.wallet.address).ok,
  };
  let reason: string | undefined;
  const outcome = await work.quorum.sign(signing, (why) => {
    reason = why;
    noteInPassing(work, request, why);
  });
  switch (outcome.kind) {
    case "done":
      return store(work, request, unsignedTransaction, outcome.value);
    case "failed":
      return notSigned(work, request, outcome.problem.code, outcome.problem.message);
    case "stopped":
      return wait(work, request, work.quorum.shortage() ?? reason ?? "waiting for signers");
  }
};

/** Signing goes on meanwhile; when the note cannot be written now, the next one is. */
const noteInPassing = ({ database, logger }: RequestWork, request: ChainRequest, reason: string): void => {
  noteReason(database, request, reason).catch((error: unknown) =>
    logger.warn({ requestId: request.id, err: error }, "the reason of a wait is not written"),
  );
};

const wait = async ({ database }: RequestWork, request: ChainRequest, reason: string): Promise<Next> => {
  await noteReason(database, request, reason);
  return again(SIGNERS_AWAY_MS);
};

/** An outage passes. A refusal does not: nothing was signed, so that failing the request cannot pay twice (INV-4). */
const notSigned = async (
  { database }: RequestWork,
  request: ChainRequest,
  code: ErrorCode,
  message: string,
): Promise<Next> => {
  if (ERRORS[code].kind === "refusal") {
    await failUnsigned(database, request.id, message);
    return GO_ON;
  }
  await noteReason(database, request, message);
  return again(SIGNING_FAILED_MS);
};

const store = async (
  { database, chain, wallet, logger }: RequestWork,
  request: ChainRequest,
  unsigned: Uint8Array,
  result: SigningResult,
): Promise<Next> => {
  const attached = chain.attach(unsigned, result.signature, wallet.address);
  if (!attached.ok) {
    logger.error({ requestId: request.id, problem: attached.problem }, "a signature does not fit its wallet");
    await noteReason(database, request, attached.problem.message);
    return again(SIGNING_FAILED_MS);
  }
  const { signed, txHash } = attached.value;
  // a second delivery may have stored other bytes meanwhile: those are the ones that are broadcast
  await apply(database, request.id, { kind: "Signed", signedTransaction: signed, txHash });
  logger.info(
    {
      requestId: request.id,
      txHash,
      quorum: result.quorum,
      attempts: result.attempts,
      path: result.path.kind,
    },
    "request signed",
  );
  return GO_ON;
};
