import {
  isoNow,
  type Problem,
  type SchemeSignature,
  type SignatureEvent,
  type SignatureId,
  type SignatureRequest,
  signatureIdSchema,
  type World,
} from "@conclave/custody";
import {
  changeSignature,
  type Database,
  doneSubject,
  type Logger,
  readKey,
  readSignature,
} from "@conclave/platform";
import { askQuorum } from "../ask-quorum.ts";
import { type Disposition, DONE, type RequestLook } from "../queue/disposition.ts";
import type { SigningQuorum } from "../signing-quorum.ts";
import { type Reading, type SignatureTask, type SignedTask, signatureTask } from "./signature-task.ts";

const MISFIT_MS = 500;

export interface SignatureHandler extends Reading {
  readonly database: Database;
  readonly quorum: SigningQuorum;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  readonly logger: Logger;
  readonly world: World;
}

const again = (afterMs: number): Disposition => ({ kind: "Again", afterMs });

/** Refused, and nothing changed, when a second look moved the request on meanwhile. */
const apply = (database: Database, id: SignatureId, event: SignatureEvent) =>
  database.transaction((connection) => changeSignature(connection, id, event));

/**
 * Carries a request for a signature to its end. Nothing leaves the cluster before the row holds it, and signing the same
 * content twice is harmless, so a crash, a second look or a second orchestrator only repeats work (INV-5).
 */
const carryOutSignature = async (handler: SignatureHandler, id: SignatureId): Promise<Disposition> => {
  const request = await readSignature(handler.database, id);
  // what waits for an approval is asked for once it came
  if (request?.authorisation === undefined) return DONE;
  if (request.status === "Pending") {
    await apply(handler.database, id, { kind: "Begun" });
  } else if (request.status !== "Executing") return settled(handler, id);
  const { authorisation, keyId } = request;
  const key = await readKey(handler.database, keyId);
  // keys of accepted requests are made; one that was archived since signs what was accepted before
  if (key?.status !== "Active" && key?.status !== "Archived")
    throw new Error(`${keyId} is no key to sign with`);
  const task = signatureTask(handler, request, authorisation, key);
  return task.ok ? sign(handler, request, task.value) : failed(handler, request, task.problem);
};

const sign = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  task: SignatureTask,
): Promise<Disposition> => {
  const answer = await askQuorum(handler, task.request, () => undefined);
  switch (answer.kind) {
    case "signed": {
      const finished = task.finish(answer.result.signatures);
      if (!finished.ok) return unfit(handler, request, task, answer.result.signatures, finished.problem);
      return store(handler, request, finished.value, answer.result.quorum);
    }
    case "refused":
      return failed(handler, request, answer.problem);
    case "later":
      return wait(handler, request, answer.reason, answer.afterMs);
  }
};

const store = async (
  handler: SignatureHandler,
  { id }: SignatureRequest,
  signed: SignedTask,
  quorum: readonly number[],
): Promise<Disposition> => {
  // refused when a second look stored one meanwhile: that one is what is answered
  await apply(handler.database, id, { kind: "Signed", date: isoNow(handler.world), ...signed });
  handler.logger.info({ signatureId: id, quorum }, "signature made");
  return settled(handler, id);
};

const wait = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  reason: string,
  afterMs: number,
): Promise<Disposition> => {
  await note(handler, request, { kind: "Waiting", reason });
  return again(afterMs);
};

/**
 * What the signers made cannot be handed out. It is made again where it is not the key's signature; where it is, another one would fit
 * no better.
 */
const unfit = (
  handler: SignatureHandler,
  request: SignatureRequest,
  task: SignatureTask,
  signatures: readonly SchemeSignature[],
  problem: Problem,
): Promise<Disposition> => {
  handler.logger.error({ signatureId: request.id, problem }, "a signature does not fit what it is for");
  return task.request.isSigned(signatures)
    ? failed(handler, request, problem)
    : wait(handler, request, problem.message, MISFIT_MS);
};

/** The signers will never sign it. */
const failed = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  problem: Problem,
): Promise<Disposition> => {
  await apply(handler.database, request.id, {
    kind: "Failed",
    date: isoNow(handler.world),
    reason: problem.message,
  });
  return settled(handler, request.id);
};

/** Says why it waits, once. */
const note = async (
  { database }: SignatureHandler,
  { id, reason }: SignatureRequest,
  event: Extract<SignatureEvent, { kind: "Waiting" }>,
): Promise<void> => {
  if (reason !== event.reason) await apply(database, id, event);
};

const settled = ({ signal }: SignatureHandler, id: SignatureId): Disposition => {
  signal(doneSubject(id));
  return DONE;
};

/** Looks at a request for a signature that is due. */
export const lookAtSignature =
  (handler: SignatureHandler): RequestLook =>
  ({ id }) =>
    carryOutSignature(handler, signatureIdSchema.parse(id));
