import { LEDGERS, type RunningLedger } from "@conclave/ledgers";
import {
  makeAgaveGenesis,
  makeAlgodGenesis,
  makeBitcoindGenesis,
  makeJavaTronGenesis,
} from "@conclave/ledgers/genesis";
import { HandClock } from "@conclave/ledgers/testing";
import { afterEach, describe, expect, it } from "vitest";
import { NODES } from "./node.ts";
import { FAMILIES } from "./registry.ts";
import { ALGORAND_TESTNET } from "./testing/algorand-samples.ts";
import { startAnvil } from "./testing/anvil.ts";
import { BITCOIN_SIGNET } from "./testing/bitcoin-samples.ts";
import { SEPOLIA } from "./testing/samples.ts";
import { SOLANA_DEVNET } from "./testing/solana-samples.ts";
import { STELLAR_TESTNET } from "./testing/stellar-samples.ts";
import { TRON_NILE } from "./testing/tron-samples.ts";
import { XRPL_TESTNET } from "./testing/xrpl-samples.ts";

const SEED = "tests";
const START_MS = 1_795_132_800_000;

/** A family with a ledger: its entry for a node's URL, and how an entry names the ledger's own chain. */
interface Case {
  readonly ledger: keyof typeof LEDGERS;
  readonly chain: string;
  readonly entry: (url: string) => object;
  readonly own: object;
  readonly token?: string;
}

const CASES: readonly Case[] = [
  {
    ledger: "Algorand",
    chain: "conclave-v1",
    entry: (algodUrl) => ({ ...ALGORAND_TESTNET, algodUrl }),
    own: {
      genesisId: "conclave-v1",
      genesisHash: Buffer.from(makeAlgodGenesis("conclave-v1", SEED).hash).toString("base64"),
    },
  },
  {
    ledger: "Bitcoin",
    chain: "signet",
    token: "conclave:a long one",
    entry: (bitcoindUrl) => ({
      ...BITCOIN_SIGNET,
      bitcoindUrl,
      bitcoindUser: "conclave",
      bitcoindPassword: "a long one",
    }),
    own: { genesisHash: makeBitcoindGenesis("signet", SEED).block.hash },
  },
  {
    ledger: "Solana",
    chain: "conclave",
    entry: (solanaUrl) => ({ ...SOLANA_DEVNET, solanaUrl }),
    own: { genesisHash: makeAgaveGenesis("conclave", SEED).hash },
  },
  {
    ledger: "Stellar",
    chain: "Conclave ; tests",
    entry: (horizonUrl) => ({ ...STELLAR_TESTNET, horizonUrl }),
    own: { passphrase: "Conclave ; tests" },
  },
  {
    ledger: "Tron",
    chain: "conclave-tron",
    entry: (fullNodeUrl) => ({ ...TRON_NILE, fullNodeUrl, solidityNodeUrl: fullNodeUrl }),
    own: { genesisBlock: makeJavaTronGenesis("conclave-tron", SEED).block.id },
  },
  {
    ledger: "XrpLedger",
    chain: "20261",
    entry: (rippledUrl) => ({ ...XRPL_TESTNET, rippledUrl }),
    own: { networkId: 20_261 },
  },
];

let ledger: RunningLedger | undefined;
afterEach(() => ledger?.stop());

/** Whether the node is on the chain that its entry names. */
const isOfEntry = async (written: object): Promise<boolean> => {
  const [entry] = FAMILIES.networksSchema.parse([written]);
  if (entry === undefined) throw new Error("there is no entry");
  const reported = await NODES.connect(entry).ofChain();
  if (!reported.ok) throw new Error("the node does not tell which chain it is of");
  return reported.value === FAMILIES.familyOf(entry.network).chainOf(entry);
};

describe("which chain a node is of", () => {
  it.each(CASES)(
    "$ledger: is reported as the entry names it",
    async ({ ledger: kind, chain, entry, own, token }) => {
      ledger = await LEDGERS[kind].start({
        clock: new HandClock(START_MS),
        chain,
        seed: SEED,
        blockMs: 0,
        listen: { host: "127.0.0.1", port: 0 },
        adminPort: 0,
        token,
      });
      expect(await isOfEntry({ ...entry(ledger.url), ...own })).toBe(true);
      expect(await isOfEntry(entry(ledger.url))).toBe(false);
    },
  );

  it("EVM: is reported as the entry names it", async () => {
    const anvil = await startAnvil(17_000);
    try {
      const entry = { ...SEPOLIA, confirmations: 1, rpcUrl: anvil.rpcUrl };
      expect(await isOfEntry({ ...entry, chainId: 17_000 })).toBe(true);
      expect(await isOfEntry(entry)).toBe(false);
    } finally {
      await anvil.stop();
    }
  });
});
