import { type ChainRequest, transactionView } from "@conclave/custody";
import { abortRequest } from "../chain-request/abort-request.ts";
import { replaceRequest } from "../chain-request/replace-request.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand } from "../http/refused.ts";
import type { Viewer } from "../people/viewer.ts";
import { transactionSchema } from "../schemas/transaction.ts";
import { answer, changeErrors } from "./operation.ts";

/** The answers to a speed-up and to a cancellation, for transfers and transactions. */
export const replacementAnswers = {
  200: answer("The transaction that takes its place", transactionSchema),
  ...changeErrors,
};

/**
 * The operations on one chain request, common to transfers and transactions.
 * @param find the request, as the caller may see it; throws Refused
 * @param view the request in the API's form
 */
export const actsOnRequest = <Params, Request extends ChainRequest, View>(
  dependencies: Dependencies,
  find: (caller: Viewer, params: Params) => Promise<Request>,
  view: (request: Request) => View,
) => {
  const replace =
    (kind: "SpeedUpTransaction" | "CancelTransaction") => async (caller: Viewer, params: Params) =>
      transactionView(demand(await replaceRequest(dependencies, caller, await find(caller, params), kind)));
  return {
    read: async (caller: Viewer, params: Params) => view(await find(caller, params)),
    abort: async (caller: Viewer, params: Params) => {
      demand(await abortRequest(dependencies, caller, await find(caller, params)));
      return view(await find(caller, params));
    },
    speedUp: replace("SpeedUpTransaction"),
    cancel: replace("CancelTransaction"),
  };
};
