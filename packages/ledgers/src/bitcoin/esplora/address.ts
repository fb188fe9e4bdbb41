import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { bucketEntries } from "../bucket-map.ts";
import { coinsSpentBy, type FoundTransaction, findBitcoindTransaction } from "../found-transaction.ts";
import { spenderOf } from "../mempool/mempool.ts";
import type { BitcoindState } from "../state.ts";
import { esploraStatus, esploraTransaction } from "./transaction.ts";

/** Confirmed transactions per page of Esplora. */
const CONFIRMED_A_PAGE = 25;
const MOST_WAITING = 50;

const statusOf = (state: BitcoindState, txid: string): LedgerJson => {
  const found = findBitcoindTransaction(state, txid);
  return found === undefined ? { confirmed: true } : esploraStatus(state, found);
};

/** The unspent outputs of a script, in the chain and the mempool. */
export const esploraCoins = (state: BitcoindState, script: Uint8Array): LedgerJson => {
  const wanted = bytesToHex(script);
  const { chain, mempool } = state;
  const confirmed = [...bucketEntries(chain.coins)]
    .filter(([key, coin]) => bytesToHex(coin.script) === wanted && !mempool.spenders.has(key))
    .map(([key, { amount }]) => {
      const [txid = "", index = ""] = key.split(":");
      return { txid, vout: Number(index), status: statusOf(state, txid), value: amount };
    });
  const waiting = [...mempool.entries.values()].flatMap(({ transaction: { txid, outputs } }) =>
    outputs.flatMap((output, vout) => {
      const isMeant = bytesToHex(output.script) === wanted;
      return isMeant && spenderOf(mempool, { txid, index: vout }) === undefined
        ? [{ txid, vout, status: { confirmed: false }, value: output.amount }]
        : [];
    }),
  );
  return [...confirmed, ...waiting];
};

const touches = (state: BitcoindState, found: FoundTransaction, wanted: string): boolean =>
  [...found.transaction.outputs, ...coinsSpentBy(state, found)].some(
    ({ script }) => bytesToHex(script) === wanted,
  );

/** Confirmed transactions, newest first. @param after the txid after which the page begins */
const confirmedPage = (
  state: BitcoindState,
  wanted: string,
  after: string | undefined,
): readonly FoundTransaction[] => {
  const page: FoundTransaction[] = [];
  let isBehind = after === undefined;
  for (const block of [...state.chain.archived, ...state.chain.blocks].toReversed()) {
    for (const transaction of block.transactions.toReversed()) {
      const found = { transaction, block };
      if (isBehind && touches(state, found, wanted)) page.push(found);
      if (page.length === CONFIRMED_A_PAGE) return page;
      isBehind ||= transaction.txid === after;
    }
  }
  return page;
};

/** The transactions that paid a script or spent its outputs: waiting ones first, then confirmed ones, newest first. */
export const esploraHistory = (
  state: BitcoindState,
  script: Uint8Array,
  after: string | undefined,
): LedgerJson => {
  const wanted = bytesToHex(script);
  const waiting = [...state.mempool.entries.values()]
    .toReversed()
    .map(({ transaction }): FoundTransaction => ({ transaction, block: undefined }))
    .filter((found) => touches(state, found, wanted))
    .slice(0, MOST_WAITING);
  const found = [...(after === undefined ? waiting : []), ...confirmedPage(state, wanted, after)];
  return found.map((each) => esploraTransaction(state, each));
};
