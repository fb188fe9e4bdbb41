import { fail, type Result } from "@conclave/custody";
import type { ChainNode } from "../chain.ts";
import { type CostChosenBy, type GuardOptions, makeGuard } from "./guard.ts";

/** A node with a circuit breaker. */
export interface GuardedNode {
  readonly node: ChainNode;
  /** Nothing is asked unasked any more. */
  readonly stop: () => void;
}

/**
 * Gives a node a circuit breaker. While it does not answer, its head is asked for now and then to find out
 * whether it does again, and callers get at once the answer that they would get at the end of their time.
 * Nothing else changes: the node's answers are passed on. Work whose cost a caller chooses does not count
 * against the node: a build with its estimate and its simulation, a call of a contract, questions to a token
 * about itself, a recipient and a movement, and a whole block, which anybody may fill. Where such work is slow,
 * the guard asks for the node's head: that answer decides.
 */
export const guardNode = (node: ChainNode, options: GuardOptions): GuardedNode => {
  const { network } = node.network;
  const words = `The chain node of ${network} does not answer, and is left alone for some seconds.`;
  const isAway = (answer: Result<unknown>): boolean =>
    !answer.ok && answer.problem.code === "ServiceUnavailable";
  const guard = makeGuard(options, async () => isAway(await node.head()));
  const asked = <T>(
    call: () => Promise<Result<T>>,
    costChosenBy: CostChosenBy = "node",
  ): Promise<Result<T>> =>
    guard.through<Result<T>>(call, {
      costChosenBy,
      leftAlone: () => fail("ServiceUnavailable", { network }, words),
      isFailure: isAway,
    });
  const { arrivals, isCatchingUp, callContract, callFunction, gathering, judgeRecipient } = node;
  const { findSent, twinOf } = node;
  const guarded: ChainNode = {
    network: node.network,
    build: (intent) => asked(() => node.build(intent), "caller"),
    broadcast: (signed) =>
      guard.through(() => node.broadcast(signed), {
        costChosenBy: "node",
        leftAlone: () => ({ kind: "refused", reason: words }),
        isFailure: ({ kind }) => kind === "refused",
      }),
    head: () => asked(() => node.head()),
    ofChain: () => asked(() => node.ofChain()),
    ...(isCatchingUp && { isCatchingUp: () => asked(() => isCatchingUp()) }),
    block: (height, ours) => asked(() => node.block(height, ours)),
    sight: (txHash, expected) => asked(() => node.sight(txHash, expected), "caller"),
    ...(judgeRecipient && {
      judgeRecipient: (transfer) => asked(() => judgeRecipient(transfer), "caller"),
    }),
    ...(arrivals && { arrivals: (...block) => asked(() => arrivals(...block), "caller") }),
    fateOf: (sender, transactions) => asked(() => node.fateOf(sender, transactions)),
    ...(twinOf && { twinOf: (sender, own) => asked(() => twinOf(sender, own)) }),
    ...(findSent && { findSent: (sender, search) => asked(() => findSent(sender, search), "caller") }),
    nextSequence: (sender) => asked(() => node.nextSequence(sender)),
    describeToken: (token) => asked(() => node.describeToken(token), "caller"),
    balance: (owner) => asked(() => node.balance(owner)),
    tokenBalance: (owner, token) => asked(() => node.tokenBalance(owner, token), "caller"),
    tokenOwner: (token, tokenId) => asked(() => node.tokenOwner(token, tokenId), "caller"),
    ...(callContract && {
      callContract: (contract, data) => asked(() => callContract(contract, data), "caller"),
    }),
    ...(callFunction && {
      callFunction: (contract, abi, given) => asked(() => callFunction(contract, abi, given), "caller"),
    }),
    feeLevels: () => asked(() => node.feeLevels()),
    ...(gathering && {
      gathering: {
        isCheap: () => asked(() => gathering.isCheap()),
        coinsOf: (owner) => asked(() => gathering.coinsOf(owner)),
      },
    }),
  };
  return { node: guarded, stop: guard.stop };
};
