import { type ChainRequest, type ChainWallet, fail, type Result } from "@conclave/custody";
import { type Connection, readChainRequest, readRequesterNow } from "@conclave/platform";
import { MAY_CREATE } from "../chain-request/may-create.ts";
import { judgeNeeds } from "../permission/granted.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";

/**
 * Whether whoever asked for a request may ask for its speed-up now: the user, its token and its application are active, the
 * permission is there, and the wallet is one that it may pay with.
 * @returns the wallet; PermissionMissing, WalletNotFound, KeyDelegated
 */
export const permittedNow = async (
  connection: Connection,
  request: ChainRequest,
): Promise<Result<ChainWallet>> => {
  const asked = await askedFor(connection, request);
  const { orgId, requester } = asked;
  const principal = await readRequesterNow(connection, { orgId, ...requester });
  if (principal === undefined) {
    return fail("PermissionMissing", {}, `${requester.userId}, who asked for it, is active no more`);
  }
  const permitted = judgeNeeds(principal, requester.userId, [MAY_CREATE[await kindOf(connection, asked)]]);
  if (!permitted.ok) return permitted;
  const viewer = { orgId, userId: requester.userId, isEndUser: principal.kind === "EndUser" };
  return payingWallet(connection, viewer, request.walletId);
};

/** What somebody asked for: what the service made by itself stands for what it replaced. */
const askedFor = async (connection: Connection, request: ChainRequest): Promise<ChainRequest> => {
  let asked = request;
  while (asked.isFeeBump) asked = await replacedBy(connection, asked);
  return asked;
};

/** Who replaces a request needs what making one of its kind takes. */
const kindOf = async (connection: Connection, asked: ChainRequest): Promise<ChainRequest["kind"]> => {
  const { kind } = asked.requestBody;
  return kind === "SpeedUpTransaction" || kind === "CancelTransaction"
    ? (await replacedBy(connection, asked)).kind
    : asked.kind;
};

const replacedBy = async (
  connection: Connection,
  { id, replacesId }: ChainRequest,
): Promise<ChainRequest> => {
  const replaced = replacesId === undefined ? undefined : await readChainRequest(connection, replacesId);
  if (replaced === undefined) throw new Error(`${id} replaces nothing`);
  return replaced;
};
