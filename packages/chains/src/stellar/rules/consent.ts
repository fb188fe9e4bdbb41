const DIGEST_BYTES = 32;

/**
 * Whether these bytes may be the consent of an account. Nobody can tell: for a transaction, and for an authorisation entry of a
 * contract call, Stellar signs only a SHA-256 hash (decision 037).
 */
export const mayBeStellarConsent = (message: Uint8Array): boolean => message.length === DIGEST_BYTES;
