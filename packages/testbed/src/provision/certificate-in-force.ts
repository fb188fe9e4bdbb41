import type { KeyObject } from "node:crypto";
import { createPublicKey } from "node:crypto";
import { join } from "node:path";
import {
  openPrivateKey,
  passphraseIn,
  readMemberCertificate,
  readStatedCertificate,
  type StatedCertificate,
  sameRole,
} from "@conclave/platform";
import { LaunchError } from "../launch-error.ts";
import { isOfElsewhere, readTlsMemberFiles, type TlsMemberFiles } from "./tls-member-files.ts";
import type { TlsMember } from "./tls-members.ts";

/** The public files of a cluster, as far as they say which certificates are its own. */
export interface ClusterTrust {
  readonly clusterId: string;
  /** PEM of its authorities */
  readonly authorities: string;
}

/** The certificate with which a member starts. */
export interface CertificateInForce extends StatedCertificate {
  /** PEM of the authority that signed it; undefined if `ca.crt` has none that did, as where one of before was restored */
  readonly authority: string | undefined;
}

const refuse = (message: string, remedy: string): never => {
  throw new LaunchError(message, remedy);
};

const checkRole = (member: TlsMember, { role }: StatedCertificate): void => {
  if (sameRole(role, member.role)) return;
  refuse(
    `${member.folder}/tls.crt is not of ${member.id}`,
    "Put each member's certificate into its own folder.",
  );
};

/** Where nothing else says which key is the member's, an authority of the cluster has to have said it. */
const trustedCertificate = (
  member: TlsMember,
  certificate: string,
  trust: ClusterTrust,
): CertificateInForce => {
  const read = readMemberCertificate({ certificate, authority: trust.authorities }, trust.clusterId);
  if (!read.ok) {
    return refuse(
      `${member.folder}/tls.crt: ${read.problem.message}`,
      "Restore it, and ca.crt, from a backup; of a member on another machine, its owner has the one in force.",
    );
  }
  checkRole(member, read.value);
  return read.value;
};

/** Opens the key of a member. Certificates are for keys of the kind that the cluster makes. */
const openKey = ({ id, folder }: TlsMember, key: string, passphraseText: string): KeyObject => {
  const remedy = `Restore the folder of ${id} from a backup: its processes cannot start with this either.`;
  const passphrase = passphraseIn(passphraseText, join(folder, "passphrase.key"));
  if (!passphrase.ok) return refuse(`${id}: ${passphrase.problem.message}`, remedy);
  const opened = openPrivateKey(key, passphrase.value);
  if (!opened.ok) return refuse(`${folder}/tls.key: ${opened.problem.message}`, remedy);
  if (opened.value.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    return refuse(`${folder}/tls.key: The key is not of the curve P-256.`, remedy);
  }
  return opened.value;
};

/**
 * Where the key opens, it says itself which it is. Its certificate has to be of it, and of this member, because otherwise something is in
 * the wrong folder; its issuer does not matter, for it is replaced and nothing is taken from it.
 */
const certificateOfKey = (
  member: TlsMember,
  certificate: string,
  key: KeyObject,
  trust: ClusterTrust,
): CertificateInForce => {
  const stated = readStatedCertificate(certificate, trust.clusterId);
  if (!stated.ok) {
    return refuse(
      `${member.folder}/tls.crt: ${stated.problem.message}`,
      "Restore that file from a backup; a certificate that has ended, or is of an older ca.crt, will do.",
    );
  }
  checkRole(member, stated.value);
  const publicKey = createPublicKey(key);
  if (!publicKey.equals(stated.value.publicKey)) {
    return refuse(
      `${member.folder}/tls.key: The certificate is of another key.`,
      `Restore the folder of ${member.id} from a backup: its processes cannot start with this either.`,
    );
  }
  const read = readMemberCertificate({ certificate, authority: trust.authorities }, trust.clusterId);
  return { ...stated.value, publicKey, authority: read.ok ? read.value.authority : undefined };
};

const inForceOf = (member: TlsMember, files: TlsMemberFiles, trust: ClusterTrust): CertificateInForce => {
  const { id, folder } = member;
  if (files.certificate === undefined) {
    return refuse(
      `there is no certificate of ${id} in ${folder}`,
      "If it runs on another machine, put its tls.crt there, which is no secret, or name the others with --only. " +
        "For a signer whose folder is lost there is renew-identity.",
    );
  }
  if (isOfElsewhere(member, files)) return trustedCertificate(member, files.certificate, trust);
  if (files.key === undefined) {
    return refuse(
      `${id} has lost its key: ${folder}/tls.key is missing`,
      "Restore it from a backup of that folder, or name the others with --only.",
    );
  }
  // a passphrase from elsewhere is not asked for
  if (files.passphrase === undefined) return trustedCertificate(member, files.certificate, trust);
  const key = openKey(member, files.key, files.passphrase);
  return certificateOfKey(member, files.certificate, key, trust);
};

/** The files of a member's folder with which it can start. */
export interface HeldCertificates {
  readonly member: TlsMember;
  readonly inForce: CertificateInForce;
  /** PEM of what is prepared for it, as it was found */
  readonly prepared: string | undefined;
  /** whether its key is on another machine */
  readonly isElsewhere: boolean;
}

/**
 * Reads the certificate that a member starts with, and checks it as far as what lies here allows. Rejects with a LaunchError if the member
 * could not start with it.
 */
export const heldCertificates = (member: TlsMember, trust: ClusterTrust): HeldCertificates => {
  const files = readTlsMemberFiles(member);
  const inForce = inForceOf(member, files, trust);
  return { member, inForce, prepared: files.prepared, isElsewhere: isOfElsewhere(member, files) };
};
