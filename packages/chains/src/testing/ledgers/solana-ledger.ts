import { makeAgaveGenesis } from "@conclave/ledgers/genesis";
import { base64 } from "@scure/base";
import { createSolanaRpc, type Rpc, type SolanaRpcApi, signature } from "@solana/kit";
import type { SolanaNetwork } from "../../solana/network.ts";
import { rpcCallOf } from "../scripted-node.ts";
import { SOLANA_DEVNET, SOLANA_SENDER } from "../solana-samples.ts";
import { LEDGER_SEED, openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";

const CHAIN = "conclave";
/** Blocks, including the latest confirmed one, until a block is final. */
export const SOLANA_FINAL = 33;

/** The entry of the networks file for a ledger of `openSolanaLedger` at this URL. */
export const solanaEntryAt = (solanaUrl: string): SolanaNetwork => ({
  ...SOLANA_DEVNET,
  genesisHash: makeAgaveGenesis(CHAIN, LEDGER_SEED).hash,
  solanaUrl,
});

/** A node's JSON-RPC error. @param data details about a transaction that it simulated */
export const solanaRefusal = (code: number, message: string, data?: object): object => ({
  jsonrpc: "2.0",
  id: 1,
  error: { code, message, ...(data && { data }) },
});

/** An account as its node shows it. */
export interface ShownSolanaAccount {
  readonly lamports: bigint;
  readonly owner: string;
  readonly data: Uint8Array;
  readonly executable?: boolean;
}

export interface ScriptedSolanaLedger extends ScriptedLedger {
  /** the chain's SDK, connected to the ledger itself */
  readonly rpc: Rpc<SolanaRpcApi>;
  /** The latest final slot, or the latest with a confirmed block. */
  lastSlot(commitment?: "confirmed" | "finalized"): Promise<bigint>;
  /** The slots of confirmed blocks. */
  slots(): Promise<readonly bigint[]>;
  blockhashOf(slot: bigint | undefined): Promise<string>;
  /** The slot of the block that holds a transaction. */
  slotWith(id: string): Promise<bigint | undefined>;
  /** The parameters of a method's calls so far. */
  calls(method: string): readonly (readonly unknown[])[];
  /** The signed transactions that the node received, in hex. */
  posted(): readonly string[];
  /** Makes the node lose the blocks of slots, as after a jump to a snapshot: it answers for them as for skipped slots. */
  loses(...slots: readonly (bigint | undefined)[]): void;
  /** Makes the node show a program's account that no transaction on this ledger can create. */
  shows(address: string, account: ShownSolanaAccount): void;
  /** Changes a method's results. @param change returns undefined to leave a result as it is */
  changes(method: string, change: (result: unknown, params: readonly unknown[]) => unknown): void;
}

const SLOT_SKIPPED = -32007;
const HEADER = { transactionDetails: "none", rewards: false } as const;

/** Answers of the node without the lost blocks. */
const losing =
  (
    { node }: Pick<ScriptedLedger, "node">,
    { rpc, changes }: Pick<ScriptedSolanaLedger, "rpc" | "changes">,
  ): ScriptedSolanaLedger["loses"] =>
  (...slots) => {
    const isThere = (slot: unknown): boolean => !slots.includes(BigInt(String(slot)));
    node.changes("getBlock", (_, request) => {
      const [slot] = rpcCallOf(request).params;
      const words = `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`;
      return isThere(slot) ? undefined : solanaRefusal(SLOT_SKIPPED, words);
    });
    changes("getBlocks", (found) => [...Object(found)].filter(isThere));
    changes("getBlocksWithLimit", async (_, [from, count, config]) => {
      const most = Number(count) + slots.length;
      const found = await rpc.getBlocksWithLimit(BigInt(String(from)), most, Object(config)).send();
      return found.filter(isThere).slice(0, Number(count));
    });
  };

/** A Solana ledger on which the samples' sender has ten thousand SOL, in a final block. */
export const openSolanaLedger = async (): Promise<ScriptedSolanaLedger> => {
  const ledger = await openScriptedLedger("Solana", CHAIN);
  await ledger.fund(SOLANA_SENDER, 10_000_000_000_000);
  await ledger.mine(SOLANA_FINAL);
  const { node } = ledger;
  const rpc = createSolanaRpc(ledger.url);
  const changes: ScriptedSolanaLedger["changes"] = (method, change) =>
    node.changes(method, async (body, request) => {
      const result = await change(body["result"], rpcCallOf(request).params);
      return result === undefined ? undefined : { ...body, result };
    });
  const lastSlot: ScriptedSolanaLedger["lastSlot"] = (commitment = "finalized") =>
    rpc.getSlot({ commitment }).send();
  const calls: ScriptedSolanaLedger["calls"] = (of) =>
    node.asked.map(rpcCallOf).flatMap(({ method, params }) => (method === of ? [params] : []));
  return {
    ...ledger,
    rpc,
    changes,
    lastSlot,
    calls,
    slots: async () => rpc.getBlocks(0n, await lastSlot("confirmed"), { commitment: "confirmed" }).send(),
    blockhashOf: async (slot = -1n) => {
      const block = await rpc.getBlock(slot, { ...HEADER, commitment: "confirmed" }).send();
      if (block === null) throw new RangeError(`there is no block in slot ${slot}`);
      return block.blockhash;
    },
    slotWith: async (id) => {
      const { value } = await rpc.getSignatureStatuses([signature(id)]).send();
      return value[0]?.slot;
    },
    posted: () =>
      calls("sendTransaction").map(([bytes]) => Buffer.from(String(bytes), "base64").toString("hex")),
    loses: losing(ledger, { rpc, changes }),
    shows: (address, { lamports, owner, data, executable = false }) =>
      changes("getMultipleAccounts", (found, [addresses]) => {
        const { value, ...context } = Object(found);
        const rentEpoch = 2n ** 64n - 1n;
        const shown = { lamports, owner, data: [base64.encode(data), "base64"], executable, rentEpoch };
        const at = [...Object(addresses)].indexOf(address);
        return at < 0 ? undefined : { ...context, value: [...value].with(at, shown) };
      }),
  };
};
