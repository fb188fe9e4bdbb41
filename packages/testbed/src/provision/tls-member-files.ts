import { existsSync } from "node:fs";
import { join } from "node:path";
import { regularText } from "../state/regular-file.ts";
import type { TlsMember } from "./tls-members.ts";

/** The name of the certificate in a member's folder that is prepared, but not in force. */
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
 * Reads the TLS files of a member's folder. A hostile signer can write into its own folder: rejects with a LaunchError if
 * a file is a link, a pipe, or otherwise not a regular file.
 */
export const readTlsMemberFiles = ({ folder }: TlsMember): TlsMemberFiles => ({
  certificate: regularText(join(folder, IN_FORCE)),
  prepared: regularText(join(folder, PREPARED)),
  key: regularText(join(folder, "tls.key")),
  passphrase: regularText(join(folder, "passphrase.key")),
});

/** Further files of a member that runs from this folder. */
const OF_ITS_OWN = ["identity.key", "vault"];

/** Whether the folder has only certificates, which are public: then the member and its keys are on another machine. */
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
 * The certificates in the members' folders, in force and prepared. Unreadable ones are left out, because no process
 * starts with them.
 */
export const certificatesOf = (members: readonly TlsMember[]): readonly string[] =>
  members
    .flatMap(({ folder }) => [IN_FORCE, PREPARED].map((name) => textIfRegular(join(folder, name))))
    .filter((text) => text !== undefined);
