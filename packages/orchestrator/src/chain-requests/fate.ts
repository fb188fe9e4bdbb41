import type { Fate } from "@conclave/chains";
import { CLOCK_SKEW_MS_MAX, DEADLINE_MARGIN_MS } from "@conclave/cluster";
import { type ChainRequest, DEAD_TRANSACTIONS_MAX, ok, type Result } from "@conclave/custody";
import {
  askForDeathStatement,
  type Connection,
  changeChainRequest,
  listSignedWithSequence,
  readDeathStatement,
} from "@conclave/platform";
import { authorisedOf } from "./authorised.ts";
import type { ServedChain } from "./served-chain.ts";
import { now } from "./step.ts";

/** From a deadline until every signer believes that it has passed, by a clock that may be behind ours. */
const BELIEVED_AFTER_MS = DEADLINE_MARGIN_MS + CLOCK_SKEW_MS_MAX;

/** Whether the signed transaction of a request can still land. @returns ServiceUnavailable when there is no verdict */
export const fateOfRequest = async (
  { node }: ServedChain,
  sender: string,
  { unsignedTransaction: unsigned, signedTransaction: signed }: ChainRequest,
): Promise<Result<Fate>> =>
  unsigned === undefined || signed === undefined
    ? ok({ kind: "open" })
    : node.fateOf(sender, [{ unsigned, signed }]);

/** What becomes of a request whose signed transaction is dead. */
export type Aftermath =
  /** it is at its end */
  | "failed"
  /** a further transaction may be built */
  | "reborn"
  /** the gateway has not looked at the chain yet, or signers would not believe it yet */
  | "later";

/**
 * Buries a signed transaction that is dead as far as this orchestrator's node tells (INV-4). Where the family does not build
 * again, the request has failed. Else the authority is asked for its word, for signers believe nobody else; with it, the
 * request goes back to be built. Not before signers believe it: what they refuse has failed, and on most chains a block is
 * final long before their margin is over.
 * @param connection in a transaction that holds the request's row
 */
export const bury = async (
  connection: Connection,
  chain: ServedChain,
  request: ChainRequest,
  reason: string,
): Promise<Aftermath> => {
  const isLast = request.deadTransactions >= DEAD_TRANSACTIONS_MAX || request.replacementId !== undefined;
  if (!chain.family.rebuilds || isLast) {
    const winner = await winnerOf(connection, chain, request);
    const why =
      winner === undefined ? reason : `${winner.id} has landed in its place; this one can never land`;
    await changeChainRequest(connection, request, { kind: "Failed", date: now(), reason: why });
    return "failed";
  }
  if (!isBelieved(chain, request)) return "later";
  const signed = request.deadTransactions + 1;
  const said = await readDeathStatement(connection, request.id, signed);
  if (said?.statement !== undefined) {
    const died = await changeChainRequest(connection, request, { kind: "Died" });
    return died.ok ? "reborn" : "later";
  }
  if (said === undefined) await askForDeathStatement(connection, request.id, signed);
  return "later";
};

/** Whether the deadline of a signed transaction is over for signers as well, where it holds one. */
const isBelieved = ({ family, node }: ServedChain, request: ChainRequest): boolean => {
  if (request.unsignedTransaction === undefined) return true;
  const read = family.read(node.network, request.unsignedTransaction, authorisedOf(request));
  const deadlineMs = read.ok ? read.value.deadlineMs : undefined;
  return deadlineMs === undefined || Date.now() > deadlineMs + BELIEVED_AFTER_MS;
};

/** Which of our own requests in the same place the chain holds. */
const winnerOf = async (
  connection: Connection,
  { node }: ServedChain,
  request: ChainRequest,
): Promise<ChainRequest | undefined> => {
  if (request.sequence === undefined) return undefined;
  for (const other of await listSignedWithSequence(connection, request.walletId, request.sequence)) {
    if (other.id === request.id || other.txHash === undefined) continue;
    const sighting = await node.sight(other.txHash);
    if (sighting.ok && sighting.value.kind === "included") return other;
  }
  return undefined;
};
