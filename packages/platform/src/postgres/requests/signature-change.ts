import {
  decideSignature,
  fail,
  type Result,
  type SignatureEvent,
  type SignatureId,
  type SignatureRequest,
} from "@conclave/custody";
import type { Connection } from "../database.ts";
import { recordEvents } from "../events.ts";
import { lockSignature, updateSignature } from "./signatures.ts";

/**
 * Applies an event to a signature request: row and events in the caller's transaction (INV-6).
 * @returns the changed request; or SignatureNotFound or SignatureStateInvalid, and then nothing has changed
 */
export const changeSignature = async (
  connection: Connection,
  id: SignatureId,
  event: SignatureEvent,
): Promise<Result<SignatureRequest>> => {
  const signature = await lockSignature(connection, id);
  if (signature === undefined) return fail("SignatureNotFound", { signatureId: id });
  const decision = decideSignature(signature, event);
  if (!decision.ok) return decision;
  await updateSignature(connection, decision.value.signature);
  await recordEvents(connection, decision.value.events);
  return { ok: true, value: decision.value.signature };
};
