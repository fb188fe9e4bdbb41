import { LEDGERS } from "@conclave/ledgers";
import { commandLedger, HandClock } from "@conclave/ledgers/testing";
import { nodeAt, rpcCallOf, ScriptedNode } from "../scripted-node.ts";

/** seed of all these ledgers: the samples hold the hashes of their first blocks */
export const LEDGER_SEED = "tests";
/** Ledgers with JSON-RPC, where all requests have one path. */
const NAMED_BY_METHOD: readonly string[] = ["Solana", "XrpLedger"];
/** 20 November 2026 */
const START_MS = 1_795_132_800_000;

/** A simulated ledger behind a node whose answers a test can replace. */
export interface ScriptedLedger {
  readonly node: ScriptedNode;
  /** URL of the ledger itself, bypassing the scripted node */
  readonly url: string;
  readonly clock: HandClock;
  /** POSTs to the ledger's admin endpoint. */
  admin(action: string, input?: object): Promise<Readonly<Record<string, unknown>>>;
  mine(blocks?: number): Promise<void>;
  /** Pays from the faucet, in a block. @param amount in the coin's smallest unit */
  fund(address: string, amount: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param chain the ledger's name for its chain
 * @param startMs the first time of its clock
 * @param blockMs time that passes before each block, also when several are made at once
 */
export const openScriptedLedger = async (
  kind: keyof typeof LEDGERS,
  chain: string,
  { startMs = START_MS, blockMs = 0 }: { readonly startMs?: number; readonly blockMs?: number } = {},
): Promise<ScriptedLedger> => {
  const clock = new HandClock(startMs);
  const ledger = await LEDGERS[kind].start({
    clock,
    chain,
    seed: LEDGER_SEED,
    blockMs: 0,
    listen: { host: "127.0.0.1", port: 0 },
    adminPort: 0,
    token: undefined,
  });
  const byMethod = NAMED_BY_METHOD.includes(kind) ? rpcCallOf : undefined;
  const node = new ScriptedNode(nodeAt(ledger.url), byMethod && ((request) => byMethod(request).method));
  await node.start();
  const admin: ScriptedLedger["admin"] = (action, input) => commandLedger(ledger, action, input);
  const mine = async (blocks = 1): Promise<void> => {
    clock.pass(blockMs * blocks);
    await admin("mine", { blocks });
  };
  return {
    node,
    url: ledger.url,
    clock,
    admin,
    mine,
    fund: async (address, amount) => {
      await admin("fund", { address, amount });
      await mine();
    },
    stop: async () => {
      await node.stop();
      await ledger.stop();
    },
  };
};
