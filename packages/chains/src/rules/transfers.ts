import {
  type Asset,
  type FamilyContent,
  type FamilyRules,
  fail,
  type JudgedTransfer,
  type Network,
  ok,
  parseAmount,
  type Result,
  TRANSFER_KINDS,
  type TransferBody,
  type TransferKind,
  unitOfCoin,
} from "@conclave/custody";

/** The body of one kind of transfer. */
export type BodyOf<Kind extends TransferKind> = Extract<TransferBody, { readonly kind: Kind }>;
type Judges<Kind extends TransferKind> = {
  readonly [Each in Kind]?: (body: BodyOf<Each>, sender: string, network: Network) => Result<JudgedTransfer>;
};

/** Judges the kinds of transfer that a family carries out; refuses others with TransferKindNotSupported. */
export const transferJudgement = (
  judges: Judges<TransferKind>,
): Pick<FamilyRules, "transferKinds" | "judgeTransfer"> => {
  const kinds = TRANSFER_KINDS.filter((kind) => Object.hasOwn(judges, kind));
  return {
    transferKinds: kinds,
    judgeTransfer: (network, body, sender) =>
      judgeBy(judges, body.kind, body, sender, network) ??
      fail("TransferKindNotSupported", { field: "kind", network, kinds }),
  };
};

const judgeBy = <Kind extends TransferKind>(
  judges: Judges<Kind>,
  kind: Kind,
  body: BodyOf<Kind>,
  sender: string,
  network: Network,
): Result<JudgedTransfer> | undefined => judges[kind]?.(body, sender, network);

/**
 * A judged transfer, in the form that the strict schema of the family's signers accepts.
 * @param token set if only the chain has the token's description
 */
export const judged = <Transfer extends FamilyContent>(
  transfer: Transfer,
  asset: Asset,
  token?: string,
): Result<JudgedTransfer> => ok({ transfer, asset, token });

interface Parties {
  readonly from: string;
  readonly to: string;
}
type ParseAddress = (text: string, field: string) => Result<string>;

/** @param sender the wallet's address */
export const judgeParties = (
  parse: ParseAddress,
  body: { readonly to: string },
  sender: string,
): Result<Parties> => {
  const to = parse(body.to, "to");
  if (!to.ok) return to;
  const from = parse(sender, "from");
  return from.ok ? ok({ from: from.value, to: to.value }) : from;
};

interface PaymentTerms {
  readonly parse: ParseAddress;
  /** the chain's largest amount, if below 2^256 − 1 */
  readonly largest?: bigint;
  /** why the chain refuses a payment of an account to itself; absent if it accepts one */
  readonly notToItself?: string;
}

/** @returns AddressInvalid, AddressChecksum or AmountInvalid, in this order */
export const judgePayment = (
  { parse, largest, notToItself }: PaymentTerms,
  body: { readonly to: string; readonly amount: string },
  sender: string,
  unit: string,
): Result<Parties & { readonly amount: string }> => {
  const parties = judgeParties(parse, body, sender);
  if (!parties.ok) return parties;
  if (notToItself !== undefined && parties.value.from === parties.value.to) {
    return fail("AddressInvalid", { field: "to" }, notToItself);
  }
  const amount = parseAmount(body.amount, unit, largest);
  return amount.ok ? ok({ ...parties.value, amount: amount.value }) : amount;
};

/** Judges transfers of a native coin. @param unit the network's name for its smallest unit */
export const nativeJudge =
  (terms: PaymentTerms, unit: string, asset: Asset) =>
  (body: BodyOf<"Native">, sender: string): Result<JudgedTransfer> => {
    const payment = judgePayment(terms, body, sender, unitOfCoin(unit, asset));
    return payment.ok ? judged({ kind: body.kind, ...payment.value }, asset) : payment;
  };
