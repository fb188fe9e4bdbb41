import type { SigningResult } from "@conclave/cluster";
import {
  isoNow,
  type Problem,
  type SchemeSignature,
  type SignatureEvent,
  type SignatureId,
  signatureIdSchema,
  type World,
} from "@conclave/custody";
import {
  commitSignature,
  type Database,
  doneSubject,
  type Logger,
  readKey,
  readVersionedSignature,
  type VersionedSignature,
} from "@conclave/platform";
import { askSigners } from "../ask-signers.ts";
import { commitAnew } from "../commit-anew.ts";
import { signatureBegun, signatureMade, signatureUnfit } from "../log/log-events.ts";
import { type Disposition, DONE, type RequestLook } from "../queue/disposition.ts";
import type { SigningPort } from "../signing-port.ts";
import { type Reading, type SignatureTask, type SignedTask, signatureTask } from "./signature-task.ts";

const MISFIT_MS = 500;

export interface SignatureHandler extends Reading {
  readonly database: Database;
  readonly quorum: SigningPort;
  /** makes a waiting gateway read the row again */
  readonly signal: (subject: string) => void;
  readonly logger: Logger;
  readonly world: World;
}

const again = (afterMs: number): Disposition => ({ kind: "Again", afterMs });

/**
 * Applies an event to a request (`commitAnew`).
 * @returns the changed request; or the request as seen, when a second look has changed it meanwhile
 */
const apply = async (
  database: Database,
  seen: VersionedSignature,
  event: SignatureEvent,
): Promise<VersionedSignature> => {
  const done = await commitAnew(seen, {
    commit: (current) => commitSignature(database, current, event),
    read: () => readVersionedSignature(database, seen.signature.id),
  });
  return done.ok ? done.value : seen;
};

/**
 * Carries a request for a signature to its end. No signature leaves the cluster before the row holds it, and signing
 * the same content twice is harmless, so a crash, a second look or a second orchestrator only repeats work (INV-5).
 */
const carryOutSignature = async (handler: SignatureHandler, id: SignatureId): Promise<Disposition> => {
  const found = await readVersionedSignature(handler.database, id);
  // a request that waits for an approval is due again once it is approved
  if (found?.signature.authorisation === undefined) return DONE;
  const { authorisation, keyId, status } = found.signature;
  if (status !== "Pending" && status !== "Executing") return settled(handler, id);
  const seen = status === "Pending" ? await apply(handler.database, found, { kind: "Begun" }) : found;
  if (status === "Pending") signatureBegun(handler.logger, { requestId: id });
  const key = await readKey(handler.database, keyId);
  // keys of accepted requests exist; a key that was archived since then still signs what was accepted before
  if (key?.status !== "Active" && key?.status !== "Archived")
    throw new Error(`${keyId} is no key to sign with`);
  const task = signatureTask(handler, seen.signature, authorisation, key);
  return task.ok ? sign(handler, seen, task.value) : failed(handler, seen, task.problem);
};

const sign = async (
  handler: SignatureHandler,
  seen: VersionedSignature,
  task: SignatureTask,
): Promise<Disposition> => {
  const answer = await askSigners(handler, task.request, () => undefined);
  switch (answer.kind) {
    case "signed": {
      const finished = task.finish(answer.result.signatures);
      if (!finished.ok) return unfit(handler, seen, task, answer.result.signatures, finished.problem);
      return store(handler, seen, finished.value, answer.result);
    }
    case "refused":
      return failed(handler, seen, answer.problem);
    case "later":
      return wait(handler, seen, answer.reason, answer.afterMs);
  }
};

const store = async (
  handler: SignatureHandler,
  seen: VersionedSignature,
  signed: SignedTask,
  { quorum, session, attempts, path }: SigningResult,
): Promise<Disposition> => {
  // refused when a second look stored a signature meanwhile, which then is the answer
  await apply(handler.database, seen, { kind: "Signed", date: isoNow(handler.world), ...signed });
  const { id, keyId } = seen.signature;
  const made = { requestId: id, keyId, session, attempts, quorum, path: path.kind };
  signatureMade(handler.logger, made);
  return settled(handler, id);
};

const wait = async (
  handler: SignatureHandler,
  seen: VersionedSignature,
  reason: string,
  afterMs: number,
): Promise<Disposition> => {
  await note(handler, seen, { kind: "Waiting", reason });
  return again(afterMs);
};

/**
 * Handles a signature that cannot be handed out. It is made again if it is not the key's signature; if it is, another
 * one would fit no better.
 */
const unfit = (
  handler: SignatureHandler,
  seen: VersionedSignature,
  task: SignatureTask,
  signatures: readonly SchemeSignature[],
  problem: Problem,
): Promise<Disposition> => {
  const { id } = seen.signature;
  signatureUnfit(handler.logger, { requestId: id, problem });
  return task.request.isSigned(signatures)
    ? failed(handler, seen, problem)
    : wait(handler, seen, problem.message, MISFIT_MS);
};

/** Ends a request that the signers will never sign. */
const failed = async (
  handler: SignatureHandler,
  seen: VersionedSignature,
  problem: Problem,
): Promise<Disposition> => {
  await apply(handler.database, seen, {
    kind: "Failed",
    date: isoNow(handler.world),
    reason: problem.message,
  });
  return settled(handler, seen.signature.id);
};

/** Writes why the request waits, once for each reason. */
const note = async (
  { database }: SignatureHandler,
  seen: VersionedSignature,
  event: Extract<SignatureEvent, { kind: "Waiting" }>,
): Promise<void> => {
  if (seen.signature.reason !== event.reason) await apply(database, seen, event);
};

const settled = ({ signal }: SignatureHandler, id: SignatureId): Disposition => {
  signal(doneSubject(id));
  return DONE;
};

/** Looks at a due request for a signature. */
export const lookAtSignature =
  (handler: SignatureHandler): RequestLook =>
  ({ id }) =>
    carryOutSignature(handler, signatureIdSchema.parse(id));
