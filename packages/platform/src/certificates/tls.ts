import { type KeyObject, X509Certificate } from "node:crypto";
import { fail, ok, type Result } from "@conclave/custody";
import type { Secret } from "@conclave/threshold";
import { openPrivateKey } from "./private-key.ts";
import { type Role, roleOf } from "./role.ts";

/** The contents of a member's three TLS files. */
export interface TlsFiles {
  /** PEM of the cluster's certificate authority, and of those that were made later for a member that lost its keys */
  readonly authority: string;
  /** PEM */
  readonly certificate: string;
  /** encrypted PKCS#8 PEM */
  readonly key: string;
}

/** What a process needs for mutual TLS. The key is in memory only. */
export interface TlsIdentity {
  readonly clusterId: string;
  readonly role: Role;
  readonly authority: string;
  readonly certificate: string;
  /** a KeyObject does not print its key material */
  readonly key: KeyObject;
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

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
  const leaf = readCertificate(files.certificate);
  const authorities = (files.authority.match(CERTIFICATE) ?? []).flatMap((pem) => readCertificate(pem) ?? []);
  if (leaf === undefined || authorities.length === 0)
    return fail("CertificateInvalid", {}, "Not a certificate.");
  if (!leaf.checkPrivateKey(key.value)) {
    return fail("CertificateInvalid", {}, "The certificate is of another key.");
  }
  if (!authorities.some(({ publicKey }) => leaf.verify(publicKey))) {
    return fail("CertificateInvalid", {}, "The certificate is not signed by the cluster's authority.");
  }
  const role = roleOf({ subjectaltname: leaf.subjectAltName }, clusterId);
  if (role === undefined) {
    return fail(
      "CertificateInvalid",
      { clusterId },
      `The certificate names no role in cluster ${clusterId}.`,
    );
  }
  const { authority: authorityPem, certificate } = files;
  return ok({ clusterId, role, authority: authorityPem, certificate, key: key.value });
};

const DAY_MS = 86_400_000;
/** Somebody has to act by hand before a certificate ends, and to learn of it in time. */
const TOLD_BEFORE_MS = 60 * DAY_MS;

/** When this member's certificate ends, if that is less than 60 days away or past: nothing renews it. */
const certificateEndsSoon = (
  { certificate }: Pick<TlsIdentity, "certificate">,
  nowMs: number,
): Date | undefined => {
  const leaf = readCertificate(certificate);
  if (leaf === undefined) return undefined;
  const end = new Date(leaf.validTo);
  return end.getTime() - nowMs < TOLD_BEFORE_MS ? end : undefined;
};

/** Where warnings go: a logger. */
interface Warning {
  warn(facts: object, message: string): void;
}

/** Warns in one line, with the date, of a certificate that ends within 60 days. For processes that begin. */
export const warnOfCertificateEnd = (tls: TlsIdentity, nowMs: number, log: Warning): void => {
  const end = certificateEndsSoon(tls, nowMs);
  if (end === undefined) return;
  const certificateEnds = end.toISOString();
  log.warn(
    { certificateEnds },
    `the TLS certificate ends on ${certificateEnds.slice(0, 10)}, and nothing renews it: from then on no link opens (SECURITY.md)`,
  );
};

const readCertificate = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};
