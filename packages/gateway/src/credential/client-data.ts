import { z } from "zod";

const schema = z.looseObject({ type: z.string(), challenge: z.string() });

/** The JSON object in base64url text, or undefined. */
export const readJson = (base64url: string): unknown => {
  try {
    return JSON.parse(Buffer.from(base64url, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
};

/**
 * Whether a client's data are for this very challenge (wire interface, section B.4). Members beyond type and challenge are the
 * client's affair: origin, crossOrigin.
 */
export const isClientDataOf = (
  clientData: string,
  type: "key.get" | "key.create",
  challenge: string,
): boolean => {
  const found = challengeOf(clientData, type);
  return found !== undefined && isIssuedChallenge(found, challenge);
};

/** The challenge that a client's data name; undefined when they are none, or of another type. */
export const challengeOf = (clientData: string, type: "key.get" | "key.create"): string | undefined => {
  const parsed = schema.safeParse(readJson(clientData));
  return parsed.success && parsed.data.type === type ? parsed.data.challenge : undefined;
};

const framedSchema = z.looseObject({ crossOrigin: z.literal(true) });

/** Whether an authenticator was asked by a page inside a frame of another origin, which its user may not have seen. */
export const isCrossOrigin = (clientData: string): boolean =>
  framedSchema.safeParse(readJson(clientData)).success;

/**
 * Whether a challenge that was signed is the one that was issued: browsers sign the bytes that they are given, which are the text's
 * with one client library and the decoded text's with another, and the vendor's samples encode it for recovery keys likewise.
 */
export const isIssuedChallenge = (found: string, issued: string): boolean =>
  found === issued || found === Buffer.from(issued, "utf8").toString("base64url");
