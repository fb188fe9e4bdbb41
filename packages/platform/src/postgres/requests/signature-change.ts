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
 * Moves a request for a signature on: row and events in the transaction of the caller (INV-6).
 * @returns the request as it is then; SignatureNotFound, or SignatureStateInvalid; then nothing has changed
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
