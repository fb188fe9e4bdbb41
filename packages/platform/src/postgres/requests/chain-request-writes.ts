import {
  type ChainRequest,
  type ChainRequestEvent,
  type ChainRequestId,
  type DomainEvent,
  decideChainRequest,
  ok,
  type Result,
} from "@conclave/custody";
import type { RowChange } from "../commit/commit.ts";
import { chainRequests } from "./chain-requests.ts";
import { deadTransactionKept } from "./dead-transactions.ts";

/** A request, as the caller read it. */
interface Seen {
  readonly request: ChainRequest;
}

/** The rows that events of a request change, and the public events about the changes. */
export interface ChainRequestWrites<S extends Seen> {
  /** the request after the events */
  readonly request: ChainRequest;
  /** the requests on which the decision was based; each is updated */
  readonly seen: readonly S[];
  readonly changes: readonly RowChange[];
  readonly events: readonly DomainEvent[];
}

/**
 * Derives the writes of a request's events. A transaction that was found dead stays on record. If a replacement ends
 * before it was signed, the request that it would have replaced becomes the current one again.
 *
 * @param read reads that other request
 * @param events in this order
 * @returns the writes; or RequestStateInvalid or SequenceConflict
 */
export const chainRequestWrites = async <S extends Seen>(
  read: (id: ChainRequestId) => Promise<S | undefined>,
  seen: S,
  events: readonly ChainRequestEvent[],
): Promise<Result<ChainRequestWrites<S>>> => {
  let { request } = seen;
  const before: RowChange[] = [];
  const recorded: DomainEvent[] = [];
  const reinstated: ChainRequestWrites<S>[] = [];
  for (const event of events) {
    const decision = decideChainRequest(request, event);
    if (!decision.ok) return decision;
    if (event.kind === "Died") before.push(deadTransactionKept(request));
    request = decision.value.request;
    recorded.push(...decision.value.events);
    const other = await reinstatement(read, request);
    if (other === undefined) continue;
    reinstated.push(other);
    recorded.push(...other.events);
  }
  const row = { table: "chain_requests", id: request.id } as const;
  const values = chainRequests.updateValues(request);
  const update = { kind: "update", row, text: chainRequests.updateText, values } as const;
  return ok({
    request,
    seen: [seen, ...reinstated.flatMap((one) => one.seen)],
    // after `update`: the reinstated request may take the place that this request gives back
    changes: [...before, update, ...reinstated.flatMap((one) => one.changes)],
    events: recorded,
  });
};

/**
 * Clears the replacement mark of the request that a failed replacement was to replace, unless another request replaces
 * it.
 */
const reinstatement = async <S extends Seen>(
  read: (id: ChainRequestId) => Promise<S | undefined>,
  ended: ChainRequest,
): Promise<ChainRequestWrites<S> | undefined> => {
  if (!isOver(ended) || ended.kind !== "Transaction" || ended.replacesId === undefined) return undefined;
  const replaced = await read(ended.replacesId);
  if (replaced?.request.replacementId !== ended.id) return undefined;
  const decided = await chainRequestWrites(read, replaced, [{ kind: "Reinstated", from: ended.id }]);
  return decided.ok ? decided.value : undefined;
};

const isOver = ({ status, signedTransaction }: ChainRequest): boolean =>
  (status === "Failed" || status === "Rejected") && signedTransaction === undefined;
