/**
 * A TRON exclusion is one byte that says nothing: no transaction of TRON keeps another one from landing. A
 * signed transaction may land until its expiration, beside anything else.
 */
export const TRON_EXCLUSION: Uint8Array = Uint8Array.of(0);

/** TRON's rule (INV-4): none excludes another. A request's next transaction waits until the earlier one is dead. */
export const tronExcludes = (): boolean => false;
