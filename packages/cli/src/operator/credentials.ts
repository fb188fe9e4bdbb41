import { type KeyObject, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SignedAuthorisation } from "@conclave/custody";
import { loadPassphrase, loadTls, type TlsIdentity } from "@conclave/platform/certificates";
import type { StateLayout } from "@conclave/testbed";
import { LaunchError } from "@conclave/testbed/launch";

const passphraseOf = async (folder: string) => {
  const passphrase = await loadPassphrase({ keyFile: join(folder, "passphrase.key") });
  if (!passphrase.ok)
    throw new LaunchError(passphrase.problem.message, `See ${join(folder, "passphrase.key")}.`);
  return passphrase.value;
};

/**
 * Loads the orchestrator's certificate and key from the state folder. Signers accept their holder as an orchestrator.
 *
 * Rejects with a LaunchError if they are missing or do not belong to the cluster.
 */
export const orchestratorIdentity = async (
  layout: Pick<StateLayout, "orchestrator" | "ca">,
  clusterId: string,
): Promise<TlsIdentity> => {
  const folder = layout.orchestrator;
  const files = {
    authority: readFileSync(layout.ca, "utf8"),
    certificate: readFileSync(join(folder, "tls.crt"), "utf8"),
    key: readFileSync(join(folder, "tls.key"), "utf8"),
  };
  const tls = loadTls(files, clusterId, await passphraseOf(folder));
  if (!tls.ok) throw new LaunchError(tls.problem.message, `See ${folder}.`);
  return tls.value;
};

/** Authorises a request for signers: its JSON with the authority's signature. */
export const signAuthorisation = (key: KeyObject, request: object): SignedAuthorisation => {
  const payload = new Uint8Array(Buffer.from(JSON.stringify(request), "utf8"));
  return { payload, signature: new Uint8Array(sign(null, payload, key)) };
};
