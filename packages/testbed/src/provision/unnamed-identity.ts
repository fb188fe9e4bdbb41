import { join } from "node:path";
import { loadIdentity, passphraseIn, type Roster } from "@conclave/platform";
import { regularText } from "../state/regular-file.ts";

/** Whether the identity in this folder is one that no roster names, which an interrupted command left. */
export const hasUnnamedIdentity = (folder: string, roster: Roster): boolean => {
  const file = join(folder, "passphrase.key");
  const passphrase = passphraseIn(regularText(file) ?? "", file);
  if (!passphrase.ok) return false;
  const identity = loadIdentity(regularText(join(folder, "identity.key")) ?? "", passphrase.value);
  if (!identity.ok) return false;
  const key = Buffer.from(identity.value.identityKey).toString("hex");
  return roster.signers.every(({ identityKey }) => identityKey !== key);
};
