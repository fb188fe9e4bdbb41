import { X509Certificate } from "node:crypto";

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export const readX509 = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
};

/** The authorities of a cluster, as `ca.crt` has them one after the other. What cannot be read is left out. */
export const readAuthorities = (pem: string): readonly X509Certificate[] =>
  (pem.match(CERTIFICATE) ?? []).flatMap((one) => readX509(one) ?? []);

/**
 * Adds an authority to those of a cluster, and drops those that have ended themselves. No other is dropped: a member that is not here may
 * still have its certificate of one. It does no harm there: nobody has its key, so it signs nothing new.
 *
 * @param authorities PEM, as `ca.crt` has it
 * @param added PEM
 */
export const withAuthority = (authorities: string, added: string, nowMs: number): string =>
  [...readAuthorities(authorities).filter(({ validTo }) => Date.parse(validTo) > nowMs), added]
    .map((authority) => `${authority.toString().trim()}\n`)
    .join("");
