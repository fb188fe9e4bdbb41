import { createHmac, hkdfSync, type KeyObject } from "node:crypto";
import type { OrganisationId } from "@conclave/custody";
import type { ListedCredential } from "../credential/challenge-view.ts";

const SECRET_BYTES = 32;

/** Credentials that nobody has, for names that nobody has: the same name gets the same one every time. */
export type Decoys = (orgId: OrganisationId, username: string) => ListedCredential;

/**
 * Makes decoys that cannot be told from a key's credential without the gateway's token key.
 * @param key the gateway's token key: another secret is derived from it
 */
export const makeDecoys = (key: KeyObject): Decoys => {
  const seed = key.export({ type: "pkcs8", format: "der" });
  const secret = Buffer.from(hkdfSync("sha256", seed, "", "conclave/decoy-credentials", SECRET_BYTES));
  return (orgId, username) => ({
    id: createHmac("sha256", secret).update(`${orgId}/${username}`).digest("base64url"),
    kind: "Key",
    encryptedPrivateKey: undefined,
  });
};
