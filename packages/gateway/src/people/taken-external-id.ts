import { fail, type Result } from "@conclave/custody";

/**
 * The refusal of an externalId that was used for another request, with that request's resource. An end user gets only
 * its own resources, as two end users may choose the same externalId (INV-11).
 * @param taken the resource for which it was used, if it still exists
 */
export const takenExternalId = (
  externalId: string,
  taken: { readonly id: string } | undefined,
  isShown: boolean,
): Result<never> =>
  fail("ExternalIdConflict", {
    duplicate: { ...(taken === undefined || !isShown ? {} : { id: taken.id }), externalId },
  });
