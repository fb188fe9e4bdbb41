import type { Application } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";
import type { RelyingPartyView } from "../schemas/user-action.ts";

/**
 * That of the application which the request names, or the cluster's first: the same for every caller, known
 * or not.
 */
export const relyingPartyOf = (
  { relyingParties: [{ id }] }: Pick<Dependencies, "relyingParties">,
  application: Application | undefined,
): RelyingPartyView =>
  application === undefined ? { id, name: id } : { id: application.expectedRpId, name: application.name };
