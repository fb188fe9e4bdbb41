import type { ApplicationId } from "@conclave/custody";
import type { Caller } from "@conclave/platform";

/**
 * A caller, with the further facts of its request: whether it is an end user, who sees and uses what is its own
 * and nothing else of the organisation; and which application it names, which is put on record and gives it nothing.
 */
export type Viewer = Caller & {
  readonly isEndUser?: boolean;
  readonly namedAppId?: ApplicationId | undefined;
};

/** Whether somebody's keys and wallets are shown to a viewer. */
export const isShownTo = (
  viewer: Pick<Viewer, "userId" | "isEndUser">,
  { delegatedTo }: { readonly delegatedTo: Caller["userId"] | undefined },
): boolean => viewer.isEndUser !== true || delegatedTo === viewer.userId;
