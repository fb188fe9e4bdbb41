import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";

const LONGEST = 4_096;
const base64url = z
  .string()
  .max(LONGEST)
  .regex(/^[A-Za-z0-9_-]+={0,2}$/);

/** A `Key` credential's assertion (wire interface, section B.3, step 4). */
export const keyAssertionSchema = z.strictObject({
  credId: z.string().max(LONGEST),
  clientData: base64url,
  signature: base64url,
  algorithm: z.enum(["RSA-SHA256", "SHA256", "SHA512"]).optional(),
});
export type KeyAssertion = z.infer<typeof keyAssertionSchema>;

const clientDataSchema = z.looseObject({ type: z.literal("key.get"), challenge: z.string() });

/**
 * Whether an assertion signs this very challenge with this key (wire interface, section B.4): Ed25519 as it is, other
 * keys over a digest. Members of the client data beyond type and challenge are the client's affair.
 */
export const assertionHolds = (assertion: KeyAssertion, challenge: string, publicKey: string): boolean => {
  const clientData = Buffer.from(assertion.clientData, "base64url");
  const parsed = clientDataSchema.safeParse(parseJson(clientData.toString("utf8")));
  if (!parsed.success || parsed.data.challenge !== challenge) return false;
  try {
    const key = createPublicKey(publicKey);
    return verify(digestOf(key, assertion), clientData, key, Buffer.from(assertion.signature, "base64url"));
  } catch {
    return false;
  }
};

const digestOf = (key: KeyObject, assertion: KeyAssertion): string | null => {
  const isEdwards = key.asymmetricKeyType === "ed25519" || key.asymmetricKeyType === "ed448";
  return isEdwards ? null : (assertion.algorithm ?? "sha256");
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
