import { z } from "zod";
import { keyChangeIdSchema, keyIdSchema } from "../identifiers.ts";

/**
 * A new epoch of a key: new shares for its holders (refresh), or shares dealt out anew so that a signer which lost its
 * own has one again (reshare). It holds for this very key in this very epoch, and so once.
 */
export const authorisedKeyChangeSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(["key-refresh", "key-reshare"]),
  requestId: keyChangeIdSchema,
  keyId: keyIdSchema,
  /** lower-case hex, as the signers store it */
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  /** the epoch as it is; the new one is the next */
  epoch: z
    .int()
    .min(1)
    .max(2 ** 32 - 2),
  threshold: z.int().min(2).max(64),
  /** roster indices of all that will hold a share, ascending */
  parties: z.array(z.int().min(1).max(64)).min(2).max(64),
  dateRequested: z.string(),
});
export type AuthorisedKeyChange = z.infer<typeof authorisedKeyChangeSchema>;

/**
 * New shares that a session made, or is making, are not wanted. It takes the authority, for who could have some signers
 * discard theirs and others activate them would leave too few of each epoch, and no key at all.
 */
export const authorisedKeyDiscardSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key-discard"),
  requestId: keyChangeIdSchema,
  keyId: keyIdSchema,
  /** the session, in lower-case hex */
  session: z.string().regex(/^[0-9a-f]{64}$/),
  dateRequested: z.string(),
});
export type AuthorisedKeyDiscard = z.infer<typeof authorisedKeyDiscardSchema>;
