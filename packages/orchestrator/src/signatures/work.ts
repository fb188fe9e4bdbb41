import type { ReadableNetwork } from "@conclave/chains";
import {
  ERRORS,
  type Problem,
  type SignatureEvent,
  type SignatureId,
  type SignatureRequest,
  signatureIdSchema,
} from "@conclave/custody";
import {
  type BusMessage,
  changeSignature,
  type Database,
  type Disposition,
  doneSubject,
  type Logger,
  readKey,
  readSignature,
} from "@conclave/platform";
import type { CoordinationOutcome as Outcome } from "@conclave/platform/coordination";
import { z } from "zod";
import { type Order, orderOf, type SignedOrder } from "./order.ts";
import type { SignatureQuorum } from "./quorum.ts";

/** While too few signers live a request is looked at this often: signing goes on within a second of their return. */
const SIGNERS_AWAY_MS = 400;
const SIGNING_FAILED_MS = 500;

const messageSchema = z.object({ signatureId: signatureIdSchema });

export interface SignatureHandler {
  readonly database: Database;
  /** that are served */
  readonly networks: readonly ReadableNetwork[];
  readonly quorum: SignatureQuorum;
  /** tells a waiting gateway to read the row again */
  readonly signal: (subject: string) => void;
  readonly logger: Logger;
}

const DONE: Disposition = { kind: "Done" };
const again = (afterMs: number): Disposition => ({ kind: "Again", afterMs });
const now = (): string => new Date().toISOString();

/** Refused, and nothing changed, when a second delivery moved the request on meanwhile. */
const apply = (database: Database, id: SignatureId, event: SignatureEvent) =>
  database.transaction((connection) => changeSignature(connection, id, event));

/**
 * Carries a request for a signature to its end. Nothing leaves the cluster before the row holds it, and signing the same
 * content twice is harmless, so a crash, a second delivery or a second orchestrator only repeats work (INV-5).
 */
export const carryOut = async (handler: SignatureHandler, id: SignatureId): Promise<Disposition> => {
  const request = await readSignature(handler.database, id);
  // what waits for an approval has another message once it came
  if (request?.authorisation === undefined) return DONE;
  if (request.status === "Pending") {
    await apply(handler.database, id, { kind: "Begun" });
  } else if (request.status !== "Executing") return settled(handler, id);
  const { authorisation, keyId } = request;
  const key = await readKey(handler.database, keyId);
  // keys of accepted requests are made; one that was archived since signs what was accepted before
  if (key?.status !== "Active" && key?.status !== "Archived")
    throw new Error(`${keyId} is no key to sign with`);
  const order = orderOf(handler.networks, request, authorisation, key.publicKey);
  if (!order.ok) return failed(handler, request, order.problem);
  const shortage = handler.quorum.shortage();
  return shortage === undefined ? sign(handler, request, order.value) : wait(handler, request, shortage);
};

const sign = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  order: Order,
): Promise<Disposition> => {
  let reason: string | undefined;
  const waiting = (why: string): void => {
    reason = why;
  };
  switch (order.kind) {
    case "content": {
      const outcome = await handler.quorum.signContent(order.request, waiting);
      return conclude(handler, request, outcome, order.finish, reason);
    }
    case "message": {
      const outcome = await handler.quorum.signMessage(order.request, waiting);
      return conclude(handler, request, outcome, order.finish, reason);
    }
  }
};

const conclude = async <Signed>(
  handler: SignatureHandler,
  request: SignatureRequest,
  outcome: Outcome<{ readonly signature: Signed; readonly quorum: readonly number[] }>,
  finish: (signature: Signed) => ReturnType<Order["finish"]>,
  reason: string | undefined,
): Promise<Disposition> => {
  switch (outcome.kind) {
    case "done": {
      const finished = finish(outcome.value.signature);
      if (!finished.ok) return failed(handler, request, finished.problem);
      return store(handler, request, finished.value, outcome.value.quorum);
    }
    case "failed":
      return failed(handler, request, outcome.problem);
    case "stopped":
      return wait(handler, request, handler.quorum.shortage() ?? reason ?? "waiting for signers");
  }
};

const store = async (
  handler: SignatureHandler,
  { id }: SignatureRequest,
  signed: SignedOrder,
  quorum: readonly number[],
): Promise<Disposition> => {
  // refused when a second delivery stored one meanwhile: that one is what is answered
  await apply(handler.database, id, { kind: "Signed", date: now(), ...signed });
  handler.logger.info({ signatureId: id, quorum }, "signature made");
  return settled(handler, id);
};

const wait = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  reason: string,
): Promise<Disposition> => {
  await note(handler, request, { kind: "Waiting", reason });
  return again(SIGNERS_AWAY_MS);
};

/** An outage passes. A refusal does not: the signers will never sign it. */
const failed = async (
  handler: SignatureHandler,
  request: SignatureRequest,
  problem: Problem,
): Promise<Disposition> => {
  const reason = problem.message;
  if (ERRORS[problem.code].kind !== "refusal") {
    handler.logger.warn({ signatureId: request.id, problem }, "a signature is not made yet");
    await note(handler, request, { kind: "Waiting", reason });
    return again(SIGNING_FAILED_MS);
  }
  await apply(handler.database, request.id, { kind: "Failed", date: now(), reason });
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

/** What the consumer of signature requests does with a message. */
export const handleSignature =
  (handler: SignatureHandler) =>
  async ({ data }: BusMessage): Promise<Disposition> => {
    const message = messageSchema.safeParse(data);
    if (message.success) return carryOut(handler, message.data.signatureId);
    handler.logger.error({ issues: message.error.issues }, "a signature request cannot be read");
    return DONE;
  };
