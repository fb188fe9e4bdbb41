import type { Requester } from "@conclave/custody";
import type { Caller } from "@conclave/platform";

/** Who is on record as having asked: the token's ids, where the token has them. */
export const requesterOf = (caller: Caller): Requester => ({
  userId: caller.userId,
  ...(caller.tokenId === undefined ? {} : { tokenId: caller.tokenId }),
  ...(caller.appId === undefined ? {} : { appId: caller.appId }),
});
