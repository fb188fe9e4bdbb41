import {
  fail,
  type JudgedTransfer,
  type Network,
  ok,
  parseAmount,
  type Result,
  unitOfCoin,
} from "@conclave/custody";
import { type BodyOf, judged, transferJudgement } from "../../rules/transfers.ts";
import type { XrplTransfer } from "./act.ts";
import { parseXrplAddress } from "./address.ts";
import { DROPS_MAX, XRPL_NATIVE_ASSET } from "./native-asset.ts";
import { parseUint32, UINT32_MAX } from "./uint32.ts";
import { parseXrplDestination } from "./x-address.ts";

const judgeNative = (body: BodyOf<"Native">, sender: string, network: Network): Result<JudgedTransfer> => {
  const to = parseXrplDestination(network, body.to, "to");
  if (!to.ok) return to;
  const tag = tagOf(body.memo, to.value.tag);
  if (!tag.ok) return tag;
  const amount = parseAmount(body.amount, unitOfCoin("drops", XRPL_NATIVE_ASSET), DROPS_MAX);
  if (!amount.ok) return amount;
  const from = parseXrplAddress(sender, "from");
  if (!from.ok) return from;
  if (from.value === to.value.address) {
    const why = "The ledger takes no payment of an account to itself (temREDUNDANT).";
    return fail("AddressInvalid", { field: "to" }, why);
  }
  const parties = { from: from.value, to: to.value.address };
  const said = tag.value === undefined ? {} : { tag: tag.value };
  return judged<XrplTransfer>(
    { kind: body.kind, ...parties, amount: amount.value, ...said },
    XRPL_NATIVE_ASSET,
  );
};

/**
 * The destination tag of a transfer.
 * @param memo of the request: the tag in digits; empty for none
 * @param inAddress the tag that the address holds
 * @returns MemoInvalid when it is no tag, or differs from the address's tag
 */
const tagOf = (memo: string | undefined, inAddress: number | undefined): Result<number | undefined> => {
  if (memo === undefined || memo === "") return ok(inAddress);
  const tag = parseUint32(memo);
  if (tag === undefined) {
    return fail(
      "MemoInvalid",
      { field: "memo", largest: UINT32_MAX },
      `A memo on the XRP Ledger is a destination tag: a number from 0 to ${UINT32_MAX}.`,
    );
  }
  return inAddress === undefined || inAddress === tag
    ? ok(tag)
    : fail(
        "MemoInvalid",
        { field: "memo", tag: inAddress },
        `The address holds the destination tag ${inAddress}, and memo another.`,
      );
};

/** Refusals: AddressInvalid, AddressChecksum, MemoInvalid, AmountInvalid or TransferKindNotSupported. */
export const XRPL_TRANSFERS = transferJudgement({ Native: judgeNative });
