import { type ChainRequest, type ChainRequestEvent, ok, type Result } from "@conclave/custody";
import { isOthersTransaction } from "@conclave/platform";
import { authorisedOf } from "./authorised.ts";
import { authorisedMsOf } from "./kept-records.ts";
import { adoptedAs, isRead } from "./own-payment.ts";
import type { RequestWork } from "./step.ts";

/** How long before its authorisation a request may have been carried out: a client may have repeated the request since. */
const ASKED_AGAIN_MS = 24 * 60 * 60_000;

type LandedVersion = Extract<ChainRequestEvent, { readonly kind: "LandedVersion" }>;

/**
 * Looks whether another version of a request has the place of its signed transaction, which then can never land: the
 * request is paid. Signers may have signed several versions, and a restored database may have taken over the wrong one.
 * A transaction that another request has recorded is not taken.
 * @returns undefined where the transaction in the place is no payment of the request, and in families without places;
 * ServiceUnavailable when the node does not show the transaction
 */
export const landedVersionOf = async (
  work: Pick<RequestWork, "database" | "chain" | "wallet">,
  request: ChainRequest,
): Promise<Result<LandedVersion | undefined>> => {
  const { database, chain, wallet } = work;
  const { id, walletId, sequence, unsignedTransaction: lost } = request;
  const { findSent } = chain.node;
  const takesPlace = sequence !== undefined || chain.family.spendsCoins === true;
  if (findSent === undefined || lost === undefined || !takesPlace) return ok(undefined);
  const found = await findSent(wallet.address, {
    act: authorisedOf(request),
    sinceMs: authorisedMsOf(request) - ASKED_AGAIN_MS,
    places:
      sequence === undefined ? undefined : { lowest: sequence, highest: sequence, isExplained: () => false },
    inPlaceOf: lost,
    isIt: async (sent) =>
      Buffer.compare(sent.unsigned, lost) !== 0 &&
      isRead(work, request, sent.unsigned) &&
      !(await isOthersTransaction(database, walletId, id, sent)),
  });
  if (!found.ok || found.value === undefined) return found.ok ? ok(undefined) : found;
  const { unsigned, signed: signedTransaction, txHash } = found.value;
  const adopted = adoptedAs(work, request, unsigned);
  return adopted.ok ? ok({ ...adopted.value, kind: "LandedVersion", signedTransaction, txHash }) : adopted;
};
