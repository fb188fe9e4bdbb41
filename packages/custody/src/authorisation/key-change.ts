import { z } from "zod";
import { keyChangeIdSchema, keyIdSchema } from "../identifiers.ts";
import { namedClusterSchema } from "./named-cluster.ts";

const EPOCH_MAX = 2 ** 32 - 1;

/**
 * A new epoch of a key: new shares for its holders (refresh), or the key dealt anew, so that a signer that
 * lost its share gets one again (reshare). The authorisation names the key and its epoch, so it is of use
 * once.
 */
export const authorisedKeyChangeSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(["key-refresh", "key-reshare"]),
  requestId: keyChangeIdSchema,
  keyId: keyIdSchema,
  /** lower-case hex, as the signers store it */
  publicKey: z.string().regex(/^([0-9a-f]{2}){32,33}$/),
  /** the current epoch */
  epoch: z
    .int()
    .min(1)
    .max(EPOCH_MAX - 1),
  /** the new epoch: above the current one and above those of failed attempts; absent: the current one plus 1 */
  nextEpoch: z.int().min(2).max(EPOCH_MAX).optional(),
  threshold: z.int().min(2).max(64),
  /** roster indices of all parties that will hold a share, ascending */
  parties: z.array(z.int().min(1).max(64)).min(2).max(64),
  cluster: namedClusterSchema,
  dateRequested: z.string(),
});
export type AuthorisedKeyChange = z.infer<typeof authorisedKeyChangeSchema>;

/**
 * New auxiliary information that replaces the one in use. Only the authority may order it: nothing that
 * signers made with the old one, such as a presignature, is of use afterwards.
 */
export const authorisedAuxiliarySchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("auxiliary"),
  requestId: keyChangeIdSchema,
  /** the current epoch; 0 before the first */
  from: z.int().min(0).max(EPOCH_MAX),
  /** the new epoch, above the current one */
  epoch: z.int().min(1).max(EPOCH_MAX),
  /** roster indices, ascending: all signers */
  parties: z.array(z.int().min(1).max(64)).min(2).max(64),
  cluster: namedClusterSchema,
  dateRequested: z.string(),
});
export type AuthorisedAuxiliary = z.infer<typeof authorisedAuxiliarySchema>;

/**
 * The result of a running session is not wanted, and signers discard it. Only the authority may say so: it
 * ordered the new shares.
 */
export const authorisedKeyDiscardSchema = z.strictObject({
  version: z.literal(1),
  kind: z.literal("key-discard"),
  requestId: keyChangeIdSchema,
  /** "auxiliary" stands for the auxiliary information: no key has that id */
  keyId: z.union([keyIdSchema, z.literal("auxiliary")]),
  /** the session id, in lower-case hex */
  session: z.string().regex(/^[0-9a-f]{64}$/),
  cluster: namedClusterSchema,
  dateRequested: z.string(),
});
export type AuthorisedKeyDiscard = z.infer<typeof authorisedKeyDiscardSchema>;
