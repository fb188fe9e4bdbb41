/**
 * A TRON exclusion is one constant byte: no TRON transaction prevents another from landing. A signed transaction may land until
 * its expiration, beside any other.
 */
export const TRON_EXCLUSION: Uint8Array = Uint8Array.of(0);

/** TRON's rule (INV-4): no transaction excludes another. A request's next transaction waits until the earlier one is dead. */
export const tronExcludes = (): boolean => false;
