import "reflect-metadata"; // the certificate library's dependency injection needs it loaded first
import { createPublicKey, KeyObject, webcrypto } from "node:crypto";
import type { Secret } from "@conclave/threshold";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { sealPrivateKey } from "./private-key.ts";
import { type Role, roleUri } from "./role.ts";

const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 3650;
const LEAF_DAYS = 730;
/** Certificates become valid a little before now, because the clocks of a cluster differ. */
const CLOCK_SKEW_MS = 300_000;

/** A certificate authority. Its key is in memory only; sealPrivateKey stores it, for members that are added later. */
export interface CertificateAuthority {
  readonly clusterId: string;
  /** PEM */
  readonly certificate: string;
  readonly key: KeyObject;
}

export interface CertificateRequest {
  readonly role: Role;
  readonly now: Date;
  /** DNS names and IPv4 addresses in addition to localhost and 127.0.0.1 */
  readonly hosts?: readonly string[];
  /** validity in days, LEAF_DAYS by default; a negative number makes an expired certificate */
  readonly days?: number;
}

export interface LeafRequest extends CertificateRequest {
  readonly passphrase: Secret<string>;
}

/** A certificate and its encrypted key, as files hold them. */
export interface Leaf {
  /** PEM */
  readonly certificate: string;
  /** encrypted PKCS#8 PEM */
  readonly key: string;
}

const makePair = async (): Promise<{ keys: webcrypto.CryptoKeyPair; key: KeyObject }> => {
  const keys = await webcrypto.subtle.generateKey(ECDSA, true, ["sign", "verify"]);
  return { keys, key: KeyObject.from(keys.privateKey) };
};

/** Makes a cluster's certificate authority: ECDSA P-256, valid for ten years; it can sign leaf certificates only. */
export const makeCertificateAuthority = async (
  clusterId: string,
  now: Date,
): Promise<CertificateAuthority> => {
  const { keys, key } = await makePair();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [`Conclave ${clusterId}`] }],
    notBefore: new Date(now.getTime() - CLOCK_SKEW_MS),
    notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
    signingAlgorithm: ECDSA,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { clusterId, certificate: certificate.toString("pem"), key };
};

const isAddress = (host: string): boolean => /^[0-9.]+$/.test(host);

const alternativeNames = (clusterId: string, request: CertificateRequest): JsonGeneralNames => [
  ...["localhost", "127.0.0.1", ...(request.hosts ?? [])].map((value) =>
    isAddress(value) ? ({ type: "ip", value } as const) : ({ type: "dns", value } as const),
  ),
  { type: "url", value: roleUri(clusterId, request.role) },
];

/**
 * Certifies a key that a member has: valid for two years, for clients and servers, with the role in its URI name.
 *
 * @returns PEM
 */
export const certifyKey = async (
  authority: CertificateAuthority,
  request: CertificateRequest,
  key: KeyObject,
): Promise<string> => {
  const publicKey = key.export({ type: "spki", format: "der" });
  const signingKey = await webcrypto.subtle.importKey(
    "pkcs8",
    authority.key.export({ type: "pkcs8", format: "der" }),
    ECDSA,
    false,
    ["sign"],
  );
  const issuer = new X509Certificate(authority.certificate);
  const days = request.days ?? LEAF_DAYS;
  const begin = Math.min(0, days * DAY_MS * 2) - CLOCK_SKEW_MS;
  const certificate = await X509CertificateGenerator.create({
    subject: [{ CN: [roleUri(authority.clusterId, request.role)] }],
    issuer: issuer.subjectName,
    notBefore: new Date(request.now.getTime() + begin),
    notAfter: new Date(request.now.getTime() + days * DAY_MS),
    signingAlgorithm: ECDSA,
    signingKey,
    publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
      new SubjectAlternativeNameExtension(alternativeNames(authority.clusterId, request)),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return certificate.toString("pem");
};

/** Makes a member's key, ECDSA P-256, and its certificate. */
export const makeLeaf = async (authority: CertificateAuthority, request: LeafRequest): Promise<Leaf> => {
  const { key } = await makePair();
  return {
    certificate: await certifyKey(authority, request, createPublicKey(key)),
    key: sealPrivateKey(key, request.passphrase),
  };
};
