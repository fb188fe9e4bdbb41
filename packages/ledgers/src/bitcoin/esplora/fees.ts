import { JsonDecimal, type LedgerJson } from "../../json.ts";
import { estimatedFeeRate, FEWEST_TARGET_BLOCKS } from "../fees.ts";
import type { BitcoindState } from "../state.ts";

/** The confirmation targets, in blocks, that Esplora estimates. */
const TARGETS = [...Array.from({ length: 25 }, (_, at) => at + 1), 144, 504, 1_008];
const SATOSHIS_A_BYTE = 1_000n;

/** Satoshis per virtual byte, by target; empty while the chain is too young. */
export const esploraFeeEstimates = (state: BitcoindState): LedgerJson =>
  Object.fromEntries(
    TARGETS.flatMap((blocks): readonly [string, LedgerJson][] => {
      const rate = estimatedFeeRate(state.fees, state.mempool.floor, Math.max(blocks, FEWEST_TARGET_BLOCKS));
      if (rate === undefined) return [];
      const places = (rate % SATOSHIS_A_BYTE).toString().padStart(3, "0");
      return [[`${blocks}`, new JsonDecimal(`${rate / SATOSHIS_A_BYTE}.${places}`)]];
    }),
  );
