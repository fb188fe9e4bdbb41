import { bytesToHex } from "@noble/hashes/utils.js";
import type { LedgerJson } from "../../json.ts";
import { recentFees, spreadOf } from "../horizon/fee-stats.ts";
import { toBase64 } from "../horizon/format.ts";
import { type HorizonLedger, PROTOCOL_VERSION } from "../ledger.ts";
import { eldestLedger, type HorizonState, latestLedger } from "../state.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { xdrLedgerCloseMeta, xdrLedgerHeader } from "../xdr/header.ts";
import { xdrResultPair } from "../xdr/result.ts";

const LEDGERS_OF_FEES = 5;

export const healthJson = (state: HorizonState): LedgerJson => ({
  status: "healthy",
  latestLedger: latestLedger(state).header.sequence,
  oldestLedger: eldestLedger(state).header.sequence,
  ledgerRetentionWindow: state.ledgers.length,
});

export const networkJson = ({ genesis }: HorizonState, origin: string): LedgerJson => ({
  friendbotUrl: `${origin}/friendbot`,
  passphrase: genesis.passphrase,
  protocolVersion: PROTOCOL_VERSION,
});

export const versionJson = (): LedgerJson => ({
  version: "simulated",
  commitHash: "",
  buildTimestamp: "",
  captiveCoreVersion: "simulated",
  protocolVersion: PROTOCOL_VERSION,
});

const closeOf = ({ header, hash, transactions }: HorizonLedger): Uint8Array =>
  encodeXdr(xdrLedgerCloseMeta, {
    header: { hash, header, extension: undefined },
    transactionSet: {
      previous: header.previous,
      envelopes: transactions.map(({ submission }) => submission.bytes),
    },
    processing: transactions.map(({ submission, result, feesXdr, metaXdr }) => ({
      result: encodeXdr(xdrResultPair, { hash: submission.bump?.hash ?? submission.hash, result }),
      fees: feesXdr,
      meta: metaXdr,
    })),
    upgrades: [],
    consensus: [],
  });

export const latestLedgerJson = (state: HorizonState): LedgerJson => {
  const ledger = latestLedger(state);
  const { header, hash } = ledger;
  return {
    id: bytesToHex(hash),
    sequence: header.sequence,
    protocolVersion: PROTOCOL_VERSION,
    closeTime: header.value.closedAt.toString(),
    headerXdr: toBase64(encodeXdr(xdrLedgerHeader, header)),
    metadataXdr: toBase64(closeOf(ledger)),
  };
};

const distribution = (state: HorizonState, isContract: boolean): LedgerJson => {
  const { charged, transactions } = recentFees(state, (isContractCall) => isContractCall === isContract);
  const ledgerCount = Math.min(LEDGERS_OF_FEES, state.ledgers.length);
  return { ...spreadOf(charged), transactionCount: transactions.toString(), ledgerCount };
};

export const rpcFeeStatsJson = (state: HorizonState): LedgerJson => ({
  sorobanInclusionFee: distribution(state, true),
  inclusionFee: distribution(state, false),
  latestLedger: latestLedger(state).header.sequence,
});
