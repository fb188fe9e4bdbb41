import { parseAmount, unitOfCoin } from "../../amount.ts";
import type { TransferBody } from "../../chain-request/transfer-body.ts";
import { fail, ok, type Result } from "../../errors.ts";
import type { Network, TransferKind } from "../../network.ts";
import type { JudgedTransfer } from "../rules.ts";
import type { XrplTransfer } from "./act.ts";
import { parseXrplAddress } from "./address.ts";
import { DROPS_MAX, XRPL_NATIVE_ASSET } from "./native-asset.ts";
import { parseUint32, UINT32_MAX } from "./uint32.ts";
import { parseXrplDestination } from "./x-address.ts";

export const XRPL_TRANSFER_KINDS = ["Native"] as const satisfies readonly TransferKind[];

/** @returns AddressInvalid, AddressChecksum, MemoInvalid, AmountInvalid or TransferKindNotSupported */
export const judgeXrplTransfer = (
  network: Network,
  body: TransferBody,
  sender: string,
): Result<JudgedTransfer> => {
  if (body.kind !== "Native") {
    return fail("TransferKindNotSupported", { field: "kind", network, kinds: XRPL_TRANSFER_KINDS });
  }
  const to = parseXrplDestination(network, body.to, "to");
  if (!to.ok) return to;
  const tag = tagOf(body.memo, to.value.tag);
  if (!tag.ok) return tag;
  const amount = parseAmount(body.amount, unitOfCoin("drops", XRPL_NATIVE_ASSET), DROPS_MAX);
  if (!amount.ok) return amount;
  const from = parseXrplAddress(sender, "from");
  if (!from.ok) return from;
  if (from.value === to.value.address) {
    return fail(
      "AddressInvalid",
      { field: "to" },
      "The ledger takes no payment of an account to itself (temREDUNDANT).",
    );
  }
  // the judged form is the one that the signers' strict schema takes
  const transfer: XrplTransfer = {
    kind: body.kind,
    from: from.value,
    to: to.value.address,
    amount: amount.value,
    ...(tag.value === undefined ? {} : { tag: tag.value }),
  };
  return ok({ transfer, asset: XRPL_NATIVE_ASSET, token: undefined });
};

/**
 * The destination tag of a transfer.
 * @param memo of the request: the tag in digits; none when it is empty
 * @param inAddress the tag that the address holds
 * @returns MemoInvalid when it is no tag, or another one than the address holds
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
