import { ok, type Result } from "@conclave/custody";
import { nodeAway } from "../../answers/node-away.ts";
import type { Fate, OwnTransaction } from "../../chain.ts";
import type { AlgorandNetwork } from "../network.ts";
import { type AlgorandDraft, algorandId, decodeAlgorand } from "../transaction.ts";
import { chainNow } from "./look-around.ts";
import type { Algod } from "./rest.ts";
import type { RoundMemory } from "./round-memory.ts";
import { idsOfRound } from "./rounds.ts";

const OPEN: Fate = { kind: "open" };
/** Rounds that are read at once. */
const ROUNDS_AT_ONCE = 16;

interface Known extends Pick<AlgorandDraft, "firstValid" | "lastValid" | "fee"> {
  readonly id: string;
}

/**
 * Whether transactions of one account can no longer land (INV-4): the chain is past the last valid round of each, and
 * no round in which one could have landed contains its id. An id does not depend on the signature.
 *
 * A node forgets after a thousand rounds where a transaction landed, and then answers as if it had not. Another node
 * behind the same load balancer may lag. So no answer about a single transaction counts, nor do two answers together:
 * each round is read whole, and if the node does not have one, there is no verdict.
 *
 * @returns ServiceUnavailable when there is no verdict
 */
export const algorandFate = async (
  { genesisHash }: Pick<AlgorandNetwork, "genesisHash">,
  algod: Algod,
  memory: RoundMemory,
  transactions: readonly OwnTransaction[],
): Promise<Result<Fate>> => {
  if (transactions.length === 0) throw new TypeError("there is no transaction whose fate is asked for");
  const known: Known[] = [];
  for (const { unsigned } of transactions) {
    const decoded = decodeAlgorand(unsigned);
    if (!decoded.ok) return decoded;
    known.push({ ...decoded.value, id: algorandId(unsigned) });
  }
  const now = await chainNow(algod);
  if (!now.ok) return now;
  const { lastRound } = now.value;
  // another chain's rounds prove nothing: they cannot contain these transactions
  if (now.value.genesisHash !== genesisHash) return nodeAway(algod.network, "it is of another chain");
  if (known.some(({ lastValid }) => lastValid >= lastRound)) return ok(OPEN);
  for (const each of known) {
    const missed = await hasMissed(algod, memory, each);
    if (!missed.ok) return missed;
    if (!missed.value) return ok(OPEN);
  }
  const rounds = known.map(({ lastValid }) => lastValid).join(", ");
  return ok({ kind: "dead", reason: `its last valid round ${rounds} is over; this one can never land` });
};

/** Whether a transaction is in none of the rounds in which it could have landed; reads all of them. */
const hasMissed = async (algod: Algod, memory: RoundMemory, known: Known): Promise<Result<boolean>> => {
  const { id, firstValid, lastValid, fee } = known;
  if (memory.landingOf(id) !== undefined) return ok(false);
  if (memory.hasMissed(id)) return ok(true);
  // no transaction lands in the genesis block
  for (let from = firstValid === 0n ? 1n : firstValid; from <= lastValid; from += BigInt(ROUNDS_AT_ONCE)) {
    const rounds = Array.from({ length: ROUNDS_AT_ONCE }, (_, at) => from + BigInt(at)).filter(
      (round) => round <= lastValid,
    );
    const read = await Promise.all(rounds.map((round) => idsIn(algod, memory, round)));
    for (const [at, ids] of read.entries()) {
      if (!ids.ok) return ids;
      if (!ids.value.has(id)) continue;
      memory.rememberLanding(id, { round: from + BigInt(at), fee });
      return ok(false);
    }
  }
  memory.rememberMissed(id);
  return ok(true);
};

const idsIn = async (
  algod: Algod,
  memory: RoundMemory,
  round: bigint,
): Promise<Result<ReadonlySet<string>>> => {
  const remembered = memory.idsOf(round);
  if (remembered !== undefined) return ok(remembered);
  const found = await idsOfRound(algod, round);
  if (!found.ok) return found;
  return found.value === undefined
    ? nodeAway(algod.network, `it has no block of round ${round}, so it gives no verdict`)
    : ok(memory.rememberRound(round, found.value));
};
