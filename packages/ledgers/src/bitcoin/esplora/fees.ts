import { JsonDecimal, type LedgerJson } from "../../json.ts";
import { estimatedFeeRate, FEWEST_TARGET_BLOCKS } from "../fees.ts";
import type { BitcoindState } from "../state.ts";

/** Targets that Esplora answers for. */
const TARGETS = [...Array.from({ length: 25 }, (_, at) => at + 1), 144, 504, 1_008];
const SATOSHIS_A_BYTE = 1_000n;

/** Satoshis for a virtual byte, by the number of blocks; nothing on a young chain. */
export const esploraFeeEstimates = (state: BitcoindState): LedgerJson =>
  Object.fromEntries(
    TARGETS.flatMap((blocks): readonly [string, LedgerJson][] => {
      const rate = estimatedFeeRate(state.fees, state.mempool.floor, Math.max(blocks, FEWEST_TARGET_BLOCKS));
      if (rate === undefined) return [];
      const places = (rate % SATOSHIS_A_BYTE).toString().padStart(3, "0");
      return [[`${blocks}`, new JsonDecimal(`${rate / SATOSHIS_A_BYTE}.${places}`)]];
    }),
  );
