import { rippledAddressOfKey } from "../address.ts";
import { hasAccountFlag, RIPPLED_ACCOUNT_FLAGS, type RippledAccount } from "../books.ts";
import type { RippledEngineResult } from "../engine-result.ts";
import type { RippledAccountSet, RippledTransaction } from "../transaction/transaction.ts";

/** The flags of SetFlag and ClearFlag. @source rippled, include/xrpl/protocol/TxFlags.h */
const FLAG_NAMES: ReadonlyMap<number, keyof typeof RIPPLED_ACCOUNT_FLAGS> = new Map([
  [1, "requireDestTag"],
  [3, "disallowXrp"],
  [4, "disableMaster"],
  [8, "defaultRipple"],
  [9, "depositAuth"],
]);
const DISABLE_MASTER = 4;
const ACCOUNT_TXN_ID = 5;
const NO_HASH = /^0*$/;

/** Whether this ledger implements SetFlag and ClearFlag with this number. */
export const isCarriedOutFlag = (flag: number): boolean =>
  flag === 0 || flag === ACCOUNT_TXN_ID || FLAG_NAMES.has(flag);

/**
 * Whether an AccountSet changes who may sign or whether AccountTxnID is needed, so that no other transaction of the
 * account can be queued behind it.
 */
export const blocksOthers = ({ setFlag, clearFlag }: RippledAccountSet): boolean =>
  [setFlag, clearFlag].some((flag) => flag === DISABLE_MASTER || flag === ACCOUNT_TXN_ID);

const maskOf = (flag: number): number => {
  const name = FLAG_NAMES.get(flag);
  return name === undefined ? 0 : RIPPLED_ACCOUNT_FLAGS[name];
};

const checkDisabling = (transaction: RippledTransaction, account: RippledAccount): RippledEngineResult => {
  if (hasAccountFlag(account, "disableMaster")) return "tesSUCCESS";
  if (rippledAddressOfKey(transaction.signingPubKey) !== transaction.account) return "tecNEED_MASTER_KEY";
  return account.regularKey === undefined ? "tecNO_ALTERNATIVE_KEY" : "tesSUCCESS";
};

/** The new value of a field: set, removed by "", or unchanged. */
const changed = (given: string | undefined, now: string | undefined): string | undefined => {
  if (given === undefined) return now;
  return given === "" ? undefined : given;
};

const accountTxnIdAfter = (act: RippledAccountSet, { accountTxnId }: RippledAccount): string | undefined => {
  if (act.setFlag === ACCOUNT_TXN_ID) return accountTxnId ?? "0".repeat(64);
  return act.clearFlag === ACCOUNT_TXN_ID ? undefined : accountTxnId;
};

/** @source rippled, SetAccount.cpp: doApply */
export const applyAccountSet = (
  transaction: RippledTransaction,
  act: RippledAccountSet,
  account: RippledAccount,
): RippledEngineResult | RippledAccount => {
  if (act.setFlag === DISABLE_MASTER) {
    const disabling = checkDisabling(transaction, account);
    if (disabling !== "tesSUCCESS") return disabling;
  }
  const emailHash = act.emailHash !== undefined && NO_HASH.test(act.emailHash) ? "" : act.emailHash;
  return {
    ...account,
    flags: ((account.flags | maskOf(act.setFlag)) & ~maskOf(act.clearFlag)) >>> 0,
    domain: changed(act.domain, account.domain),
    messageKey: changed(act.messageKey, account.messageKey),
    emailHash: changed(emailHash, account.emailHash),
    accountTxnId: accountTxnIdAfter(act, account),
  };
};
