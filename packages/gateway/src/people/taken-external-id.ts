import { fail, type Result } from "@conclave/custody";

/**
 * That an externalId was used for something else, and for what: an end user learns the latter of its own things alone, since two
 * of them may well choose the same (INV-11).
 * @param taken the resource that it was used for, if that is there still
 */
export const takenExternalId = (
  externalId: string,
  taken: { readonly id: string } | undefined,
  isShown: boolean,
): Result<never> =>
  fail("ExternalIdConflict", {
    duplicate: { ...(taken === undefined || !isShown ? {} : { id: taken.id }), externalId },
  });
