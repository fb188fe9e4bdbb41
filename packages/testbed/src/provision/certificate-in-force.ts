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

/** The public files of a cluster that determine which certificates belong to it. */
export interface ClusterTrust {
  readonly clusterId: string;
  /** PEM of its certificate authorities */
  readonly authorities: string;
}

/** The certificate with which a member starts. */
export interface CertificateInForce extends StatedCertificate {
  /**
   * PEM of the authority that signed it; undefined if that is not in `ca.crt`, for example because an old file was
   * restored
   */
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

/**
 * Reads a certificate without its key, and requires that an authority of the cluster signed it: nothing else shows which
 * key is the member's.
 */
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

/** Opens the key of a member, and requires the kind of key that the cluster makes. */
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
 * Reads a certificate whose key could be opened. It must be of this key and this member, because otherwise a file is in
 * the wrong folder. Its issuer does not matter, because the certificate is about to be replaced and only the key is used.
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
  // the key was copied here without its passphrase, which is not required
  if (files.passphrase === undefined) return trustedCertificate(member, files.certificate, trust);
  const key = openKey(member, files.key, files.passphrase);
  return certificateOfKey(member, files.certificate, key, trust);
};

/** The certificates in a member's folder. */
export interface HeldCertificates {
  readonly member: TlsMember;
  readonly inForce: CertificateInForce;
  /** PEM of the prepared certificate, unverified */
  readonly prepared: string | undefined;
  /** whether its key is on another machine */
  readonly isElsewhere: boolean;
}

/**
 * Reads the certificate that a member starts with, and verifies it as far as the files here allow. Rejects with a
 * LaunchError if the member could not start with it.
 */
export const heldCertificates = (member: TlsMember, trust: ClusterTrust): HeldCertificates => {
  const files = readTlsMemberFiles(member);
  const inForce = inForceOf(member, files, trust);
  return { member, inForce, prepared: files.prepared, isElsewhere: isOfElsewhere(member, files) };
};
