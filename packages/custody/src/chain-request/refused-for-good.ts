import type { ChainRequest } from "./chain-request.ts";

/** Whether the rules of the chain's node refuse the signed bytes of a request whenever they come (event `RefusedForGood`). */
export const isRefusedForGood = ({ details }: Pick<ChainRequest, "details">): boolean =>
  details?.["refusedForGood"] === true;
