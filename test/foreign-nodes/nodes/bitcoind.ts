import { freePorts } from "@conclave/platform";
import { z } from "zod";
import { ledgerDriver } from "../drivers/ledger-driver.ts";
import { BITCOIN_RULES, BITCOIND_HEADERS, BITCOIND_LOGIN, scriptOf } from "../fronts/bitcoin-rules.ts";
import type { ForeignKind, RunningNode } from "../node.ts";
import { askJsonRpc } from "./json-rpc.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";

const SATOSHIS = 100_000_000;
const FAUCET = "faucet";
/** blocks whose rewards the faucet spends, and those after which a reward can be spent */
const FIRST_BLOCKS = 110;
const FINALITY = 3;
const TEST_MS = 120_000;
/** in satoshis */
const FEE_CAP = "100000";

type Call = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

const argsOf = (folder: string, port: number): readonly string[] => [
  "-regtest",
  `-datadir=${folder}`,
  "-server",
  "-txindex",
  "-listen=0",
  "-connect=0",
  "-dnsseed=0",
  "-fallbackfee=0.0001",
  "-rpcbind=127.0.0.1",
  "-rpcallowip=127.0.0.1",
  `-rpcport=${port}`,
  `-rpcuser=${BITCOIND_LOGIN.user}`,
  `-rpcpassword=${BITCOIND_LOGIN.password}`,
];

const blocksOf = (call: Call) => {
  // a new address for each block, so that a replacing block has another hash
  const miner = () => call("getnewaddress");
  return {
    mine: async (blocks: number): Promise<void> =>
      void (await call("generatetoaddress", blocks, await miner())),
    reorganise: async (): Promise<void> => {
      await call("invalidateblock", await call("getbestblockhash"));
      await call("generateblock", await miner(), []);
    },
  };
};

const start = async (path: string): Promise<RunningNode> => {
  const folder = nodeFolder("bitcoind");
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const call: Call = (method, ...params) => askJsonRpc(url, method, params, BITCOIND_HEADERS);
  const node = await startNodeProcess({
    name: "bitcoind",
    folder,
    command: path,
    args: argsOf(folder, port),
    answers: async () => (await call("getblockcount")) === 0,
  });
  await call("createwallet", FAUCET);
  const { mine, reorganise } = blocksOf(call);
  await mine(FIRST_BLOCKS);
  const genesisHash = z.string().parse(await call("getblockhash", 0));
  const { subversion } = z.object({ subversion: z.string() }).parse(await call("getnetworkinfo"));
  return {
    url,
    version: subversion,
    entry: (network, bitcoindUrl) => ({
      network,
      family: "Bitcoin",
      ...{ bitcoindUrl, genesisHash, finality: FINALITY, feeCap: FEE_CAP },
      ...{ bitcoindUser: BITCOIND_LOGIN.user, bitcoindPassword: BITCOIND_LOGIN.password },
    }),
    fund: async (address, units) => {
      const decoded = await call("decodescript", scriptOf(address));
      const own = z.object({ address: z.string() }).parse(decoded).address;
      await call("sendtoaddress", own, Number(units) / SATOSHIS);
      await mine(1);
    },
    mine,
    reorganise,
    stop: () => node.stop(),
  };
};

/** bitcoind, of Bitcoin Core or Knots, on regtest. */
export const BITCOIND: ForeignKind = {
  name: "bitcoind",
  variable: "CONCLAVE_BITCOIND",
  names: "its binary",
  command: "bitcoind",
  network: "Bitcoin",
  makesBlocks: false,
  funds: 10n * BigInt(SATOSHIS),
  suite: {
    file: "Bitcoin",
    finalAfter: FINALITY,
    outlivedAfter: FINALITY + 1,
    testMs: TEST_MS,
  },
  driver: ledgerDriver("Bitcoin"),
  rules: BITCOIN_RULES,
  // validation.cpp and policy.cpp: an output below the dust limit
  finalRefusal: "dust",
  expires: false,
  start,
};
