import { fail, ok, type Result } from "../errors.ts";
import { KEY_STORE } from "./key-view.ts";

/** A request's options for a new key, besides its format. */
export interface KeyOptions {
  readonly masterKey?: boolean | undefined;
  readonly deriveFrom?: unknown;
  readonly storeId?: string | undefined;
}

/**
 * Judges options of the interface for which this service allows one value only: it derives no keys, and has
 * one store.
 * @returns KeyDerivationNotSupported or KeyStoreUnknown
 */
export const judgeKeyOptions = ({ masterKey, deriveFrom, storeId }: KeyOptions): Result<void> => {
  if (masterKey === true || deriveFrom !== undefined) return fail("KeyDerivationNotSupported");
  return storeId === undefined || storeId === KEY_STORE.id
    ? ok(undefined)
    : fail("KeyStoreUnknown", { field: "storeId", stores: [KEY_STORE.id] });
};
