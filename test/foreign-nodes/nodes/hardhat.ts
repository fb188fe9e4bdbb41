import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "@conclave/platform";
import { z } from "zod";
import type { ForeignKind, RunningNode, WhichChain } from "../node.ts";
import { answersChainId, chainIdOf, EVM_KIND, evmEntry, evmVersion, weiOf } from "./evm-chain.ts";
import { askJsonRpc } from "./json-rpc.ts";
import { nodeFolder, startNodeProcess } from "./node-process.ts";
import { snapshotChain } from "./snapshot-chain.ts";

const CHAIN_ID = 31_337;
/** blocks until confirmation; needed because the node calls every block final at once */
const CONFIRMATIONS = 3;

const start = async (path: string, which: WhichChain): Promise<RunningNode> => {
  const chainId = chainIdOf(CHAIN_ID, which);
  const folder = nodeFolder("hardhat");
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const config = {
    solidity: "0.8.28",
    networks: { hardhat: { chainId, mining: { auto: false, interval: 0 } } },
  };
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "hardhat.config.js"), `module.exports = ${JSON.stringify(config)};\n`);
  const node = await startNodeProcess({
    name: "hardhat",
    folder,
    command: path,
    args: ["node", "--hostname", "127.0.0.1", "--port", String(port)],
    env: {
      HARDHAT_EXPERIMENTAL_ALLOW_NON_LOCAL_INSTALLATION: "true",
      HARDHAT_DISABLE_TELEMETRY_PROMPT: "true",
    },
    answers: () => answersChainId(url, chainId),
  });
  const { mine, reorganise } = snapshotChain(url, (hash) =>
    askJsonRpc(url, "hardhat_dropTransaction", [hash]),
  );
  return {
    url,
    version: await evmVersion(url),
    entry: evmEntry(chainId, { confirmations: CONFIRMATIONS, finality: "depth" }),
    fund: async (address, units) => {
      const held = BigInt(z.string().parse(await askJsonRpc(url, "eth_getBalance", [address, "latest"])));
      await askJsonRpc(url, "hardhat_setBalance", [address, weiOf(held + units)]);
      await mine(1);
    },
    mine,
    reorganise,
    stop: () => node.stop(),
  };
};

/** Hardhat's own network. */
export const HARDHAT: ForeignKind = {
  ...EVM_KIND,
  name: "Hardhat",
  variable: "CONCLAVE_HARDHAT",
  names: "its command (node_modules/.bin/hardhat)",
  command: "hardhat",
  network: "Polygon",
  finalRefusal: "Transaction gas limit is 50000000 and exceeds block gas limit of 30000000",
  start,
};
