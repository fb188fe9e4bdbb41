/** Bytes of a domain: three capital letters and a zero. */
const DOMAIN_BYTES = 4;
/** Shorter than anything that rippled takes a signature of: hashes of 32 bytes never are of it by chance. */
const HASH_BYTES = 32;

const isCapital = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;

/**
 * Whether bytes begin with a domain of rippled (HashPrefix.h): "STX" a transaction, "SMT" the same with several signers, "CLM" a
 * claim on a payment channel, "BCH" a batch, "CPT" and "CPM" a counterparty's consent, "SPN" and "SPM" a sponsor's. All domains
 * are written alike, and every release may add some.
 */
const isOfDomain = (message: Uint8Array): boolean =>
  message.slice(0, DOMAIN_BYTES - 1).every(isCapital) && message[DOMAIN_BYTES - 1] === 0;

/**
 * An attestation of what happened on the other side of a bridge (XLS-38d) has no domain: it begins with a number of 64 bits, the
 * field XChainClaimID or XChainAccountCreateCount. No text begins like that.
 */
const ATTESTED_FIELDS: readonly number[] = [0x14, 0x15];
const isAttestation = (message: Uint8Array): boolean =>
  message[0] === 0x30 && ATTESTED_FIELDS.includes(message[1] ?? 0);

/**
 * Whether the XRP Ledger takes a signature of these bytes for the consent of the key's account (INV-3). An Ed25519 key signs
 * these very bytes, and no hash of them.
 */
export const isXrplConsent = (message: Uint8Array): boolean =>
  message.length > HASH_BYTES && (isOfDomain(message) || isAttestation(message));
