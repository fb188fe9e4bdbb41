import type { FeeBid, FeeBumps } from "@conclave/chains";
import {
  type ChainRequest,
  type ChainWallet,
  type FamilyContent,
  type FeeLevels,
  judgeReplacementRoom,
  problem,
  REPLACED_MAX,
  type Result,
  transactionIdSchema,
} from "@conclave/custody";
import {
  type Connection,
  changeChainRequest,
  countFeeBumps,
  type Database,
  type FeeWait,
  holdRights,
  type Logger,
  listReplaced,
  lockChainRequest,
  noteFeeWait,
  putOffFeeWait,
  readChainRequest,
  waitsBehind,
} from "@conclave/platform";
import type { Acceptance } from "../chain-request/accept-request.ts";
import { acceptReplacement, replacementBody } from "../chain-request/replace-request.ts";
import { feeBidOf, judgeReplaceable } from "../chain-request/request-act.ts";
import { roomForReplacement } from "../chain-request/room-for-replacement.ts";
import type { Dependencies } from "../dependencies.ts";
import { demand, Refused } from "../http/refused.ts";
import type { BumpEvents } from "./bump-events.ts";
import { type BumpDecision, decideBump, leaveBecause } from "./decide-bump.ts";
import { permittedNow } from "./permitted-now.ts";

/** The dependencies of raising a request's fee. */
export interface BumpWork extends Acceptance, Pick<Dependencies, "now" | "reading"> {
  readonly database: Database;
  readonly logger: Logger;
  readonly events: BumpEvents;
}

/** The state of a network when its requests are checked. */
export interface NetworkNow {
  readonly rule: FeeBumps;
  /** height of the last block */
  readonly height: bigint;
  readonly market: FeeLevels;
}

/**
 * Raises the fee of a request that waits, or records once why not. All writes are in one database transaction that has
 * locked the request: a second gateway finds it replaced, and a process that dies leaves nothing half done (INV-4). If a
 * policy blocks the replacement, or wants an approval for it, it is rolled back completely, as no person asked for it.
 */
export const bumpRequest = async (work: BumpWork, wait: FeeWait, now: NetworkNow): Promise<void> => {
  const { database, logger } = work;
  const judged = await database
    .transaction((connection) => bumpWithin(work, connection, wait, now))
    .catch(unraised);
  switch (judged.kind) {
    case "wait":
      return database.transaction((connection) => putOffFeeWait(connection, wait.requestId, now.height));
    case "leave":
      return noteLeft(work, wait, now, judged);
    case "raised": {
      const { network, id: replacementId } = judged.request;
      work.events.raised(logger, { requestId: wait.requestId, replacementId, network });
    }
  }
};

type Raised = { readonly kind: "raised"; readonly request: ChainRequest };
type Judged = Exclude<BumpDecision, { kind: "bump" }> | Raised;

const bumpWithin = async (
  work: BumpWork,
  connection: Connection,
  wait: FeeWait,
  now: NetworkNow,
): Promise<Judged> => {
  const named = await readChainRequest(connection, wait.requestId);
  if (named === undefined) return { kind: "wait" };
  await holdRights(connection, named.orgId);
  const request = await lockChainRequest(connection, wait.requestId);
  // settled, or replaced by another caller meanwhile
  if (request === undefined || !judgeReplaceable(request).ok) return { kind: "wait" };
  const wallet = await permittedNow(connection, request);
  const { rule, height } = now;
  const decision = decideBump({
    rule,
    waitedBlocks: height - wait.sinceHeight,
    askedMs: work.now().getTime() - Date.parse(request.dateRequested),
    isBehind: await waitsBehind(connection, request),
    bumps: await countFeeBumps(connection, await listReplaced(connection, request.id, REPLACED_MAX + 1)),
    bid: wallet.ok ? await bidFor(work, connection, wallet.value, request, now) : wallet,
  });
  if (decision.kind !== "bump") return decision;
  const made = await replace(work, connection, demand(wallet), request, decision.content);
  await putOffFeeWait(connection, request.id, height);
  return { kind: "raised", request: made };
};

/** @returns also TooManyReplacements, where people have already used up all raises */
const bidFor = async (
  work: BumpWork,
  connection: Connection,
  wallet: ChainWallet,
  request: ChainRequest,
  { rule, market }: NetworkNow,
): Promise<Result<FeeBid>> => {
  const room = judgeReplacementRoom(await roomForReplacement(work, connection, request), false, request.id);
  return room.ok ? feeBidOf(work, connection, wallet, request, rule.cap, market) : room;
};

/** Makes the speed-up as the requester could ask for it. @throws Refused unless policies simply allow it */
const replace = async (
  work: BumpWork,
  connection: Connection,
  wallet: ChainWallet,
  request: ChainRequest,
  content: FamilyContent,
): Promise<ChainRequest> => {
  const made = await acceptReplacement(work, connection, wallet, request, {
    id: work.world.freshId(transactionIdSchema, "tx"),
    requester: request.requester,
    requestBody: replacementBody("SpeedUpTransaction", request),
    content,
    isFeeBump: true,
  });
  if (made === undefined) throw new Error("a replacement without an externalId conflicts");
  if (made.authorisation !== undefined) return made;
  const reason =
    made.approvalId === undefined
      ? `a policy blocks it: ${made.reason ?? "it tells no reason"}`
      : "a policy asks for an approval, which the service does not ask for by itself";
  throw new Refused(problem("PolicyBlocked", { reason }, reason));
};

/** Turns a refusal, which has rolled the transaction back, into a reason. */
const unraised = (error: unknown): Judged => {
  if (!(error instanceof Refused)) throw error;
  return leaveBecause(error.problem);
};

/** Writes the reason into the request, the log and the counter; each reason once, however often it recurs. */
const noteLeft = async (
  { database, logger, events }: BumpWork,
  { requestId }: FeeWait,
  { height }: NetworkNow,
  { outcome, reason }: Extract<Judged, { kind: "leave" }>,
): Promise<void> => {
  const noted = await database.transaction(async (connection) => {
    const request = await lockChainRequest(connection, requestId);
    await putOffFeeWait(connection, requestId, height);
    if (request === undefined || !judgeReplaceable(request).ok) return undefined;
    if (!(await noteFeeWait(connection, requestId, reason))) return undefined;
    await changeChainRequest(connection, request, { kind: "NotBumped", reason });
    return request;
  });
  if (noted !== undefined) events.notRaised(logger, { requestId, network: noted.network, outcome, reason });
};
