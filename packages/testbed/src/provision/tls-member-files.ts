import { existsSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../state/regular-file.ts";
import type { TlsMember } from "./tls-members.ts";

/** The certificate that is made and not yet in force, in the folder of each member. */
export const PREPARED = "tls.next.crt";
export const IN_FORCE = "tls.crt";

/** The TLS files of a member's folder; undefined where one is missing. */
export interface TlsMemberFiles {
  readonly certificate: string | undefined;
  readonly prepared: string | undefined;
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
}

/**
 * Reads them. A signer writes into its own folder, and may be hostile: rejects with a LaunchError if one of them is a link, a pipe, or
 * anything else that is no regular file.
 */
export const readTlsMemberFiles = ({ folder }: TlsMember): TlsMemberFiles => ({
  certificate: regularText(join(folder, IN_FORCE)),
  prepared: regularText(join(folder, PREPARED)),
  key: regularText(join(folder, "tls.key")),
  passphrase: regularText(join(folder, "passphrase.key")),
});

/** The further files of a member's folder, if the member runs from it. */
const OF_ITS_OWN = ["identity.key", "vault"];

/** Whether the folder holds certificates alone, which are public: the member and its keys are on another machine. */
export const isOfElsewhere = ({ folder }: TlsMember, { key, passphrase }: TlsMemberFiles): boolean =>
  key === undefined && passphrase === undefined && !OF_ITS_OWN.some((name) => existsSync(join(folder, name)));

const textIfRegular = (file: string): string | undefined => {
  try {
    return regularText(file);
  } catch {
    return undefined;
  }
};

/**
 * The certificates that members have here, in force and prepared. An unreadable certificate is left out: no
 * process starts with it.
 */
export const certificatesOf = (members: readonly TlsMember[]): readonly string[] =>
  members
    .flatMap(({ folder }) => [IN_FORCE, PREPARED].map((name) => textIfRegular(join(folder, name))))
    .filter((text) => text !== undefined);
