import type { ChainRequest } from "./chain-request.ts";

/** Whether the rules of the chain's node refuse the request's signed bytes at any time (event `RefusedForGood`). */
export const isRefusedForGood = ({ details }: Pick<ChainRequest, "details">): boolean =>
  details?.["refusedForGood"] === true;
