import { sha256 } from "@noble/hashes/sha2.js";
import type { HorizonBooks } from "../books.ts";
import { actedOn, actFailed, type HorizonActed, type HorizonPlace } from "../operations/ruling.ts";
import { encodeXdr } from "../xdr/codec.ts";
import type { HorizonInvocation } from "../xdr/invocation.ts";
import { xdrCallOutcome } from "../xdr/preimage.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { footprintOf, isFootprintCovered } from "./footprint.ts";
import { flawOfAuthority, transferIn } from "./invocation.ts";
import { isWithinResources, useOf } from "./resources.ts";
import { carryOutTransfer } from "./transfer.ts";
import { VOID_VALUE } from "./value.ts";

type InvocationResult = Extract<HorizonInnerResult, { readonly type: "invokeHostFunction" }>["value"];

const stopped = (type: Exclude<InvocationResult["type"], "op_success">): HorizonActed =>
  actFailed({ type: "invokeHostFunction", value: { type, value: undefined } });

/**
 * Carries out a contract call, within the resources that its sender declared.
 * @source stellar-core, InvokeHostFunctionOpFrame.cpp: doApply
 */
export const applyInvocation = (
  books: HorizonBooks,
  call: HorizonInvocation,
  { source, baseReserve, allowance }: HorizonPlace,
): HorizonActed => {
  if (allowance === undefined) return stopped("op_malformed");
  const { declared, refundable } = allowance;
  const transfer = transferIn(call.function.value, books);
  if ("words" in transfer) return stopped("function_trapped");
  const needed = footprintOf(transfer);
  if (!isFootprintCovered(needed, declared.footprint)) return stopped("function_trapped");
  if (flawOfAuthority(call, transfer, source) !== undefined) return stopped("function_trapped");
  const done = carryOutTransfer(books, transfer, baseReserve);
  if ("words" in done) return stopped("function_trapped");
  const use = useOf(needed, books, done.books, done.event);
  if (!isWithinResources(use, declared)) return stopped("resource_limit_exceeded");
  if (use.rent + use.eventFee > refundable) return stopped("insufficient_refundable_fee");
  const hash = sha256(encodeXdr(xdrCallOutcome, { returned: VOID_VALUE, events: [done.event] }));
  const { rent, eventFee } = use;
  const result = { type: "invokeHostFunction", value: { type: "op_success", value: hash } } as const;
  return actedOn(done.books, result, { event: done.event, rent, eventFee });
};
