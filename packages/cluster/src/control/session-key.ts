import { bytesToHex } from "@noble/hashes/utils.js";

/** Names one open control stream, to which reports of its session are written. */
export type CallId = string & { readonly __brand: "CallId" };
/**
 * Names one session in lower-case hex. In a signer's events and effects it is the run id, which signers derive from the
 * session id that they received and from all inputs that they must agree on; in a coordinator's, the session id itself.
 */
export type SessionKey = string & { readonly __brand: "SessionKey" };

const isSessionKey = (hex: string): hex is SessionKey => /^[0-9a-f]{64}$/.test(hex);

/** A session id as the key of maps and records; undefined when it is not 32 bytes. */
export const sessionKey = (session: Uint8Array): SessionKey | undefined => {
  const hex = bytesToHex(session);
  return isSessionKey(hex) ? hex : undefined;
};
