import type { KeyObject, X509Certificate } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import type { LevelLogger } from "../telemetry/log-event.ts";
import { certificateEndsSoon } from "../telemetry/log-events.ts";
import { readAuthorities, readX509, wasSignedBy } from "./authorities.ts";
import { openPrivateKey } from "./private-key.ts";
import { type Role, roleOf } from "./role.ts";

/** The contents of a member's three TLS files. */
export interface TlsFiles {
  /** PEM of the cluster's certificate authority, and of later authorities that renewed certificates */
  readonly authority: string;
  /** PEM */
  readonly certificate: string;
  /** encrypted PKCS#8 PEM */
  readonly key: string;
}

/** The credentials of a process for mutual TLS. The key is in memory only. */
export interface TlsIdentity {
  readonly clusterId: string;
  readonly role: Role;
  readonly authority: string;
  readonly certificate: string;
  /** a KeyObject does not print its key material */
  readonly key: KeyObject;
}

/** A certificate's own fields, whether or not its signature was checked. */
export interface StatedCertificate {
  readonly role: Role;
  readonly publicKey: KeyObject;
  readonly begins: Date;
  readonly ends: Date;
}

/** The fields of a certificate that an authority of this cluster signed. */
export interface MemberCertificate extends StatedCertificate {
  /** PEM of the authority that signed it */
  readonly authority: string;
}

/** @returns undefined if the key is of an unknown kind */
const publicKeyIn = (certificate: X509Certificate): KeyObject | undefined => {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
};

/**
 * Reads the fields of a certificate without checking its signature: anyone can have written it, so it proves nothing.
 *
 * @returns refusal CertificateInvalid if the text is no certificate, or names no role in this cluster
 */
export const readStatedCertificate = (pem: string, clusterId: string): Result<StatedCertificate> => {
  const leaf = readX509(pem);
  const publicKey = leaf === undefined ? undefined : publicKeyIn(leaf);
  if (leaf === undefined || publicKey === undefined)
    return fail("CertificateInvalid", {}, "Not a certificate.");
  const role = roleOf({ subjectaltname: leaf.subjectAltName }, clusterId);
  if (role === undefined) {
    return fail(
      "CertificateInvalid",
      { clusterId },
      `The certificate names no role in cluster ${clusterId}.`,
    );
  }
  return ok({ role, publicKey, begins: new Date(leaf.validFrom), ends: new Date(leaf.validTo) });
};

/**
 * Reads a member's certificate, without its key. Expiry is not checked.
 *
 * @returns refusal CertificateInvalid if it is not signed by one of these authorities, or names no role in this cluster
 */
export const readMemberCertificate = (
  { certificate, authority }: Pick<TlsFiles, "authority" | "certificate">,
  clusterId: string,
): Result<MemberCertificate> => {
  const leaf = readX509(certificate);
  const authorities = readAuthorities(authority);
  if (leaf === undefined || authorities.length === 0)
    return fail("CertificateInvalid", {}, "Not a certificate.");
  const signer = authorities.find((one) => wasSignedBy(leaf, one));
  if (signer === undefined) {
    return fail("CertificateInvalid", {}, "The certificate is not signed by the cluster's authority.");
  }
  const stated = readStatedCertificate(certificate, clusterId);
  return stated.ok ? ok({ ...stated.value, authority: signer.toString() }) : stated;
};

/**
 * Opens a member's TLS files and checks that they belong together.
 *
 * @returns refusal PassphraseWrong, or CertificateInvalid if the certificate does not belong to this key, authority or
 * cluster, or has no role
 */
export const loadTls = (
  files: TlsFiles,
  clusterId: string,
  passphrase: Secret<string>,
): Result<TlsIdentity> => {
  const key = openPrivateKey(files.key, passphrase);
  if (!key.ok) return key;
  const read = readMemberCertificate(files, clusterId);
  if (!read.ok) return read;
  const { authority, certificate } = files;
  if (readX509(certificate)?.checkPrivateKey(key.value) !== true) {
    return fail("CertificateInvalid", {}, "The certificate is of another key.");
  }
  return ok({ clusterId, role: read.value.role, authority, certificate, key: key.value });
};

const DAY_MS = 86_400_000;
/** Early enough for an operator to renew a certificate by hand before it expires. */
const WARNED_BEFORE_MS = 60 * DAY_MS;

/** When this member's certificate expires, if it has expired or does so within 60 days. */
const endWithinDays = (
  { certificate }: Pick<TlsIdentity, "certificate">,
  nowMs: number,
): Date | undefined => {
  const leaf = readX509(certificate);
  if (leaf === undefined) return undefined;
  const end = new Date(leaf.validTo);
  return end.getTime() - nowMs < WARNED_BEFORE_MS ? end : undefined;
};

/** Warns in one log line of a certificate that expires within 60 days, with the date. Processes call it at their start. */
export const warnOfCertificateEnd = (tls: TlsIdentity, nowMs: number, log: LevelLogger<"warn">): void => {
  const end = endWithinDays(tls, nowMs);
  if (end !== undefined) certificateEndsSoon(log, { certificateEnds: end.toISOString() });
};
