import { hkdfSync, type KeyObject } from "node:crypto";

const SECRET_BYTES = 32;

/**
 * Derives a secret from the gateway's token key (RFC 5869), which all gateways of a cluster have: each purpose has one of its
 * own, which tells nothing of the key or of another purpose's.
 */
export const derivedSecret = (key: KeyObject, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key.export({ type: "pkcs8", format: "der" }), "", purpose, SECRET_BYTES));
