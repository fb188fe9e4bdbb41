import type { SigningResult } from "@conclave/cluster";
import type { ChainRequest, SignedAuthorisation } from "@conclave/custody";
import { readDeathStatement, type VersionedRequest } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { askSigners, whyNotAsk } from "../ask-signers.ts";
import { reasonNotWritten, requestSigned, signaturesUnfit } from "../log/log-events.ts";
import { isSchemeSignatureOf } from "../signatures/is-signature-of.ts";
import { apply, noteReason } from "./apply.ts";
import { authorisedOf } from "./authorised.ts";
import { failUnlessSigned, goOnAs } from "./go-on-as.ts";
import { buildReadable, renew } from "./prepare.ts";
import { adoptSent, recallSent } from "./recall-sent.ts";
import { isNamed, recallSigned } from "./recall-signed.ts";
import { signingKeysOf } from "./signing-keys.ts";
import { again, GO_ON, goOnFrom, type Next, type RequestStep, type RequestWork } from "./step.ts";

const SIGNING_FAILED_MS = 500;
const CHAIN_AWAY_MS = 1_000;

/**
 * Has the unsigned bytes signed by a quorum, verifies the signatures once more, and stores the signed bytes before they
 * are broadcast (INV-4). With too few live signers the request stays Executing with the reason, and its message returns
 * to the bus, so that it holds no lane of work.
 */
export const sign: RequestStep = async (work, seen) => {
  const { database, chain } = work;
  const { request } = seen;
  const { unsignedTransaction: unsigned, authorisation } = request;
  if (unsigned === undefined || authorisation === undefined) return GO_ON;
  const obstacle = whyNotAsk(work, authorisation);
  if (obstacle !== undefined) return wait(work, seen, obstacle.reason, obstacle.afterMs);
  const act = authorisedOf(request);
  const read = chain.family.read(chain.node.network, unsigned, act);
  if (request.reason !== undefined) {
    const isBegun =
      read.ok && work.quorum.isBegun({ keyId: act.keyId, unsigned, signables: read.value.signables });
    return isBegun ? goOn(work, seen) : renew(work, seen);
  }
  if (!read.ok) return buildReadable(work, seen, read.problem.message);
  const keys = await signingKeysOf(database, work.wallet, act);
  FAULT: reach("transfer.asked");
  const answer = await askSigners(
    work,
    {
      requestId: request.id,
      keyId: act.keyId,
      authorisation,
      unsigned,
      signables: read.value.signables,
      isChosen: false,
      dead: await deadOf(work, request),
      isSigned: (signatures) => chain.family.attach(unsigned, signatures, keys, chain.node.network).ok,
      isOneSigned: (signable, signature) =>
        keys.some((publicKey) =>
          isSchemeSignatureOf(signable, signature, { publicKey, internalKey: undefined }),
        ),
    },
    (reason) => noteInPassing(work, seen, reason),
  );
  switch (answer.kind) {
    case "signed":
      return store(work, seen, { unsigned, keys, keyId: act.keyId }, answer.result);
    case "refused":
      return failUnlessSigned(work, seen, answer.problem.message);
    case "later":
      return wait(work, seen, answer.reason, answer.afterMs);
  }
};

/**
 * Signs bytes that were built some time ago. Meanwhile signers may have signed others, or these may have landed, which
 * a restored database does not know.
 */
export const signRecalled: RequestStep = async (work, seen) => {
  const { request } = seen;
  if (request.reason !== undefined) return sign(work, seen);
  const recalled = await recallSigned(work, request);
  if (isNamed(recalled)) return goOnAs(work, seen, recalled, () => sign(work, seen));
  const sent = await recallSent(work, request, request);
  switch (sent.kind) {
    case "nothing":
      return sign(work, seen);
    case "sent":
      return adoptSent(work, seen, sent.events);
    case "unsure":
      return wait(work, seen, sent.reason, CHAIN_AWAY_MS);
  }
};

/** Keeps bytes that are signed in part, at their fees: other bytes would have to be signed from the start. */
const goOn = async ({ database }: RequestWork, seen: VersionedRequest): Promise<Next> => {
  await noteReason(database, seen, undefined);
  return GO_ON;
};

/** The authority's statement on all dead transactions of the request. */
const deadOf = async (
  { database }: RequestWork,
  { id, deadTransactions }: ChainRequest,
): Promise<SignedAuthorisation | undefined> => {
  if (deadTransactions === 0) return undefined;
  const said = await readDeathStatement(database, id, deadTransactions);
  if (said?.statement === undefined) throw new Error(`${id} was built again without the authority's word`);
  return said.statement;
};

/** Writes the reason while signing continues; if that fails, the next reason is written. */
const noteInPassing = ({ database, logger }: RequestWork, seen: VersionedRequest, reason: string): void => {
  noteReason(database, seen, reason).catch((error: unknown) =>
    reasonNotWritten(logger, { requestId: seen.request.id, err: error }),
  );
};

const wait = async (
  { database }: RequestWork,
  seen: VersionedRequest,
  reason: string,
  afterMs: number,
): Promise<Next> => {
  await noteReason(database, seen, reason);
  return again(afterMs);
};

const store = async (
  { database, chain, logger }: RequestWork,
  seen: VersionedRequest,
  {
    unsigned,
    keys,
    keyId,
  }: { readonly unsigned: Uint8Array; readonly keys: readonly Uint8Array[]; readonly keyId: string },
  result: SigningResult,
): Promise<Next> => {
  const { request } = seen;
  const attached = chain.family.attach(unsigned, result.signatures, keys, chain.node.network);
  if (!attached.ok) {
    signaturesUnfit(logger, { requestId: request.id, problem: attached.problem });
    await noteReason(database, seen, attached.problem.message);
    return again(SIGNING_FAILED_MS);
  }
  const { signed, txHash } = attached.value;
  FAULT: reach("transfer.signed");
  // a second delivery may have stored other bytes meanwhile: then those are signed and broadcast
  const stored = await apply(database, seen, {
    kind: "Signed",
    unsignedTransaction: unsigned,
    signedTransaction: signed,
    txHash,
  });
  if (!stored.ok) return GO_ON;
  FAULT: reach("transfer.stored");
  requestSigned(logger, {
    requestId: request.id,
    keyId,
    txHash,
    session: result.session,
    attempts: result.attempts,
    quorum: result.quorum,
    path: result.path.kind,
  });
  return goOnFrom(stored.value);
};
