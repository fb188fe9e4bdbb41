import type { Requester } from "@conclave/custody";
import type { Viewer } from "./viewer.ts";

/** The parts of a caller that the record of its request names. */
export type RecordedCaller = Pick<Viewer, "orgId" | "userId" | "tokenId" | "appId" | "namedAppId">;

/** The requester for the record, with the ids of the token, if any; an application's token names the application itself. */
export const requesterOf = ({
  userId,
  tokenId,
  appId,
  namedAppId,
}: Omit<RecordedCaller, "orgId">): Requester => {
  const application = appId ?? namedAppId;
  return {
    userId,
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(application === undefined ? {} : { appId: application }),
  };
};

/** The caller of an earlier request, by its record. */
export const recordedCallerOf = (
  orgId: Viewer["orgId"],
  { userId, tokenId, appId }: Requester,
): RecordedCaller => ({
  orgId,
  userId,
  tokenId,
  namedAppId: appId,
});
