import { sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type {
  AuthorisedKey,
  AuthorisedMessage,
  AuthorisedTransfer,
  SignedAuthorisation,
} from "@conclave/custody";
import { loadPassphrase, loadSigningKey } from "@conclave/platform";
import type { Cluster } from "@conclave/testbed";

export type Authorise = (
  request: AuthorisedKey | AuthorisedMessage | AuthorisedTransfer,
) => SignedAuthorisation;

/** Authorises as the cluster's gateway does, with the key from its folder. */
export const authorityOf = async ({ layout }: Cluster): Promise<Authorise> => {
  const passphrase = await loadPassphrase({ keyFile: join(layout.gateway, "passphrase.key") });
  if (!passphrase.ok) throw new Error(passphrase.problem.message);
  const key = loadSigningKey(readFileSync(join(layout.gateway, "authority.key"), "utf8"), passphrase.value);
  if (!key.ok) throw new Error(key.problem.message);
  return (request) => {
    const payload = new Uint8Array(Buffer.from(JSON.stringify(request), "utf8"));
    return { payload, signature: new Uint8Array(sign(null, payload, key.value)) };
  };
};
