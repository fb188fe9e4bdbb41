import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import type { Ruling } from "../../ruling.ts";
import { feeAt, feeRateOf, highestRate } from "../fee-rate.ts";
import { admitTransaction, type MempoolAdmission, MISSING_INPUTS } from "../mempool/admission.ts";
import { type MempoolEntry, spenderOf } from "../mempool/mempool.ts";
import {
  ancestorsOf,
  sizeOfEntries,
  waitingChildrenOf,
  waitingParentsOf,
  withDescendants,
} from "../mempool/relatives.ts";
import type { BitcoindState } from "../state.ts";
import { DECODE_FAILED, DEFAULT_MAX_FEE_RATE } from "../submission.ts";
import { decodeBitcoindTransaction } from "../transaction/decode.ts";
import type { BitcoindSerialisedTransaction } from "../transaction/transaction.ts";
import { bitcoinJson } from "./amount.ts";
import { feeRateParameter, hashParameter, transactionParameter } from "./parameters.ts";
import { RPC_CODES } from "./rpc-error.ts";
import {
  type BitcoindAnswer,
  type BitcoindMethod,
  bitcoindError,
  bitcoindMethod,
  bitcoindResult,
} from "./rpc-method.ts";

const MOST_TESTED = 25;
const MOST_OUTPOINTS = 1_000;
const MEMPOOL_BYTES_MAX = 300_000_000;
const LAST_REPLACEABLE_SEQUENCE = 0xfffffffd;

const isReplaceable = ({ transaction }: MempoolEntry): boolean =>
  transaction.inputs.some(({ sequence }) => sequence <= LAST_REPLACEABLE_SEQUENCE);

/** @source Bitcoin Core 29, src/rpc/mempool.cpp: entryToJSON */
const entryJson = ({ mempool }: BitcoindState, entry: MempoolEntry): LedgerJson => {
  const { transaction, fee, time, height } = entry;
  const ancestors = [...ancestorsOf(mempool, transaction), transaction.txid];
  const [above, below] = [ancestors, withDescendants(mempool, new Set([transaction.txid]))].map((txids) =>
    sizeOfEntries(mempool, txids),
  );
  const signals = ancestors.some((txid) => {
    const each = mempool.entries.get(txid);
    return each !== undefined && isReplaceable(each);
  });
  return {
    vsize: transaction.virtualSize,
    weight: transaction.weight,
    time,
    height,
    descendantcount: below?.count,
    descendantsize: below?.virtualSize,
    ancestorcount: above?.count,
    ancestorsize: above?.virtualSize,
    wtxid: transaction.wtxid,
    fees: {
      base: bitcoinJson(fee),
      modified: bitcoinJson(fee),
      ancestor: bitcoinJson(above?.fee ?? 0n),
      descendant: bitcoinJson(below?.fee ?? 0n),
    },
    depends: [...waitingParentsOf(mempool, transaction)],
    spentby: [...waitingChildrenOf(mempool, entry)],
    "bip125-replaceable": signals,
    unbroadcast: false,
  };
};

const getmempoolentry = bitcoindMethod(
  "getmempoolentry",
  { txid: hashParameter("txid") },
  ({ state }, { txid }) => {
    const entry = state.mempool.entries.get(txid);
    return entry === undefined
      ? bitcoindError(RPC_CODES.invalidAddressOrKey, "Transaction not in mempool")
      : bitcoindResult(entryJson(state, entry));
  },
);

const getrawmempool = bitcoindMethod(
  "getrawmempool",
  { verbose: z.boolean().default(false), mempool_sequence: z.boolean().default(false) },
  ({ state }, { verbose, mempool_sequence: withSequence }) => {
    const { entries } = state.mempool;
    if (verbose && withSequence) {
      return bitcoindError(
        RPC_CODES.invalidParameter,
        "Verbose results cannot contain mempool sequence values.",
      );
    }
    if (verbose) {
      return bitcoindResult(
        Object.fromEntries([...entries].map(([txid, entry]) => [txid, entryJson(state, entry)])),
      );
    }
    const txids = [...entries.keys()];
    return bitcoindResult(withSequence ? { txids, mempool_sequence: txids.length + 1 } : txids);
  },
);

