import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TEST_ADDRESS } from "@conclave/chains/testing";
import { freePorts } from "@conclave/platform";
import { waitUntil } from "@conclave/testbed";
import { createWalletClient, defineChain, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { z } from "zod";
import type { ForeignKind, RunningNode, WhichChain } from "../node.ts";
import { answersChainId, chainIdOf, EVM_KIND, evmEntry, evmVersion, RICH_KEY } from "./evm-chain.ts";
import { askJsonRpc } from "./json-rpc.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";

const run = promisify(execFile);
const CHAIN_ID = 1_337;
const ZERO_HASH = `0x${"0".repeat(64)}`;
const NOBODY = `0x${"0".repeat(40)}`;
/** distance of the "finalized" block behind the head, as on the main network */
const FINAL_LAG = 2;
const RICHES = `0x${(10n ** 27n).toString(16)}`;
const MOST_OUTPUT = 16 * 1024 * 1024;
const POOL_MS = 10_000;
const POLL_MS = 10;
const GAS_LIMIT = "0x1c9c380";

const genesisSchema = z.object({ alloc: z.record(z.string(), z.unknown()) });

/**
 * All rules up to Osaka are active from the first block, and a consensus client makes the blocks. The accounts are those of
 * geth's own development chain, because some rules need contracts at known addresses (EIP-2935, EIP-4788, EIP-7002, EIP-7251).
 */
const genesisOf = async (path: string, chainId: number): Promise<object> => {
  const { stdout } = await run(path, ["--dev", "dumpgenesis"], { maxBuffer: MOST_OUTPUT });
  const { alloc } = genesisSchema.parse(JSON.parse(stdout));
  const blocks = ["homestead", "eip150", "eip155", "eip158", "byzantium", "constantinople", "petersburg"];
  const later = ["istanbul", "berlin", "london"];
  const times = ["shanghai", "cancun", "prague", "osaka"];
  const blobs = { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 };
  return {
    config: {
      chainId,
      ...Object.fromEntries([...blocks, ...later].map((name) => [`${name}Block`, 0])),
      ...Object.fromEntries(times.map((name) => [`${name}Time`, 0])),
      terminalTotalDifficulty: 0,
      blobSchedule: { cancun: blobs, prague: blobs, osaka: blobs },
    },
    difficulty: "0x0",
    gasLimit: GAS_LIMIT,
    baseFeePerGas: "0x3b9aca00",
    timestamp: "0x0",
    alloc: { ...alloc, [TEST_ADDRESS]: { balance: RICHES } },
  };
};

const blockSchema = z.object({ hash: z.string(), number: z.string(), timestamp: z.string() });

/** A token for the engine API: its specification demands a time and a signature (HS256). */
const engineToken = (secret: Buffer): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "HS256", typ: "JWT" })}.${part({ iat: Math.floor(Date.now() / 1_000) })}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
};

interface Engine {
  readonly url: string;
  readonly engineUrl: string;
  readonly secret: Buffer;
}

const blockAt = async (url: string, at: string) =>
  blockSchema.parse(await askJsonRpc(url, "eth_getBlockByNumber", [at, false]));

/** Reports the final block to the node, like a consensus client. */
const finalise = async ({ url, engineUrl, secret }: Engine, height: number, head: string): Promise<void> => {
  const { hash } = await blockAt(url, `0x${Math.max(0, height - FINAL_LAG).toString(16)}`);
  const state = { headBlockHash: head, safeBlockHash: hash, finalizedBlockHash: hash };
  const authorization = `Bearer ${engineToken(secret)}`;
  await askJsonRpc(engineUrl, "engine_forkchoiceUpdatedV3", [state, null], { authorization });
};

const poolSchema = z.object({ queued: z.string() });

/** Waits until geth has moved accepted transactions to those for the next block, which takes a moment. */
const poolIsSettled = async (url: string): Promise<void> => {
  await waitUntil(
    async () => {
      const { queued } = poolSchema.parse(await askJsonRpc(url, "txpool_status"));
      return Number(queued) === 0 ? true : undefined;
    },
    { what: "geth's pool", deadlineMs: POOL_MS, pollMs: POLL_MS },
  );
};

