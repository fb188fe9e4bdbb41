import type { KeyObject } from "node:crypto";
import { join } from "node:path";
import { hasPublicHalf, loadPassphrase, loadSigningKey } from "@conclave/platform/certificates";
import type { Roster } from "@conclave/platform/config";
import { LaunchError } from "../launch-error.ts";
import type { StateLayout } from "../state/layout.ts";
import { regularText } from "../state/regular-file.ts";

/**
 * Loads the gateway's authority key from the state folder. Signers use a key only for requests that the authority key
 * signed.
 *
 * Rejects with a LaunchError if the authority key is missing, cannot be opened, or is not the one in the roster.
 */
export const loadAuthorityKey = async (
  { gateway }: Pick<StateLayout, "gateway">,
  roster: Pick<Roster, "authorityKey">,
): Promise<KeyObject> => {
  const file = join(gateway, "authority.key");
  const passphrase = await loadPassphrase({ keyFile: join(gateway, "passphrase.key") });
  if (!passphrase.ok)
    throw new LaunchError(passphrase.problem.message, `See ${join(gateway, "passphrase.key")}.`);
  const key = loadSigningKey(regularText(file) ?? "", passphrase.value);
  if (!key.ok) throw new LaunchError(key.problem.message, `See ${file}.`);
  if (hasPublicHalf(key.value, roster.authorityKey)) return key.value;
  throw new LaunchError(`${file} is not the key that the roster names`, "Use the files of one cluster.");
};
