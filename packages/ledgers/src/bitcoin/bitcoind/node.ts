import { z } from "zod";
import { scriptPaying } from "../address.ts";
import { estimatedFeeRate, FEWEST_TARGET_BLOCKS } from "../fees.ts";
import { bitcoinJson } from "./amount.ts";
import { RPC_CODES } from "./rpc-error.ts";
import { type BitcoindMethod, bitcoindError, bitcoindMethod, bitcoindResult } from "./rpc-method.ts";

/** The release whose rules and messages this ledger follows. */
const CORE_VERSION = 290_000;
const PROTOCOL_VERSION = 70_016;
const MOST_TARGET_BLOCKS = 1_008;
const MOST_BLOCKS_AT_ONCE = 1_000;
const ESTIMATE_MODES = ["unset", "economical", "conservative"];

const getnetworkinfo = bitcoindMethod("getnetworkinfo", {}, ({ state: { fees } }) =>
  bitcoindResult({
    version: CORE_VERSION,
    subversion: "/Satoshi:29.0.0(simulated)/",
    protocolversion: PROTOCOL_VERSION,
    localservices: "0000000000000000",
    localservicesnames: [],
    localrelay: true,
    timeoffset: 0,
    networkactive: false,
    connections: 0,
    connections_in: 0,
    connections_out: 0,
    networks: [],
    relayfee: bitcoinJson(fees.minimumRelay),
    incrementalfee: bitcoinJson(fees.incrementalRelay),
    localaddresses: [],
    warnings: [],
  }),
);

const estimatesmartfee = bitcoindMethod(
  "estimatesmartfee",
  { conf_target: z.int(), estimate_mode: z.string().default("economical") },
  ({ state }, { conf_target: target, estimate_mode: mode }) => {
    if (target < 1 || target > MOST_TARGET_BLOCKS) {
      const words = `Invalid conf_target, must be between 1 and ${MOST_TARGET_BLOCKS}`;
      return bitcoindError(RPC_CODES.invalidParameter, words);
    }
    if (!ESTIMATE_MODES.includes(mode.toLowerCase())) {
      const words = `must be one of: ${ESTIMATE_MODES.map((each) => `"${each}"`).join(", ")}`;
      return bitcoindError(RPC_CODES.invalidParameter, `Invalid estimate_mode parameter, ${words}`);
    }
    const blocks = Math.max(target, FEWEST_TARGET_BLOCKS);
    const rate = estimatedFeeRate(state.fees, state.mempool.floor, blocks);
    return bitcoindResult(
      rate === undefined
        ? { errors: ["Insufficient data or no feerate found"], blocks }
        : { feerate: bitcoinJson(rate), blocks },
    );
  },
);

const generatetoaddress = bitcoindMethod(
  "generatetoaddress",
  { nblocks: z.int().min(0).max(MOST_BLOCKS_AT_ONCE), address: z.string(), maxtries: z.int().optional() },
  (ledger, { nblocks, address }) => {
    const rewardScript = scriptPaying(address, ledger.state.genesis.network);
    if (rewardScript === undefined)
      return bitcoindError(RPC_CODES.invalidAddressOrKey, "Error: Invalid address");
    const hashes: string[] = [];
    for (let made = 0; made < nblocks; made += 1) {
      for (const effect of ledger.apply({ kind: "mine", time: ledger.now, rewardScript })) {
        if (effect.kind === "mined") hashes.push(effect.hash);
      }
    }
    return bitcoindResult(hashes);
  },
);

/**
 * The RPC methods that show the node and fees, and make blocks. @source Bitcoin Core 29, src/rpc/net.cpp, fees.cpp,
 * mining.cpp
 */
export const NODE_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  getnetworkinfo,
  estimatesmartfee,
  generatetoaddress,
};
