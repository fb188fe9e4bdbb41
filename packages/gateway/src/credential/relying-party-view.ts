import type { Application } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import type { RelyingPartyView } from "../schemas/people/user-action.ts";

/**
 * The relying party of the application that the request names, or else the cluster's first; equal for all callers, so
 * that it does not reveal whether a user exists.
 */
export const relyingPartyOf = (
  { relyingParties: [{ id }] }: Pick<Dependencies, "relyingParties">,
  application: Application | undefined,
): RelyingPartyView =>
  application === undefined ? { id, name: id } : { id: application.expectedRpId, name: application.name };
