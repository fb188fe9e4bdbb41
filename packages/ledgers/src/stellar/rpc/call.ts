import type { HorizonState } from "../state.ts";
import { type RpcAnswer, rpcResult } from "./answer.ts";
import { ledgerEntriesAnswer } from "./ledger-entries.ts";
import { healthJson, latestLedgerJson, networkJson, rpcFeeStatsJson, versionJson } from "./network.ts";
import { simulationAnswer } from "./simulation.ts";
import { transactionAnswer, transactionsAnswer } from "./transactions.ts";

const METHOD_NOT_FOUND = -32601;

/** Calls a read-only method of Stellar RPC. @param origin where the node is served */
export const callStellarRpc = (
  state: HorizonState,
  method: string,
  parameters: unknown,
  origin: string,
): RpcAnswer => {
  switch (method) {
    case "getHealth":
      return rpcResult(healthJson(state));
    case "getNetwork":
      return rpcResult(networkJson(state, origin));
    case "getVersionInfo":
      return rpcResult(versionJson());
    case "getLatestLedger":
      return rpcResult(latestLedgerJson(state));
    case "getFeeStats":
      return rpcResult(rpcFeeStatsJson(state));
    case "getLedgerEntries":
      return ledgerEntriesAnswer(state, parameters);
    case "getTransaction":
      return transactionAnswer(state, parameters);
    case "getTransactions":
      return transactionsAnswer(state, parameters);
    case "simulateTransaction":
      return simulationAnswer(state, parameters);
    default:
      return { ok: false, code: METHOD_NOT_FOUND, message: `method not found: ${method}` };
  }
};
