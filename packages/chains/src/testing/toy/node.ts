import { fail, ok, type Result } from "@conclave/custody";
import type { ChainNode, Fate, Sighting } from "../../chain.ts";
import { TOY_FINALITY, type ToyChain } from "./chain.ts";
import { TOY_FAMILY } from "./family.ts";
import type { ToyNetwork } from "./network.ts";
import { decodeToy, idOf } from "./transaction.ts";

/** The node of a toy chain. */
export const toyNode = (network: ToyNetwork, chain: ToyChain): ChainNode<ToyNetwork> => {
  const said = async <T>(say: () => T): Promise<Result<T>> =>
    chain.isAway ? fail("ServiceUnavailable", { network: network.network }) : ok(say());
  return {
    network,
    build: async (intent) => {
      const situation = await said(() => ({ timeMs: chain.head.timeMs, balance: chain.balance }));
      return situation.ok ? TOY_FAMILY.build(network, situation.value, intent) : situation;
    },
    broadcast: async (signed) => {
      if (chain.isAway) return { kind: "refused", reason: "the chain node does not answer" };
      const refusal = chain.take(signed);
      if (refusal === undefined) return { kind: "accepted" };
      return refusal === "signatures"
        ? { kind: "refused", reason: "a signature is wrong" }
        : { kind: "outdated", reason: "its time is over; waiting for the chain to settle it" };
    },
    head: () =>
      said(() => ({
        height: chain.head.height,
        hash: chain.head.hash,
        confirmedHeight: chain.final.height,
        finalHeight: chain.final.height,
      })),
    ofChain: () => said(() => network.network),
    block: (height, ours) =>
      said(() => {
        const block = chain.at(height);
        return block && { ...block, holds: block.ids.filter((id) => ours.has(id)) };
      }),
    sight: (txHash) => said(() => sightOf(chain, txHash)),
    fateOf: (_sender, transactions) =>
      said((): Fate => {
        const isDead = transactions.every(({ unsigned }) => {
          const decoded = decodeToy(unsigned);
          // computed here, because a caller could give a wrong id
          const isAbsent = chain.find(idOf(unsigned)) === undefined;
          return decoded.ok && isAbsent && chain.final.timeMs >= decoded.value.deadlineMs;
        });
        return isDead
          ? { kind: "dead", reason: "its time is over; this one can never land" }
          : { kind: "open" };
      }),
    nextSequence: async () => ok(undefined),
    describeToken: async () => ok({}),
    balance: () => said(() => chain.balance),
    tokenBalance: async () => ok(undefined),
    tokenOwner: async () => ok(undefined),
    feeLevels: async () => fail("ServiceUnavailable", { network: network.network }),
  };
};

const sightOf = (chain: ToyChain, txHash: string): Sighting => {
  const found = chain.find(txHash);
  if (found === undefined) return { kind: "unknown" };
  if (found === "waiting") return { kind: "waiting" };
  const { block, fee, succeeded } = found;
  const isFinal = chain.head.height - block.height + 1n >= BigInt(TOY_FINALITY);
  return { kind: "included", height: block.height, blockHash: block.hash, isFinal, fee, succeeded };
};
