import { type NetworkFamily, networkSchema } from "@conclave/custody";
import { z } from "zod";
import { LaunchError } from "../launch-error.ts";
import { serviceSpec } from "../parts/service-process.ts";
import { type ChainMove, type ChainTip, chainTip } from "./chain-move.ts";
import { commandLedger } from "./ledger-command.ts";
import type { LocalNetwork } from "./local-network.ts";

export interface LedgerRow {
  readonly network: string;
  readonly family: NetworkFamily;
  /** which ledger simulates the network, unless the family's name says so */
  readonly ledger?: string;
  /** interval between blocks in milliseconds; by default the ledger's own */
  readonly blockMs?: number;
  /** how many blocks it takes until the node counts a payment; by default one */
  readonly blocksToCount?: number;
  /** whether its transactions end at a time, which the services compare with their own clocks */
  readonly hasTimedDeadlines?: boolean;
  /** why no block is ever replaced; undefined if the ledger can replace its latest ones */
  readonly finality?: string;
  readonly decimals: number;
  readonly price: LocalNetwork["price"];
  /** the chain's name in its ledger, such as a genesis id; a real network's name only if address formats depend on it */
  readonly chain: string;
  /** the members of its entry in the networks file, without network and family */
  readonly entry: (url: string, seed: string) => Readonly<Record<string, unknown>>;
}

/** Timeout of a readiness check, which is repeated. */
const ANSWER_MS = 5_000;
/** Pays out of the faucet and makes blocks at once, so that the money can be used immediately. */
const pay = async (adminUrl: string, address: string, amount: bigint, blocks: number): Promise<void> => {
  await commandLedger(adminUrl, "fund", { address, amount: String(amount) });
  await commandLedger(adminUrl, "mine", { blocks });
};

const viewSchema = z.object({ tip: z.object({ height: z.number(), time: z.number() }) });

/**
 * How far the clock of a chain with timed deadlines may be ahead: the services refuse a transaction that holds for more than
 * a day by their own clocks, and a transaction holds for less than an hour by the chain's.
 */
const AHEAD_MS_MAX = 23 * 60 * 60 * 1_000;
const MS_IN_SECOND = 1_000;
const MS_IN_MINUTE = 60 * MS_IN_SECOND;

const checkAhead = async (network: string, adminUrl: string, seconds: number): Promise<void> => {
  const answer = await fetch(adminUrl, { signal: AbortSignal.timeout(ANSWER_MS) });
  const { tip } = viewSchema.parse(await answer.json());
  const room = AHEAD_MS_MAX - Math.max(0, tip.time * MS_IN_SECOND - Date.now());
  if (seconds * MS_IN_SECOND <= room) return;
  throw new LaunchError(
    `the services sign nothing on ${network} once its clock is more than 23 hours ahead of theirs`,
    `Advance it by ${Math.floor(room / MS_IN_MINUTE)}m at the most.`,
  );
};

const moveLedger = async (adminUrl: string, move: ChainMove): Promise<ChainTip> => {
  const order = async (action: string, input: object): Promise<ChainTip> => {
    const { tip } = viewSchema.parse(await commandLedger(adminUrl, action, input));
    return chainTip(tip.height, tip.time);
  };
  switch (move.kind) {
    case "mine":
      return order("mine", { blocks: move.blocks });
    case "advance":
      await commandLedger(adminUrl, "shift-clock", { seconds: move.seconds });
      return order("mine", { blocks: 1 });
    case "reorganise":
      return order("reorg", { depth: move.blocks });
  }
};

const settingsOf = ({
  family,
  ledger = family,
  chain,
  blockMs,
}: LedgerRow): LocalNetwork["chainSettings"] => ({
  CONCLAVE_LEDGER: ledger,
  CONCLAVE_CHAIN: chain,
  ...(blockMs === undefined ? {} : { CONCLAVE_BLOCK_MS: String(blockMs) }),
});

/** A network whose local node is a simulated ledger: a process of services/ledger. */
export const ledgerNetwork = (row: LedgerRow): LocalNetwork => {
  const {
    network,
    family,
    blocksToCount = 1,
    decimals,
    price,
    entry,
    finality,
    hasTimedDeadlines = false,
  } = row;
  const chainSettings = settingsOf(row);
  return {
    network: networkSchema.parse(network),
    family,
    decimals,
    price,
    chainSettings,
    process: `ledger-${network}`,
    entry: (url, seed) => ({ network, family, ...entry(url, seed) }),
    spec: ({ folder, logFile, port, adminPort, seed }) =>
      serviceSpec("ledger", `ledger-${network}`, logFile, {
        ...chainSettings,
        CONCLAVE_LISTEN: `127.0.0.1:${port}`,
        CONCLAVE_ADMIN_PORT: String(adminPort),
        CONCLAVE_SEED: seed,
        CONCLAVE_LEDGER_DIR: folder,
      }),
    answers: async ({ adminUrl }) => {
      try {
        return (await fetch(adminUrl, { signal: AbortSignal.timeout(ANSWER_MS) })).ok;
      } catch {
        return false;
      }
    },
    fund: ({ adminUrl }, address, amount) => pay(adminUrl, address, amount, blocksToCount),
    finality,
    move: async ({ adminUrl }, move) => {
      if (hasTimedDeadlines && move.kind === "advance") await checkAhead(network, adminUrl, move.seconds);
      return moveLedger(adminUrl, move);
    },
  };
};
