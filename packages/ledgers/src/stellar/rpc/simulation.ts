import { z } from "zod";
import type { LedgerJson } from "../../json.ts";
import { layeredUpon } from "../books.ts";
import { fromBase64, toBase64 } from "../horizon/format.ts";
import { BASE_RESERVE } from "../ledger.ts";
import { sourceOfOperation } from "../operations/operation.ts";
import { footprintOf } from "../soroban/footprint.ts";
import { authorizationOf, flawOfAuthority, transferIn } from "../soroban/invocation.ts";
import { nonRefundableFee, useOf } from "../soroban/resources.ts";
import { carryOutTransfer } from "../soroban/transfer.ts";
import { VOID_VALUE } from "../soroban/value.ts";
import { type HorizonState, latestLedger } from "../state.ts";
import { readSubmission } from "../transaction/submission.ts";
import { encodeXdr } from "../xdr/codec.ts";
import { xdrContractValue } from "../xdr/contract-value.ts";
import { xdrDiagnosticEvent } from "../xdr/event.ts";
import { type HorizonInvocation, xdrSorobanData } from "../xdr/invocation.ts";
import { type RpcAnswer, rpcResult, wrongParameters } from "./answer.ts";

const schema = z.looseObject({ transaction: z.string() });

/**
 * Margins on the resources that a simulation used, in hundredths, because the state may change before the transaction is
 * carried out. Stellar RPC adds such margins too.
 */
const INSTRUCTIONS_MARGIN = 120;
const FEE_MARGIN = 115n;
/** Bytes that the signatures will add to the simulated envelope. */
const BYTES_TO_COME = 600;

interface Simulated {
  readonly transactionData: string;
  readonly minResourceFee: string;
  readonly events: readonly string[];
  readonly results: LedgerJson;
}

/** @returns the resources of a call, or why it failed */
const simulated = (
  state: HorizonState,
  call: HorizonInvocation,
  source: Parameters<typeof flawOfAuthority>[2],
  size: number,
): Simulated | { readonly error: string } => {
  const books = layeredUpon(state.books, latestLedger(state).header.sequence + 1);
  const transfer = transferIn(call.function.value, books);
  if ("words" in transfer) return { error: transfer.words };
  if (transfer.from !== source)
    return { error: "this simulated ledger takes authorizations of the source account only" };
  const unauthorized = call.authorizations.length > 0 ? flawOfAuthority(call, transfer, source) : undefined;
  if (unauthorized !== undefined) return { error: unauthorized.words };
  const done = carryOutTransfer(books, transfer, BASE_RESERVE);
  if ("words" in done) return { error: done.words };
  const footprint = footprintOf(transfer);
  const use = useOf(footprint, books, done.books, done.event);
  const resources = {
    extension: { type: "none" as const, value: undefined },
    footprint,
    instructions: Math.ceil((use.instructions * INSTRUCTIONS_MARGIN) / 100),
    readBytes: use.readBytes,
    writeBytes: use.writeBytes,
  };
  const fee = nonRefundableFee(resources, size + BYTES_TO_COME) + use.rent + use.eventFee;
  const resourceFee = (fee * FEE_MARGIN) / 100n;
  return {
    transactionData: toBase64(encodeXdr(xdrSorobanData, { ...resources, resourceFee })),
    minResourceFee: resourceFee.toString(),
    events: [toBase64(encodeXdr(xdrDiagnosticEvent, { isOfSuccess: true, event: done.event }))],
    results: [
      {
        auth: [toBase64(authorizationOf(call.function.value))],
        xdr: toBase64(encodeXdr(xdrContractValue, VOID_VALUE)),
      },
    ],
  };
};

/** simulateTransaction: the footprint and the cost of a contract call. Nothing changes. */
export const simulationAnswer = (state: HorizonState, parameters: unknown): RpcAnswer => {
  const parsed = schema.safeParse(parameters);
  const bytes = parsed.success ? fromBase64(parsed.data.transaction) : undefined;
  if (bytes === undefined) return wrongParameters("Could not unmarshal transaction: it is no base64");
  const latest = latestLedger(state).header.sequence;
  const read = readSubmission(bytes, state.genesis.networkId);
  if (!read.ok)
    return rpcResult({ error: `Could not unmarshal transaction: ${read.message}`, latestLedger: latest });
  const { transaction } = read.value;
  const [operation] = transaction.operations;
  if (operation === undefined || transaction.operations.length > 1) {
    return rpcResult({ error: "Transaction contains more than one operation", latestLedger: latest });
  }
  if (operation.body.type !== "invokeHostFunction") {
    const error = `Transaction contains unsupported operation type: ${operation.body.type}`;
    return rpcResult({ error, latestLedger: latest });
  }
  const source = sourceOfOperation(operation, transaction);
  return rpcResult({ ...simulated(state, operation.body.value, source, bytes.length), latestLedger: latest });
};
