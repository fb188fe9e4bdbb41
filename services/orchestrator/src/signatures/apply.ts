import {
  decideSignature,
  fail,
  type Result,
  type SignatureEvent,
  type SignatureId,
  type SignatureRequest,
} from "@conclave/custody";
import { type Database, lockSignature, recordEvents, updateSignature } from "@conclave/platform";

/**
 * Moves a request for a signature on: the new state, its events and their messages commit together (INV-6).
 *
 * @returns the request as it is now, or SignatureStateInvalid, which leaves everything as it was
 */
export const apply = (
  database: Database,
  id: SignatureId,
  event: SignatureEvent,
): Promise<Result<SignatureRequest>> =>
  database.transaction(async (connection) => {
    const signature = await lockSignature(connection, id);
    if (signature === undefined) return fail("SignatureNotFound");
    const decision = decideSignature(signature, event);
    if (!decision.ok) return decision;
    await updateSignature(connection, decision.value.signature);
    await recordEvents(connection, decision.value.events);
    return { ok: true, value: decision.value.signature };
  });
