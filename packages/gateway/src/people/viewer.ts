import type { Caller } from "@conclave/platform";

/** A caller, and whether it is an end user: those see and use what is their own, and nothing else of the organisation. */
export type Viewer = Caller & { readonly isEndUser?: boolean };

/** Whether somebody's keys and wallets are shown to a viewer. */
export const isShownTo = (
  viewer: Pick<Viewer, "userId" | "isEndUser">,
  { delegatedTo }: { readonly delegatedTo: Caller["userId"] | undefined },
): boolean => viewer.isEndUser !== true || delegatedTo === viewer.userId;
