const DIGEST_BYTES = 32;

/**
 * Whether these bytes may be the consent of an account, of which nobody can tell: what is signed of a transaction on
 * Stellar is its SHA-256 alone, and so it is of an authorisation entry of a contract call (decision 037).
 */
export const mayBeStellarConsent = (message: Uint8Array): boolean => message.length === DIGEST_BYTES;
