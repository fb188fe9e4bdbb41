import type { Application } from "@conclave/platform";
import type { Dependencies } from "../dependencies.ts";

/** The relying party that a browser receives with a challenge (Web Authentication Level 3, section 5.4.2). */
export interface RelyingPartyView {
  readonly id: string;
  readonly name: string;
}

/**
 * That of the application which the request names, or the cluster's first: the same for every caller, known
 * or not.
 */
export const relyingPartyOf = (
  { relyingParties: [{ id }] }: Pick<Dependencies, "relyingParties">,
  application: Application | undefined,
): RelyingPartyView =>
  application === undefined ? { id, name: id } : { id: application.expectedRpId, name: application.name };
