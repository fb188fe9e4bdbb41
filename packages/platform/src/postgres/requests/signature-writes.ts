import {
  decideSignature,
  ok,
  type Result,
  type SignatureEvent,
  type SignatureRequest,
} from "@conclave/custody";
import type { Writes } from "../commit/commit.ts";
import { signatures } from "./signatures.ts";

/**
 * Derives the writes of an event of a signature request.
 *
 * @returns the request after it, and the writes; or SignatureStateInvalid
 */
export const signatureWrites = (
  before: SignatureRequest,
  event: SignatureEvent,
): Result<{ readonly signature: SignatureRequest; readonly writes: Writes }> => {
  const decision = decideSignature(before, event);
  if (!decision.ok) return decision;
  const { signature, events } = decision.value;
  const row = { table: "signatures", id: signature.id } as const;
  const values = signatures.updateValues(signature);
  const update = { kind: "update", row, text: signatures.updateText, values } as const;
  return ok({ signature, writes: { changes: [update], events, due: [] } });
};
