import { X509Certificate } from "node:crypto";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export const readX509 = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};

/** The authorities of a cluster, as `ca.crt` has them one after the other. An unreadable certificate is left out. */
export const readAuthorities = (pem: string): readonly X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? []).flatMap((one) => readX509(one) ?? []);

/**
 * Whether this authority signed the certificate. A certificate that cannot be read, or has a key of an
 * unknown kind, counts as unsigned.
 */
export const wasSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean => {
  try {
    return certificate.verify(authority.publicKey);
  } catch {
    return false;
  }
};

/**
 * Adds an authority to those of a cluster, and drops expired ones. An expired authority stays while a member has a
 * certificate of it: it may look expired only because a clock is wrong, and the member needs it to start. An authority
 * that has not expired always stays, because a member that is not listed here may have a certificate of it. Nobody has
 * its key any more, so it certifies nothing new.
 *
 * @param authorities PEM, as `ca.crt` has it
 * @param added PEM
 * @param certificates the members' certificates, in PEM
 */
export const withAuthority = (
  authorities: string,
  added: string,
  nowMs: number,
  certificates: readonly string[],
): string => {
  const held = certificates.flatMap((pem) => readX509(pem) ?? []);
  const stays = (authority: X509Certificate): boolean =>
    Date.parse(authority.validTo) > nowMs || held.some((certificate) => wasSignedBy(certificate, authority));
  return [...readAuthorities(authorities).filter(stays), added]
    .map((authority) => `${authority.toString().trim()}\n`)
    .join("");
};
