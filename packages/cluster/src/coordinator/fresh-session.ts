import { type Entropy, SESSION_ID_BYTES, type SessionId } from "@conclave/threshold";
import { type SessionKey, sessionKey } from "../control/session-key.ts";

/** Draws a session id that was never used: each attempt has its own (INV-2). */
export const freshSession = (entropy: Entropy): { readonly id: SessionId; readonly key: SessionKey } => {
  const id = entropy(SESSION_ID_BYTES);
  const key = sessionKey(id);
  if (key === undefined) throw new Error("the entropy gave too few bytes");
  return { id, key };
};
