import { hexToBytes } from "@noble/hashes/utils.js";
import { RIPPLED_NOBODY } from "../address.ts";
import type { RippledEngineResult } from "../engine-result.ts";
import { rippledCurveOf } from "../transaction/signature.ts";
import type { RippledAccountSet, RippledPayment, RippledTransaction } from "../transaction/transaction.ts";
import type { RippledContext } from "./context.ts";
import { isLegalAmount } from "./fees.ts";

/** Networks with a higher id require it in every transaction; the others forbid it. */
const LEGACY_NETWORK_ID_MAX = 1_024;
const FULLY_CANONICAL_SIGNATURE = 0x8000_0000;
const PAYMENT_FLAGS = { noRippleDirect: 0x0001_0000, partialPayment: 0x0002_0000, limitQuality: 0x0004_0000 };
const DOMAIN_BYTES_MAX = 256;
const TICKETS_AT_ONCE_MAX = 250;

type Refusal = RippledEngineResult | undefined;

const hasOther = (flags: number, known: number): boolean =>
  (flags & ~(known | FULLY_CANONICAL_SIGNATURE)) !== 0;

const checkNetwork = ({ networkId }: RippledTransaction, context: RippledContext): Refusal => {
  if (context.networkId <= LEGACY_NETWORK_ID_MAX) {
    return networkId === undefined ? undefined : "telNETWORK_ID_MAKES_TX_NON_CANONICAL";
  }
  if (networkId === undefined) return "telREQUIRES_NETWORK_ID";
  return networkId === context.networkId ? undefined : "telWRONG_NETWORK";
};

/** @source rippled, Transactor.cpp: preflight1 */
const checkHeader = (transaction: RippledTransaction): Refusal => {
  const { account, fee, turn, hasTwoTurns, accountTxnId } = transaction;
  if (account === RIPPLED_NOBODY) return "temBAD_SRC_ACCOUNT";
  if (fee < 0n || !isLegalAmount(fee)) return "temBAD_FEE";
  if (turn.kind === "ticket" && accountTxnId !== undefined) return "temINVALID";
  return hasTwoTurns ? "temSEQ_AND_TICKET" : undefined;
};

/** @source rippled, Payment.cpp: preflight */
const checkPayment = ({ account, flags }: RippledTransaction, payment: RippledPayment): Refusal => {
  const { noRippleDirect, partialPayment, limitQuality } = PAYMENT_FLAGS;
  if (hasOther(flags, noRippleDirect | partialPayment | limitQuality)) return "temINVALID_FLAG";
  if (!isLegalAmount(payment.amount)) return "temBAD_AMOUNT";
  if (payment.destination === RIPPLED_NOBODY) return "temDST_NEEDED";
  if (payment.amount <= 0n) return "temBAD_AMOUNT";
  if (payment.destination === account) return "temREDUNDANT";
  if (payment.hasSendMax) return "temBAD_SEND_XRP_MAX";
  if ((flags & partialPayment) !== 0) return "temBAD_SEND_XRP_PARTIAL";
  if ((flags & limitQuality) !== 0) return "temBAD_SEND_XRP_LIMIT";
  if ((flags & noRippleDirect) !== 0) return "temBAD_SEND_XRP_NO_DIRECT";
  return payment.hasDeliverMin ? "temBAD_AMOUNT" : undefined;
};

/** @source rippled, SetAccount.cpp: preflight */
const checkAccountSet = ({ flags }: RippledTransaction, act: RippledAccountSet): Refusal => {
  const { setFlag, clearFlag, messageKey, domain } = act;
  if (hasOther(flags, 0) || (setFlag !== 0 && setFlag === clearFlag)) return "temINVALID_FLAG";
  const hasKey = messageKey !== undefined && messageKey !== "";
  if (hasKey && rippledCurveOf(hexToBytes(messageKey)) === undefined) return "telBAD_PUBLIC_KEY";
  return (domain?.length ?? 0) > 2 * DOMAIN_BYTES_MAX ? "telBAD_DOMAIN" : undefined;
};

const checkAct = (transaction: RippledTransaction): Refusal => {
  const { act, account, flags } = transaction;
  switch (act.kind) {
    case "Payment":
      return checkPayment(transaction, act);
    case "AccountSet":
      return checkAccountSet(transaction, act);
    case "SetRegularKey":
      if (hasOther(flags, 0)) return "temINVALID_FLAG";
      return act.regularKey === account ? "temBAD_REGKEY" : undefined;
    case "TicketCreate":
      if (hasOther(flags, 0)) return "temINVALID_FLAG";
      return act.count < 1 || act.count > TICKETS_AT_ONCE_MAX ? "temINVALID_COUNT" : undefined;
  }
};

/** Why a transaction is invalid whatever the ledger's state; undefined if it is not. */
export const rippledPreflight = (transaction: RippledTransaction, context: RippledContext): Refusal =>
  checkNetwork(transaction, context) ?? checkHeader(transaction) ?? checkAct(transaction);
