import type { Requester } from "@conclave/custody";
import type { Viewer } from "./viewer.ts";

/** The requester for the record, with the ids of the token, if any; an application's token names the application itself. */
export const requesterOf = ({ userId, tokenId, appId, namedAppId }: Viewer): Requester => {
  const application = appId ?? namedAppId;
  return {
    userId,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(application === undefined ? {} : { appId: application }),
  };
};