/** Adds a block to the head: with all waiting transactions, or, if given an empty list, without any. */
const commitBlock = async (
  engine: Engine,
  ...transactions: readonly (readonly string[])[]
): Promise<void> => {
  await poolIsSettled(engine.url);
  const head = await blockAt(engine.url, "latest");
  const timestamp = Math.max(Number(head.timestamp) + 1, Math.floor(Date.now() / 1_000));
  const attributes = {
    timestamp: `0x${timestamp.toString(16)}`,
    prevRandao: `0x${randomBytes(32).toString("hex")}`,
    suggestedFeeRecipient: NOBODY,
    withdrawals: [],
    parentBeaconBlockRoot: ZERO_HASH,
  };
  const made = await askJsonRpc(engine.url, "testing_commitBlockV1", [attributes, ...transactions]);
  await finalise(engine, Number(head.number) + 1, z.string().parse(made));
};

const pay = async (engine: Engine, chainId: number, to: string, value: bigint): Promise<void> => {
  const chain = defineChain({
    id: chainId,
    name: "geth",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [engine.url] } },
  });
  const account = privateKeyToAccount(RICH_KEY);
  const wallet = createWalletClient({ account, chain, transport: http() });
  await wallet.sendTransaction({ to: `0x${to.slice(2)}`, value });
  await commitBlock(engine);
};

const start = async (path: string, which: WhichChain): Promise<RunningNode> => {
  const chainId = chainIdOf(CHAIN_ID, which);
  const folder = nodeFolder("geth");
  const [port = 0, enginePort = 0, peerPort = 0] = await freePorts(3);
  const secret = randomBytes(32);
  const [genesis, token] = [join(folder, "genesis.json"), join(folder, "engine-secret")];
  writeFileSync(genesis, JSON.stringify(await genesisOf(path, chainId)));
  writeFileSync(token, secret.toString("hex"));
  const data = ["--datadir", join(folder, "data"), "--state.scheme", "hash", "--cache", "64"];
  await run(path, [...data, "init", genesis]);
  const engine: Engine = {
    url: `http://127.0.0.1:${port}`,
    engineUrl: `http://127.0.0.1:${enginePort}`,
    secret,
  };
  const peers = ["--port", String(peerPort), "--nodiscover", "--maxpeers", "0", "--nat", "none"];
  const served = ["--http", "--http.addr", "127.0.0.1", "--http.port", String(port)];
  const asked = ["--http.api", "eth,net,web3,txpool,debug,testing", "--ipcdisable"];
  const engineArgs = ["--authrpc.addr", "127.0.0.1", "--authrpc.port", String(enginePort)];
  const chain = [
    "--networkid",
    String(chainId),
    "--syncmode",
    "full",
    "--gcmode",
    "archive",
    "--state.scheme",
    "hash",
  ];
  const node = await startNodeProcess({
    name: "geth",
    folder,
    command: path,
    args: [...data, ...chain, ...peers, ...served, ...asked, ...engineArgs, "--authrpc.jwtsecret", token],
    answers: () => answersChainId(engine.url, chainId),
  });
  return {
    url: engine.url,
    version: await evmVersion(engine.url),
    entry: evmEntry(chainId, { confirmations: 1 }),
    fund: (address, units) => pay(engine, chainId, address, units),
    mine: async (blocks) => {
      for (let made = 0; made < blocks; made += 1) await commitBlock(engine);
    },
    reorganise: async () => {
      const { number } = await blockAt(engine.url, "latest");
      await askJsonRpc(engine.url, "debug_setHead", [`0x${(Number(number) - 1).toString(16)}`]);
      await commitBlock(engine, []);
    },
    stop: () => node.stop(),
  };
};

/** go-ethereum; this test makes its blocks like a consensus client. */
export const GETH: ForeignKind = {
  ...EVM_KIND,
  name: "geth",
  variable: "CONCLAVE_GETH",
  names: "its binary",
  command: "geth",
  network: "Ethereum",
  // core/txpool/errors.go, ErrGasLimit
  confirmsAtOnce: true,
  finalRefusal: "exceeds block gas limit",
  start,
};
