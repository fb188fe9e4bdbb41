import { type ChainRequest, type ChainWallet, problem, type Result } from "@conclave/custody";
import {
  type Connection,
  type Principal,
  readCoinGatherer,
  replacedBefore,
  UnreadableRow,
} from "@conclave/platform";
import { MAY_CREATE } from "../chain-request/may-create.ts";
import { judgeStanding } from "../permission/standing.ts";
import { payingWallet } from "../wallet/visible-wallet.ts";

/**
 * Whether a request's requester could make it, or its speed-up, now: user, token and application are active, the
 * permission exists, and the user may pay with the wallet.
 * @returns the wallet; PermissionMissing, WalletNotFound, KeyDelegated
 */
export const permittedNow = async (
  connection: Connection,
  request: AskedRequest & Pick<ChainRequest, "walletId">,
): Promise<Result<ChainWallet>> => {
  const principal = await requesterNow(connection, request);
  if (!principal.ok) return principal;
  const { orgId, userId, isEndUser } = principal.value;
  return payingWallet(connection, { orgId, userId, isEndUser }, request.walletId);
};

/** The requester of a request, if its rights still allow it. */
interface RequesterNow extends Pick<ChainRequest["requester"], "userId"> {
  readonly orgId: ChainRequest["orgId"];
  readonly isEndUser: boolean;
}

/**
 * Whether a request's requester still has the right, regardless of the wallet's state.
 * @returns PermissionMissing
 */
export const requesterNow = async (
  connection: Connection,
  request: AskedRequest,
): Promise<Result<RequesterNow>> => {
  const asked = await askedFor(connection, request);
  const { orgId, requester } = asked;
  if (asked.isGathering && (await readCoinGatherer(connection, orgId)) === undefined)
    return notGathered(orgId);
  const need = MAY_CREATE[await kindOf(connection, asked)];
  const standing = await judgeStanding(connection, { orgId, ...requester }, "who asked for it", [need]);
  return standing.ok ? { ok: true, value: viewerOf(requester.userId, standing.value) } : standing;
};

const notGathered = (orgId: ChainRequest["orgId"]): Result<never> => ({
  ok: false,
  problem: problem(
    "PermissionMissing",
    { operation: "Orgs:Settings:Update", orgId },
    "the organisation does not let the service gather coins any more",
  ),
});

const viewerOf = (userId: RequesterNow["userId"], { orgId, kind }: Principal): RequesterNow => ({
  orgId,
  userId,
  isEndUser: kind === "EndUser",
});

/** The fields of a request that name its requester and its content. */
type AskedRequest = Pick<
  ChainRequest,
  "id" | "kind" | "orgId" | "requester" | "requestBody" | "replacesId" | "isFeeBump" | "isGathering"
>;

/** The request of a person: for one that the service made by itself, the one that it replaced. */
const askedFor = async (connection: Connection, request: AskedRequest): Promise<AskedRequest> =>
  firstInLine(connection, request, ({ isFeeBump }) => !isFeeBump);

/**
 * The kind of request whose permission is needed: for a speed-up or cancellation that of the original request, however
 * often it was replaced before.
 */
const kindOf = async (connection: Connection, asked: AskedRequest): Promise<ChainRequest["kind"]> =>
  (await firstInLine(connection, asked, ({ requestBody }) => !REPLACING.has(requestBody.kind))).kind;

const REPLACING: ReadonlySet<string> = new Set(["SpeedUpTransaction", "CancelTransaction"]);

/** A request, or the newest of those that it replaced, that is wanted. @throws UnreadableRow where there is none */
const firstInLine = async (
  connection: Connection,
  request: AskedRequest,
  isWanted: (asked: AskedRequest) => boolean,
): Promise<AskedRequest> => {
  if (isWanted(request)) return request;
  for await (const replaced of replacedBefore(connection, request)) {
    if (isWanted(replaced)) return replaced;
  }
  throw new UnreadableRow({ record: request.id, columns: ["replaces_id"] });
};
