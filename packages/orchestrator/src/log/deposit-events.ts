import type { Problem } from "@conclave/custody";
import { countedEvent, type DeclaredCounter, logEvent, type Metrics } from "@conclave/platform";

/** The events of reading chains for deposits: never a payload, a secret or an address. */

interface OfNetwork {
  readonly network: string;
}

interface OfBlock extends OfNetwork {
  readonly height: bigint;
}

interface OfChain extends OfNetwork {
  readonly finalHeight: bigint;
}

/** @param watched the number of movements at watched addresses */
export const depositsDetected = logEvent<OfBlock & { readonly deposits: number; readonly watched: number }>()(
  "info",
  "deposits-detected",
  "deposits, or movements at watched addresses, detected",
);

const byNetwork = ({ network }: OfNetwork) => ({ network });

/** @param place the node's name for the place of the arrival, shortened */
const depositUnstorable = countedEvent<
  OfBlock & {
    readonly walletId?: string;
    readonly addressWatchId?: string;
    readonly place: string;
  }
>()(
  "error",
  "deposit-unstorable",
  "the node tells of a deposit what no record can hold: it is not detected",
  {
    counter: {
      name: "conclave_deposits_unstorable_total",
      help: "Arrivals that were not stored, because the node tells of them what no record can hold",
      labelNames: ["network"],
    },
    labels: byNetwork,
  },
);

const depositsUnannounced = countedEvent<OfBlock & { readonly unannounced: number }>()(
  "warn",
  "deposits-untold",
  "a contract claims very many movements at one address in a block: events tell of the first ones, the history of all",
  {
    counter: {
      name: "conclave_deposits_untold_total",
      help: "Deposits that no event tells of, because a contract claimed very many at one address in one block",
      labelNames: ["network"],
    },
    labels: byNetwork,
    by: ({ unannounced }) => unannounced,
  },
);

const PASSED_OVER: DeclaredCounter<"network"> = {
  name: "conclave_deposits_passed_over_blocks_total",
  help: "Final blocks that were not read, as the node has forgotten them or they are too large: what they brought is not told of",
  labelNames: ["network"],
};

const blocksForgotten = countedEvent<
  OfNetwork & { readonly from: bigint | undefined; readonly to: bigint | undefined; readonly blocks: number }
>()(
  "error",
  "blocks-forgotten",
  "the node has forgotten blocks that were not read: what they brought to wallets is not detected",
  { counter: PASSED_OVER, labels: byNetwork, by: ({ blocks }) => blocks },
);

const blockTooLarge = countedEvent<OfBlock>()(
  "error",
  "block-too-large",
  "a block is too large for the node to tell, and was not read: what it brought to wallets is not detected",
  { counter: PASSED_OVER, labels: byNetwork },
);

/** The deposit events that a process's metrics count. */
export type CountedDepositEvents = ReturnType<typeof countedDepositEvents>;

export const countedDepositEvents = (metrics: Pick<Metrics, "registry">) => ({
  depositUnstorable: depositUnstorable(metrics),
  depositsUnannounced: depositsUnannounced(metrics),
  blocksForgotten: blocksForgotten(metrics),
  blockTooLarge: blockTooLarge(metrics),
});

export const arrivalsUnread = logEvent<OfBlock & { readonly problem: Problem }>()(
  "warn",
  "arrivals-unread",
  "a block is not read for deposits",
);

export const historyAbsent = logEvent<OfBlock & OfChain>()(
  "warn",
  "history-absent",
  "the node does not tell what a block brought, nor does it tell of the final one, or it tells of others now: nothing is passed over",
);

export const chainReadAnew = logEvent<OfChain & { readonly read: bigint }>()(
  "warn",
  "chain-read-anew",
  "the node reads its chain anew: reading waits for it",
);

/** @param read the block up to which the chain was read */
interface WentBack extends OfNetwork {
  readonly read: bigint;
  /** reading continues after this block */
  readonly from: bigint;
}

export const chainShorter = logEvent<WentBack>()(
  "error",
  "chain-shorter",
  "the chain is shorter than what was read of it: it is read anew",
);

export const chainRewritten = logEvent<WentBack>()(
  "error",
  "chain-rewritten",
  "the chain was rewritten: it is read again from the last block that it still holds",
);

export const chainReplaced = logEvent<WentBack>()(
  "error",
  "chain-replaced",
  "the chain holds none of the blocks that were read: it is read anew",
);

export const otherChainServed = logEvent<OfNetwork & { readonly chain: string }>()(
  "error",
  "other-chain-served",
  "the node is of another chain than the networks file says: nothing is read for deposits",
);

interface FirstLook extends OfNetwork {
  readonly from: bigint;
  /** creation date of the oldest wallet, ISO 8601 */
  readonly oldestWallet: string | undefined;
}

export const beginForgotten = logEvent<FirstLook>()(
  "error",
  "begin-forgotten",
  "the node has forgotten blocks since the oldest wallet was made: what they brought is not detected",
);

export const beginUndated = logEvent<FirstLook>()(
  "error",
  "begin-undated",
  "the node tells no block's date: what came to wallets long before this first look is not detected",
);

export const beginLongAgo = logEvent<FirstLook>()(
  "error",
  "begin-long-ago",
  "the oldest wallet was made long before this first look: what came to it until a day ago is not detected",
);

export const emptyTimePassed = logEvent<OfNetwork & { readonly from: bigint; readonly to: bigint }>()(
  "info",
  "empty-time-passed",
  "blocks of a time without wallets are not read",
);
