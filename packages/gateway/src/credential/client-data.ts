import { z } from "zod";

const schema = z.looseObject({ type: z.string(), challenge: z.string() });

/** The JSON value of a base64url text, or undefined. */
export const readJson = (base64url: string): unknown => {
  try {
    return JSON.parse(Buffer.from(base64url, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
};

/**
 * Whether a client's data are for this challenge (wire interface, section B.4). Members other than type and challenge,
 * such as origin and crossOrigin, are not checked here.
 */
export const isClientDataOf = (
  clientData: string,
  type: "key.get" | "key.create",
  challenge: string,
): boolean => {
  const found = challengeOf(clientData, type);
  return found !== undefined && isIssuedChallenge(found, challenge);
};

/** The challenge in a client's data; undefined when they are malformed, or of another type. */
export const challengeOf = (clientData: string, type: "key.get" | "key.create"): string | undefined => {
  const parsed = schema.safeParse(readJson(clientData));
  return parsed.success && parsed.data.type === type ? parsed.data.challenge : undefined;
};

const framedSchema = z.looseObject({ crossOrigin: z.literal(true) });

/** Whether the page that asked the authenticator was in a frame of another origin, which its user may not have seen. */
export const isCrossOrigin = (clientData: string): boolean =>
  framedSchema.safeParse(readJson(clientData)).success;

/**
 * Whether a signed challenge is the one that was issued. Browsers sign the bytes that they receive, which are the
 * text's with one client library and the decoded text's with another; the vendor's samples for recovery keys use the
 * latter, too.
 */
export const isIssuedChallenge = (found: string, issued: string): boolean =>
  found === issued || found === Buffer.from(issued, "utf8").toString("base64url");
