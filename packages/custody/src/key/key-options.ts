import { fail, ok, type Result } from "../errors.ts";
import { KEY_STORE } from "./key-view.ts";

/** A request's options of a new key, beside its format. */
export interface KeyOptions {
  readonly masterKey?: boolean | undefined;
  readonly deriveFrom?: unknown;
  readonly storeId?: string | undefined;
}

/**
 * Judges options of the interface that this service has one answer to: keys are not derived, and there is one store.
 * @returns KeyDerivationNotSupported or KeyStoreUnknown
 */
export const judgeKeyOptions = ({ masterKey, deriveFrom, storeId }: KeyOptions): Result<void> => {
  if (masterKey === true || deriveFrom !== undefined) return fail("KeyDerivationNotSupported");
  return storeId === undefined || storeId === KEY_STORE.id
    ? ok(undefined)
    : fail("KeyStoreUnknown", { field: "storeId", stores: [KEY_STORE.id] });
};
