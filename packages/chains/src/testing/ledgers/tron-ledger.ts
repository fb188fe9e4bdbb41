import { makeJavaTronGenesis } from "@conclave/ledgers/genesis";
import { TRC20_TEST_TOKEN, TRC721_TEST_COLLECTION, type TronTestContract } from "@conclave/ledgers/testing";
import { TronWeb } from "tronweb";
import { z } from "zod";
import type { TronNetwork } from "../../tron/network.ts";
import { bodyOf } from "../scripted-node.ts";
import { TRON_NILE, TRON_SECRET_KEY, TRON_SENDER } from "../tron-samples.ts";
import { LEDGER_SEED, openScriptedLedger, type ScriptedLedger } from "./scripted-ledger.ts";

const CHAIN = "conclave-tests";
/**
 * 14 November 2023: signers, by their own clock, see its transactions as expired. A test that needs valid times advances the
 * ledger's clock.
 */
const START_MS = 1_700_000_000_000;
const BLOCK_MS = 3_000;
const DAY_MS = 86_400_000;
/** sun */
const TRX = 1_000_000;
const FEE_LIMIT = 1_000 * TRX;
/** far in the future, because the SDK compares a sale's time with the machine's clock */
const FAR_AWAY = 4_000_000_000_000;

/** The tokens that `makeTronTokens` creates: the ledger's seed determines their names. */
export const TRON_TOKENS = {
  trc10: "1000001",
  trc20: "TKewroF5mx3CsVNje6UmtCUhqBtfKv67JX",
  trc721: "TLdkfEveXAGPxYbG52hhJ6ctusLufB7bhQ",
} as const;

/** The entry of the networks file for a ledger of `openTronLedger` at this URL. */
export const tronEntryAt = (fullNodeUrl: string): TronNetwork => ({
  ...TRON_NILE,
  genesisBlock: makeJavaTronGenesis(CHAIN, LEDGER_SEED).block.id,
  fullNodeUrl,
});

/** A contract with this code, in hex, after a constructor that deploys it. */
export const tronContract = (code: string): TronTestContract => ({
  abi: [],
  bytecode: `61${(code.length / 2).toString(16).padStart(4, "0")}80600c6000396000f3${code}`,
});

type SdkTransaction = Exclude<Parameters<TronWeb["trx"]["sign"]>[0], string>;

/** A block as its node shows it. */
export interface TronShownBlock {
  readonly height: number;
  readonly id: string;
  /** Unix milliseconds */
  readonly timeMs: number;
}

export interface ScriptedTronLedger extends ScriptedLedger {
  /** the SDK, connected to the ledger itself as TRON_SENDER, which creates all contracts and tokens */
  readonly sdk: TronWeb;
  /** Sends a transaction that the SDK built, and makes a block with it. @returns its id */
  send(transaction: SdkTransaction): Promise<string>;
  /** Deploys a contract. @returns its address */
  deploy(contract: TronTestContract, parameters?: readonly number[]): Promise<string>;
  /** Issues the ledger's first TRC-10 token. @returns its id */
  issue(): Promise<string>;
  /** The ledger's latest block, or its latest solid one. */
  last(side?: "wallet" | "walletsolidity"): Promise<TronShownBlock>;
  /** The bodies of a path's requests so far. */
  calls(path: string): readonly Readonly<Record<string, unknown>>[];
  /** The signed transactions that the node received, in hex. */
  posted(): readonly string[];
}

const blockSchema = z.object({
  blockID: z.string(),
  block_header: z.object({
    raw_data: z.object({ number: z.int().default(0), timestamp: z.int().default(0) }),
  }),
});

const lastBlock = async (url: string, side: string): Promise<TronShownBlock> => {
  const answered = await fetch(`${url}/${side}/getblock`, { method: "POST", body: "{}" });
  const { blockID: id, block_header } = blockSchema.parse(await answered.json());
  return { height: block_header.raw_data.number, id, timeMs: block_header.raw_data.timestamp };
};

const TOKEN = {
  name: "Development",
  abbreviation: "DEV",
  description: "a token of tests",
  url: "https://example.org",
  totalSupply: 1_000_000_000,
  trxRatio: 1,
  tokenRatio: 1,
  saleStart: FAR_AWAY,
  saleEnd: FAR_AWAY + 1_000,
  freeBandwidth: 0,
  freeBandwidthLimit: 0,
  frozenAmount: 0,
  frozenDuration: 0,
  precision: 2,
};

/** A TRON ledger on which TRON_SENDER has ten thousand TRX, and whose clock advances three seconds per block. */
export const openTronLedger = async (): Promise<ScriptedTronLedger> => {
  const ledger = await openScriptedLedger("Tron", CHAIN, { startMs: START_MS, blockMs: BLOCK_MS });
  const { node, mine } = ledger;
  const sdk = new TronWeb({ fullHost: ledger.url, privateKey: TRON_SECRET_KEY });
  const last: ScriptedTronLedger["last"] = (side = "wallet") => lastBlock(ledger.url, side);
  const send: ScriptedTronLedger["send"] = async (transaction) => {
    const signed = await sdk.trx.sign(transaction, TRON_SECRET_KEY);
    const { txid, result } = await sdk.trx.sendRawTransaction(signed);
    if (!result) throw new Error("the ledger refuses the SDK's transaction");
    await mine();
    return txid;
  };
  const calls: ScriptedTronLedger["calls"] = (path) =>
    node.asked.filter((request) => request.path === path).map(bodyOf);
  await ledger.fund(TRON_SENDER, 10_000 * TRX);
  return {
    ...ledger,
    sdk,
    send,
    last,
    calls,
    deploy: async ({ abi, bytecode }, parameters = []) => {
      const contract = { abi: JSON.stringify(abi), bytecode, parameters: [...parameters] };
      const limits = { feeLimit: FEE_LIMIT, originEnergyLimit: 10_000_000, userFeePercentage: 100 };
      const built = await sdk.transactionBuilder.createSmartContract({ ...contract, ...limits }, TRON_SENDER);
      await send(built);
      return TronWeb.address.fromHex(built.contract_address);
    },
    issue: async () => {
      await send(await sdk.transactionBuilder.createAsset(TOKEN, TRON_SENDER));
      return TRON_TOKENS.trc10;
    },
    posted: () => calls("/wallet/broadcasthex").map(({ transaction }) => String(transaction)),
  };
};

/** Creates the samples' tokens, owned by TRON_SENDER, by the ledger's first transactions; then advances the clock by a day. */
export const makeTronTokens = async ({
  deploy,
  issue,
  clock,
  mine,
  node,
}: ScriptedTronLedger): Promise<void> => {
  const made = {
    trc10: await issue(),
    trc20: await deploy(TRC20_TEST_TOKEN, [10_000_000]),
    trc721: await deploy(TRC721_TEST_COLLECTION, [7]),
  };
  if (JSON.stringify(made) !== JSON.stringify(TRON_TOKENS)) {
    throw new Error(`the ledger makes other tokens: ${JSON.stringify(made)}`);
  }
  clock.pass(DAY_MS);
  await mine();
  node.reset();
};
