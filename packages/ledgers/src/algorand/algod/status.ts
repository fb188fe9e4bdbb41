import type { LedgerJson } from "../../json.ts";
import { CONSENSUS_VERSION } from "../block.ts";
import { type AlgodState, latestBlock } from "../state.ts";

const NANOSECONDS_PER_MS = 1_000_000n;

/** GET /v2/status. @param now milliseconds since 1970 */
export const statusJson = (state: AlgodState, now: number): LedgerJson => {
  const { round, time } = latestBlock(state);
  const sinceMs = BigInt(Math.max(0, Math.floor(now) - Number(time) * 1_000));
  return {
    "catchup-time": 0,
    "last-round": round,
    "last-version": CONSENSUS_VERSION,
    "next-version": CONSENSUS_VERSION,
    "next-version-round": round + 1n,
    "next-version-supported": true,
    "stopped-at-unsupported-round": false,
    "time-since-last-round": sinceMs * NANOSECONDS_PER_MS,
    catchpoint: "",
    "last-catchpoint": "",
  };
};

/** GET /v2/transactions/params: the parameters for a transaction built now. */
export const parametersJson = (state: AlgodState): LedgerJson => ({
  "consensus-version": CONSENSUS_VERSION,
  fee: state.fees.perByte,
  "genesis-hash": Buffer.from(state.genesis.hash).toString("base64"),
  "genesis-id": state.genesis.id,
  "last-round": latestBlock(state).round,
  "min-fee": state.fees.minimum,
});
