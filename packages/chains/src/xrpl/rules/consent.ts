/** Bytes of a domain: three capital letters and a zero. */
const DOMAIN_BYTES = 4;
/** Everything that rippled accepts a signature of is longer: so a 32-byte hash never counts as consent by chance. */
const HASH_BYTES = 32;

const isCapital = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x41 && byte <= 0x5a;

/**
 * Whether bytes begin with a domain of rippled (HashPrefix.h): "STX" a transaction, "SMT" one with several signers, "CLM" a
 * claim on a payment channel, "BCH" a batch, "CPT" and "CPM" a counterparty's consent, "SPN" and "SPM" a sponsor's. Any three
 * capital letters count, because each release may add a domain.
 */
const isOfDomain = (message: Uint8Array): boolean =>
  message.slice(0, DOMAIN_BYTES - 1).every(isCapital) && message[DOMAIN_BYTES - 1] === 0;

/**
 * An attestation of an event on the other side of a bridge (XLS-38d) has no domain: it begins with the 64-bit field
 * XChainClaimID or XChainAccountCreateCount. No text begins with these bytes.
 */
const ATTESTED_FIELDS: readonly number[] = [0x14, 0x15];
const isAttestation = (message: Uint8Array): boolean =>
  message[0] === 0x30 && ATTESTED_FIELDS.includes(message[1] ?? 0);

/**
 * Whether the XRP Ledger would accept a signature of these bytes as consent of the key's account (INV-3). An Ed25519 key signs
 * the bytes themselves, not a hash.
 */
export const isXrplConsent = (message: Uint8Array): boolean =>
  message.length > HASH_BYTES && (isOfDomain(message) || isAttestation(message));
