import { rippledDigest, rippledHex, rippledUint64 } from "../digest.ts";
import { transactionsIn } from "../open-ledger.ts";
import { isoOfRippleTime, rippledSeconds } from "../ripple-time.ts";
import { openLedgerCost, type RippledFees } from "../rules/fees.ts";
import { completeRanges, latestRippledLedger, type RippledState } from "../state.ts";
import { answered, type RippledAnswer, type RippledJson } from "./answer.ts";
import type { RippledQuery } from "./request.ts";

/** The version whose behaviour this ledger follows; clients decide by it whether transactions need a network id. */
const BUILD_VERSION = "2.6.1";
const DROPS_PER_XRP = 1_000_000;
/** rippled's unit of load factors; 256 is normal load. */
const LOAD_BASE = 256;
const QUEUED_MAX = 1_000;

const xrp = (drops: bigint): number => Number(drops) / DROPS_PER_XRP;

/** How many times the base fee the open ledger costs. */
const loadFactor = (fees: RippledFees): number =>
  fees.base === 0n ? 1 : Number(openLedgerCost(fees)) / Number(fees.base);

export const completeLedgers = (state: RippledState): string =>
  completeRanges(state)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
    .join(",");

const age = (state: RippledState, now: number): number =>
  Math.max(0, rippledSeconds(now) - latestRippledLedger(state).closeTime);

const both = ({ state, now }: RippledQuery): RippledJson => ({
  build_version: BUILD_VERSION,
  complete_ledgers: completeLedgers(state),
  io_latency_ms: 1,
  network_id: state.genesis.networkId,
  peers: 0,
  server_state: "full",
  time: isoOfRippleTime(rippledSeconds(now)),
  uptime: Math.max(0, rippledSeconds(now) - (state.ledgers[0]?.closeTime ?? 0)),
  validation_quorum: 1,
});

export const serverInfo = (query: RippledQuery): RippledAnswer => {
  const { state, now } = query;
  const [{ index, hash }, { fees }] = [latestRippledLedger(state), state];
  return answered({
    info: {
      ...both(query),
      hostid: "SIMULATED",
      last_close: { converge_time_s: 0, proposers: 0 },
      load_factor: loadFactor(fees),
      validated_ledger: {
        age: age(state, now),
        base_fee_xrp: xrp(fees.base),
        hash,
        reserve_base_xrp: xrp(fees.reserveBase),
        reserve_inc_xrp: xrp(fees.reserveIncrement),
        seq: index,
      },
    },
  });
};

export const serverState = (query: RippledQuery): RippledAnswer => {
  const { state } = query;
  const [{ index, hash, closeTime }, { fees }] = [latestRippledLedger(state), state];
  return answered({
    state: {
      ...both(query),
      last_close: { converge_time: 0, proposers: 0 },
      load_base: LOAD_BASE,
      load_factor: Math.round(loadFactor(fees) * LOAD_BASE),
      load_factor_fee_escalation: Math.round(loadFactor(fees) * LOAD_BASE),
      load_factor_fee_queue: LOAD_BASE,
      load_factor_fee_reference: LOAD_BASE,
      load_factor_server: LOAD_BASE,
      validated_ledger: {
        base_fee: fees.base,
        close_time: closeTime,
        hash,
        reserve_base: fees.reserveBase,
        reserve_inc: fees.reserveIncrement,
        seq: index,
      },
    },
  });
};

export const fee = ({ state }: RippledQuery): RippledAnswer => {
  const { fees, open } = state;
  const cost = openLedgerCost(fees);
  const level = `${Math.round(loadFactor(fees) * LOAD_BASE)}`;
  return answered({
    current_ledger_size: `${transactionsIn(open, "open").length}`,
    current_queue_size: `${transactionsIn(open, "queued").length}`,
    drops: {
      base_fee: `${fees.base}`,
      median_fee: `${cost}`,
      minimum_fee: `${fees.base}`,
      open_ledger_fee: `${cost}`,
    },
    expected_ledger_size: `${QUEUED_MAX}`,
    ledger_current_index: latestRippledLedger(state).index + 1,
    levels: {
      median_level: level,
      minimum_level: `${LOAD_BASE}`,
      open_ledger_level: level,
      reference_level: `${LOAD_BASE}`,
    },
    max_queue_size: `${QUEUED_MAX}`,
  });
};

/** A random number for clients. It is derived from the ledger's seed and the time, so it is not secret. */
export const randomNumber = ({ state, now }: RippledQuery): RippledAnswer =>
  answered({ random: rippledHex(rippledDigest(rippledUint64(BigInt(now)), state.genesis.faucet.secretKey)) });
