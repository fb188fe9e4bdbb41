import type { ApplicationId } from "@conclave/custody";
import type { Caller } from "@conclave/platform";

/**
 * A caller with more facts of its request: whether it is an end user, who sees and uses only its own resources of the
 * organisation; and the application that the request names, which is recorded and gives no rights.
 */
export type Viewer = Caller & {
  readonly isEndUser?: boolean;
  readonly namedAppId?: ApplicationId | undefined;
};

/** Whether a viewer may see keys and wallets of this owner. */
export const isShownTo = (
  viewer: Pick<Viewer, "userId" | "isEndUser">,
  { delegatedTo }: { readonly delegatedTo: Caller["userId"] | undefined },
): boolean => viewer.isEndUser !== true || delegatedTo === viewer.userId;
