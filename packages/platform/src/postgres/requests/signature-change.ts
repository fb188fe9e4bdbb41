import {
  fail,
  ok,
  type Result,
  type SignatureEvent,
  type SignatureId,
  type SignatureRequest,
} from "@conclave/custody";
import { writeRows } from "../commit/commit.ts";
import type { Connection } from "../database.ts";
import { signatureWrites } from "./signature-writes.ts";
import { lockSignature } from "./signatures.ts";

/**
 * Applies an event to a signature request: row and events in the caller's transaction (INV-6).
 *
 * @returns the changed request; or SignatureNotFound or SignatureStateInvalid, and then nothing has changed
 */
export const changeSignature = async (
  connection: Connection,
  id: SignatureId,
  event: SignatureEvent,
): Promise<Result<SignatureRequest>> => {
  const signature = await lockSignature(connection, id);
  if (signature === undefined) return fail("SignatureNotFound", { signatureId: id });
  const decided = signatureWrites(signature, event);
  if (!decided.ok) return decided;
  await writeRows(connection, decided.value.writes);
  return ok(decided.value.signature);
};
