import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  loadPassphrase,
  loadTls,
  type MemberCertificate,
  readMemberCertificate,
  sameRole,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import type { TlsMember } from "./tls-members.ts";

/** The public files of a cluster, as far as they say which certificates are its own. */
export interface ClusterTrust {
  readonly clusterId: string;
  /** PEM of its authorities */
  readonly authorities: string;
}

/** What a member's folder has, if the member runs from it. */
const OF_ITS_OWN = ["identity.key", "passphrase.key", "vault"];

/** Whether the folder holds the certificate alone, which is public: the member and its keys are on another machine. */
export const isElsewhere = ({ folder }: TlsMember): boolean =>
  !["tls.key", ...OF_ITS_OWN].some((name) => existsSync(join(folder, name)));

const refuse = (message: string, remedy: string): never => {
  throw new LaunchError(message, remedy);
};

/** Reads a certificate in a member's folder. Rejects with a LaunchError if it is not this member's. */
export const certificateIn = (member: TlsMember, name: string, trust: ClusterTrust): MemberCertificate => {
  const file = join(member.folder, name);
  const files = { certificate: readFileSync(file, "utf8"), authority: trust.authorities };
  const read = readMemberCertificate(files, trust.clusterId);
  if (!read.ok) return refuse(`${file}: ${read.problem.message}`, "Restore it, and ca.crt, from a backup.");
  if (!sameRole(read.value.role, member.role)) {
    return refuse(`${file} is not of ${member.id}`, "Put each member's certificate into its own folder.");
  }
  return read.value;
};

/** The key opens, if its passphrase lies beside it, and is that of the certificate. A passphrase from elsewhere is not asked for. */
const checkKey = async ({ id, folder }: TlsMember, trust: ClusterTrust): Promise<void> => {
  const keyFile = join(folder, "passphrase.key");
  if (!existsSync(keyFile)) return;
  const remedy = `Restore the folder of ${id} from a backup: its processes cannot start with this either.`;
  const passphrase = await loadPassphrase({ keyFile });
  if (!passphrase.ok) return refuse(`${id}: ${passphrase.problem.message}`, remedy);
  const files = {
    authority: trust.authorities,
    certificate: readFileSync(join(folder, "tls.crt"), "utf8"),
    key: readFileSync(join(folder, "tls.key"), "utf8"),
  };
  const tls = loadTls(files, trust.clusterId, passphrase.value);
  if (!tls.ok) refuse(`${folder}/tls.key: ${tls.problem.message}`, remedy);
};

/**
 * Reads the certificate that a member starts with, and checks it as far as what lies here allows. Rejects with a LaunchError if the member
 * could not start with it.
 */
export const certificateInForce = async (
  member: TlsMember,
  trust: ClusterTrust,
): Promise<MemberCertificate> => {
  const { id, folder } = member;
  if (!existsSync(join(folder, "tls.crt"))) {
    return refuse(
      `there is no certificate of ${id} in ${folder}`,
      "If it runs on another machine, put its tls.crt there, which is no secret, or name the others with --only. " +
        "For a signer whose folder is lost there is renew-identity.",
    );
  }
  const certificate = certificateIn(member, "tls.crt", trust);
  if (isElsewhere(member)) return certificate;
  if (!existsSync(join(folder, "tls.key"))) {
    return refuse(
      `${id} has lost its key: ${folder}/tls.key is missing`,
      "Restore it from a backup of that folder, or name the others with --only.",
    );
  }
  await checkKey(member, trust);
  return certificate;
};
