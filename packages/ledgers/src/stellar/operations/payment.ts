import type { HorizonBooks } from "../books.ts";
import type { HorizonActOf } from "../xdr/operation.ts";
import type { HorizonInnerResult } from "../xdr/result.ts";
import { isAssetValid } from "./asset-code.ts";
import { arrivedAt, takenFrom } from "./move.ts";
import { actedOn, actFailed, type HorizonActed, type HorizonPlace } from "./ruling.ts";

type PaymentCode = Extract<HorizonInnerResult, { readonly type: "payment" }>["value"]["type"];

const coded = (type: PaymentCode): HorizonInnerResult => ({
  type: "payment",
  value: { type, value: undefined },
});

export const checkPayment = ({ asset, amount }: HorizonActOf<"payment">): HorizonInnerResult =>
  coded(amount <= 0n || !isAssetValid(asset) ? "op_malformed" : "op_success");

/** @source stellar-core, PaymentOpFrame.cpp */
export const applyHorizonPayment = (
  books: HorizonBooks,
  { destination, asset, amount }: HorizonActOf<"payment">,
  { source, baseReserve }: HorizonPlace,
): HorizonActed => {
  const to = destination.account;
  if (to === source && asset.type === "native") return actedOn(books, coded("op_success"));
  const arrived = arrivedAt(books, to, asset, amount);
  if (typeof arrived === "string") return actFailed(coded(arrived));
  const paid = takenFrom(arrived, source, asset, amount, baseReserve);
  return typeof paid === "string" ? actFailed(coded(paid)) : actedOn(paid, coded("op_success"));
};