const getmempoolinfo = bitcoindMethod("getmempoolinfo", {}, ({ state: { mempool, fees } }) => {
  const { count, virtualSize, fee } = sizeOfEntries(mempool, mempool.entries.keys());
  return bitcoindResult({
    loaded: true,
    size: count,
    bytes: virtualSize,
    usage: virtualSize,
    total_fee: bitcoinJson(fee),
    maxmempool: MEMPOOL_BYTES_MAX,
    mempoolminfee: bitcoinJson(highestRate(mempool.floor, fees.minimumRelay)),
    minrelaytxfee: bitcoinJson(fees.minimumRelay),
    incrementalrelayfee: bitcoinJson(fees.incrementalRelay),
    unbroadcastcount: 0,
    fullrbf: true,
  });
});

const gettxspendingprevout = bitcoindMethod(
  "gettxspendingprevout",
  {
    outputs: z
      .array(z.strictObject({ txid: hashParameter("txid"), vout: z.int().min(0) }))
      .max(MOST_OUTPOINTS),
  },
  ({ state }, { outputs }) => {
    if (outputs.length === 0)
      return bitcoindError(RPC_CODES.invalidParameter, "Invalid parameter, outputs are missing");
    return bitcoindResult(
      outputs.map(({ txid, vout }) => ({
        txid,
        vout,
        spendingtxid: spenderOf(state.mempool, { txid, index: vout }),
      })),
    );
  },
);

const verdictJson = (
  { txid, wtxid, virtualSize }: BitcoindSerialisedTransaction,
  verdict: Ruling<MempoolAdmission>,
  maxFeeRate: bigint,
): LedgerJson => {
  if (!verdict.ok) {
    const [reason = ""] = verdict.message.split(", ");
    return {
      txid,
      wtxid,
      allowed: false,
      "reject-reason": reason === MISSING_INPUTS ? "missing-inputs" : reason,
      "reject-details": verdict.message,
    };
  }
  const { fee } = verdict.value;
  if (maxFeeRate > 0n && fee > feeAt(maxFeeRate, virtualSize)) {
    return { txid, wtxid, allowed: false, "reject-reason": "max-fee-exceeded" };
  }
  const rate = bitcoinJson(feeRateOf(fee, virtualSize));
  const fees = { base: bitcoinJson(fee), "effective-feerate": rate, "effective-includes": [wtxid] };
  return { txid, wtxid, allowed: true, vsize: virtualSize, fees };
};

/** Tests transactions in order, each on top of those before it. After one fails, the rest is not tested. */
const tested = (
  state: BitcoindState,
  transactions: readonly BitcoindSerialisedTransaction[],
  maxFeeRate: bigint,
  time: number,
): BitcoindAnswer => {
  let [{ mempool }, hasFailed] = [state, false];
  const verdicts = transactions.map((transaction): LedgerJson => {
    if (hasFailed) return { txid: transaction.txid, wtxid: transaction.wtxid };
    const verdict = admitTransaction({ ...state, mempool, time }, transaction);
    if (verdict.ok) mempool = verdict.value.mempool;
    else hasFailed = true;
    return verdictJson(transaction, verdict, maxFeeRate);
  });
  return bitcoindResult(verdicts);
};

const testmempoolaccept = bitcoindMethod(
  "testmempoolaccept",
  { rawtxs: z.array(transactionParameter), maxfeerate: feeRateParameter.default(DEFAULT_MAX_FEE_RATE) },
  ({ state, now }, { rawtxs, maxfeerate }) => {
    if (rawtxs.length < 1 || rawtxs.length > MOST_TESTED) {
      return bitcoindError(
        RPC_CODES.invalidParameter,
        `Array must contain between 1 and ${MOST_TESTED} transactions.`,
      );
    }
    const decoded = rawtxs.flatMap((bytes) => decodeBitcoindTransaction(bytes) ?? []);
    return decoded.length < rawtxs.length
      ? bitcoindError(RPC_CODES.deserialization, DECODE_FAILED)
      : tested(state, decoded, maxfeerate, now);
  },
);

/** The RPC methods that show the mempool. @source Bitcoin Core 29, src/rpc/mempool.cpp */
export const MEMPOOL_METHODS: Readonly<Record<string, BitcoindMethod>> = {
  getmempoolentry,
  getrawmempool,
  getmempoolinfo,
  gettxspendingprevout,
  testmempoolaccept,
};
