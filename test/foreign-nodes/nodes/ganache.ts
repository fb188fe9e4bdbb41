import { freePorts } from "@conclave/platform";
import { z } from "zod";
import type { ForeignKind, RunningNode, WhichChain } from "../node.ts";
import { answersChainId, chainIdOf, EVM_KIND, evmEntry, evmVersion, RICH_KEY, weiOf } from "./evm-chain.ts";
import { askJsonRpc } from "./json-rpc.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";
import { snapshotChain } from "./snapshot-chain.ts";

const CHAIN_ID = 5_777;
const CONFIRMATIONS = 3;
/** so long that the node never makes a block by its own timer */
const NEVER_S = 1_000_000;

const start = async (path: string, which: WhichChain): Promise<RunningNode> => {
  const chainId = chainIdOf(CHAIN_ID, which);
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const options = {
    "server.host": "127.0.0.1",
    "server.port": port,
    "chain.chainId": chainId,
    "chain.networkId": chainId,
    "miner.blockTime": NEVER_S,
    "wallet.accounts": `${RICH_KEY},${weiOf(10n ** 27n)}`,
  };
  const node = await startNodeProcess({
    name: "ganache",
    folder: nodeFolder("ganache"),
    command: path,
    args: Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    answers: () => answersChainId(url, chainId),
  });
  // on ganache, a reverted chain loses all transactions sent since
  const { mine, reorganise } = snapshotChain(url, async () => undefined);
  return {
    url,
    version: await evmVersion(url),
    entry: evmEntry(chainId, { confirmations: CONFIRMATIONS, finality: "depth" }),
    fund: async (address, units) => {
      const held = BigInt(z.string().parse(await askJsonRpc(url, "eth_getBalance", [address, "latest"])));
      await askJsonRpc(url, "evm_setAccountBalance", [address, weiOf(held + units)]);
      await mine(1);
    },
    mine,
    reorganise,
    stop: () => node.stop(),
  };
};

/** ganache; its project is archived, but nodes with its error texts are still in use. */
export const GANACHE: ForeignKind = {
  ...EVM_KIND,
  name: "ganache",
  variable: "CONCLAVE_GANACHE",
  names: "its command (node_modules/.bin/ganache)",
  command: "ganache",
  network: "Base",
  suite: {
    ...EVM_KIND.suite,
    ownFaults: [
      {
        title: "INV-4 is accepted as often as it is sent, waits, and is in one place once it has landed",
        why: "its block lists bytes as often as it was handed them while they waited",
      },
      {
        title: "INV-4 is death for the loser of a place, by the final chain alone, and never for its taker",
        why: "it takes bytes whose number another one has used",
      },
    ],
  },
  finalRefusal: "exceeds block gas limit",
  start,
};
