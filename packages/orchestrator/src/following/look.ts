import type { Sighting } from "@conclave/chains";
import { type ChainRequest, type ChainRequestId, isoNow, type World } from "@conclave/custody";
import { type Database, type Logger, readChainRequest } from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import type { GatheringCount } from "../chain-requests/count-gatherings.ts";
import { buryRequest, fateNow, takeOverTwin } from "../chain-requests/fate.ts";
import type { ServedChain } from "../chain-requests/served-chain.ts";
import {
  lookNotRecorded,
  requestSettled,
  stillUnknownSentAgain,
  unknownSentAgain,
  verdictMissing,
  waitingSentAgain,
} from "../log/log-events.ts";
import { expectedTransfer } from "./expected-transfer.ts";
import { isLostToLanded, settle } from "./settle.ts";

/** How often the orchestrator asks for the fate of a request whose bytes the node says it has. */
const FATE_AGAIN_MS = 10_000;
/** How often the orchestrator broadcasts a transaction again that the node shows in its pool. */
const HAND_OVER_MS = 60_000;

/**
 * The dependencies and the memory of looks at requests. The chain is never queried while a row is locked, so a hung
 * node holds up no other work.
 */
export interface LookWork extends GatheringCount {
  readonly database: Database;
  readonly chain: ServedChain;
  readonly logger: Logger;
  readonly world: World;
  /** events that were already logged, by request */
  readonly logged: Map<string, readonly Repeated[]>;
  /**
   * monotonic milliseconds, by request: when the chain was last asked whether a request that its node accepted can
   * still land
   */
  readonly fatesAsked: Map<string, number>;
  /** monotonic milliseconds, by request: when the bytes of a request that its node shows in its pool were last broadcast */
  readonly handedOver: Map<string, number>;
}

export type Look = (work: LookWork, request: ChainRequest) => Promise<void>;

/** An event that every look repeats. */
type Repeated = "unknown" | "verdict-missing";

/**
 * Looks at one request. A failure affects no other request; a later round looks at this one again.
 * @param look the look that its status asks for: a request whose status changed meanwhile is left alone
 */
export const lookApart = async (work: LookWork, id: ChainRequestId, look: Look): Promise<void> => {
  try {
    const request = await readChainRequest(work.database, id);
    if (request !== undefined) await look(work, request);
  } catch (err) {
    lookNotRecorded(work.logger, { err, requestId: id });
  }
};

/** Settles a broadcast request whose transaction is confirmed; broadcasts its bytes again if the chain does not know them. */
export const lookAtBroadcasted: Look = async (work, request) => {
  if (request.status !== "Broadcasted") return;
  const expected = await expectedTransfer(work.database, request);
  const sighting = await work.chain.node.sight(request.txHash ?? "", expected);
  if (!sighting.ok) return;
  switch (sighting.value.kind) {
    case "waiting":
      return lookAtWaiting(work, request);
    case "unknown":
      return sendAgain(work, request);
    case "included": {
      const { isFinal, succeeded, height, blockHash, date: blockDate } = sighting.value;
      if (!isFinal) return;
      const date = isoNow(work.world);
      const inclusion = { fee: sighting.value.fee.toString(), blockNumber: height, blockHash };
      const arrived = sighting.value.arrived?.toString();
      const isRecorded = await settle(
        work,
        request,
        succeeded
          ? {
              kind: "Confirmed",
              date,
              ...inclusion,
              ...(blockDate === undefined ? {} : { blockDate }),
              ...(arrived === undefined ? {} : { arrived }),
            }
          : { kind: "Failed", date, inclusion, reason: failureWords(sighting.value) },
      );
      if (!isRecorded) return;
      FAULT: reach("transfer.confirmed");
      const { id: requestId, txHash } = request;
      requestSettled(work.logger, { requestId, txHash, succeeded, fee: inclusion.fee });
    }
  }
};

/** Describes how the execution failed, with the chain's own reason where it has one. */
const failureWords = ({ movedNothing, reason }: Extract<Sighting, { kind: "included" }>): string => {
  const outcome = movedNothing === true ? "moved nothing" : "reverted it";
  return `the chain executed it and ${outcome}${reason === undefined ? "" : `: ${reason}`}`;
};

/**
 * Broadcasts the same bytes again after the node lost the transaction, or a reorganisation dropped its block
 * (INV-4). When the node refuses them for any reason, the orchestrator asks the chain whether they can still
 * land: it does not know every node's message for a place that is taken. A node that accepts the bytes proves
 * nothing, because some nodes accept everything: then the orchestrator asks the chain now and then.
 */
const sendAgain: Look = async (work, request) => {
  const { chain, logger } = work;
  if (request.signedTransaction === undefined) return;
  const outcome = await chain.node.broadcast(request.signedTransaction);
  // a replaced transaction is not in the pool, and the node refuses it each time
  const isUsual = request.replacementId !== undefined;
  const isFirst = !isUsual && isNews(work, request, "unknown");
  (isFirst ? unknownSentAgain : stillUnknownSentAgain)(logger, { requestId: request.id, outcome });
  const isAccepted = outcome.kind === "accepted";
  const isTime = !isAccepted || isTimeAgain(work, work.fatesAsked, request, FATE_AGAIN_MS);
  const mayBeTwin = isAccepted
    ? outcome.isProcessed === true || isTime
    : outcome.kind === "outdated" && request.replacementId === undefined;
  if (mayBeTwin) {
    const twin = await takeOverTwin(work, request);
    if (twin.ok && twin.value) return;
  }
  if (isTime) await buryIfDead(work, request);
};

/**
 * Handles a transaction that the node shows in its pool. The node may show it for ever without forwarding it, or no
 * block may take it after a reorganisation, so the orchestrator broadcasts the bytes again now and then. If they have a
 * deadline, final blocks decide whether they can still land.
 */
const lookAtWaiting: Look = async (work, request) => {
  const { chain, logger } = work;
  if (request.signedTransaction !== undefined && isTimeAgain(work, work.handedOver, request, HAND_OVER_MS)) {
    const outcome = await chain.node.broadcast(request.signedTransaction);
    waitingSentAgain(logger, { requestId: request.id, outcome });
  }
  if (!chain.family.rebuilds) return;
  if (isTimeAgain(work, work.fatesAsked, request, FATE_AGAIN_MS)) await buryIfDead(work, request);
};

/** Whether the interval has passed since the noted time. If so, and at the first call, notes the current time. */
const isTimeAgain = (
  { world }: LookWork,
  times: Map<string, number>,
  { id }: ChainRequest,
  everyMs: number,
): boolean => {
  const nowMs = world.monotonicMs();
  const lastMs = times.get(id);
  const isTime = lastMs !== undefined && nowMs - lastMs >= everyMs;
  if (isTime || lastMs === undefined) times.set(id, nowMs);
  return isTime;
};

const buryIfDead: Look = async (work, request) => {
  const { logger } = work;
  const fate = await fateNow(work, request);
  if (!fate.ok && isNews(work, request, "verdict-missing")) {
    verdictMissing(logger, { requestId: request.id, problem: fate.problem });
  }
  if (!fate.ok || fate.value.kind === "open" || (await isLostToLanded(work, request))) return;
  await buryRequest(work, request, fate.value.reason);
};

/** Whether this event was not yet logged for the request; it recurs every second, and would flood the log. */
const isNews = ({ logged }: LookWork, { id }: ChainRequest, event: Repeated): boolean => {
  const before = logged.get(id) ?? [];
  if (before.includes(event)) return false;
  logged.set(id, [...before, event]);
  return true;
};
