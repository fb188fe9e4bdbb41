import {
  type ChainRequest,
  type ChainRequestId,
  isChainWallet,
  transactionIdSchema,
  transferIdSchema,
  type World,
} from "@conclave/custody";
import {
  type Database,
  doneSubject,
  type Logger,
  readChainRequest,
  readVersionedRequest,
  readWallet,
  type VersionedRequest,
} from "@conclave/platform";
import { reach } from "@conclave/platform/fault-points";
import { z } from "zod";
import { requestUnserved } from "../log/log-events.ts";
import { type Disposition, DONE, type RequestLook } from "../queue/disposition.ts";
import type { SigningPort } from "../signing-port.ts";
import { broadcastRequest } from "./broadcast.ts";
import type { GatheringCount } from "./count-gatherings.ts";
import { beginRequest, buildRequest } from "./prepare.ts";
import type { ServedChain } from "./served-chain.ts";
import { sign, signRecalled } from "./sign.ts";
import type { Next, RequestStep, RequestWork } from "./step.ts";

/** Limit on steps: four lead from a request to its broadcast, and concurrent looks may add a few. */
const MOST_STEPS = 12;
const RETRY_MS = 1_000;

const idSchema = z.union([transferIdSchema, transactionIdSchema]);

export interface RequestHandler extends GatheringCount {
  readonly database: Database;
  /** by network */
  readonly chains: ReadonlyMap<string, ServedChain>;
  readonly quorum: SigningPort;
  readonly logger: Logger;
  readonly world: World;
  readonly records?: RequestWork["records"];
  /** called when a transaction has been broadcast, with its network */
  readonly broadcasted: (network: string) => void;
  /** wakes the waiters for a request once it is broadcast, or at its end */
  readonly signal: (subject: string) => void;
}

/**
 * The step that a request's row asks for; undefined when it is broadcast, at its end, or waiting for an approval, after
 * which it is due again.
 */
const nextStep = (request: ChainRequest): RequestStep | undefined => {
  switch (request.status) {
    case "Pending":
      return request.authorisation === undefined ? undefined : beginRequest;
    case "Executing":
      if (request.unsignedTransaction === undefined) return buildRequest;
      return request.signedTransaction === undefined ? sign : broadcastRequest;
    case "Broadcasted":
    case "Confirmed":
    case "Failed":
    case "Rejected":
      return undefined;
  }
};

/**
 * Carries a request to its broadcast. Each step takes the row as read, or as the step before committed it, does one
 * thing and commits it at that version. So after a crash between two steps, a second look or a second orchestrator only
 * repeats harmless work (INV-4, INV-5).
 * @param isHeld whether this process still holds the request; after a pause it must not continue beside its successor
 */
export const carryOutRequest = async (
  handler: RequestHandler,
  id: ChainRequestId,
  isHeld: () => boolean = () => true,
): Promise<Disposition> => {
  let work: RequestWork | undefined;
  let committed: VersionedRequest | undefined;
  for (let steps = 0; steps < MOST_STEPS && isHeld(); steps += 1) {
    const seen = committed ?? (await readVersionedRequest(handler.database, id));
    const step = seen && nextStep(seen.request);
    if (seen === undefined || step === undefined) {
      handler.signal(doneSubject(id));
      return DONE;
    }
    work ??= await workOf(handler, seen.request);
    if (work === undefined) return { kind: "Again", afterMs: RETRY_MS };
    const isOfBefore = step === sign && steps === 0;
    const next: Next = await (isOfBefore ? signRecalled : step)(work, seen);
    FAULT: if (step === beginRequest) reach("transfer.begun");
    FAULT: if (step === buildRequest && next.kind === "go-on") reach("transfer.built");
    if (next.kind === "again") return { kind: "Again", afterMs: next.afterMs };
    committed = next.seen;
    if (step === broadcastRequest) handler.broadcasted(seen.request.network);
  }
  return { kind: "Again", afterMs: RETRY_MS };
};

/**
 * The dependencies of the request's steps. When the gateway accepted the request, its wallet was active and on a chain,
 * and its network was served; the networks may have changed since.
 */
const workOf = async (handler: RequestHandler, request: ChainRequest): Promise<RequestWork | undefined> => {
  const { database, chains, quorum, logger, world, records, gathered } = handler;
  const wallet = await readWallet(database, request.walletId);
  const chain = chains.get(request.network);
  if (wallet !== undefined && isChainWallet(wallet) && chain !== undefined) {
    return { database, chain, wallet, quorum, logger, world, records, gathered };
  }
  requestUnserved(logger, { requestId: request.id, network: request.network });
  return undefined;
};

/** Looks at a due transfer or transaction. */
export const lookAtChainRequest =
  (handler: RequestHandler): RequestLook =>
  ({ id, isHeld }) =>
    carryOutRequest(handler, idSchema.parse(id), isHeld);

/** Whether no transaction of a request can land, so that later requests may continue without it. */
export const hasNothingSigned = async (database: Database, id: string): Promise<boolean> => {
  const request = await readChainRequest(database, idSchema.parse(id));
  return request?.signedTransaction === undefined;
};
