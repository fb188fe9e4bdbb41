/** The meaning of an engine result for a transaction that was not applied, or only simulated. */
export type XrplVerdict =
  /** it would do what it states */
  | "success"
  /** it costs its fee and does nothing else */
  | "claimed"
  /** the node has this transaction, in the open ledger or in its queue */
  | "known"
  /** its sequence is used, by this transaction or another */
  | "placed"
  /** its last ledger has passed, by this node's ledger */
  | "over"
  /** a permanent refusal */
  | "for-good"
  /** a temporary state, or an unknown result */
  | "for-now";

/**
 * Results whose meaning differs from that of their class, which the first letters name (rippled,
 * include/xrpl/protocol/TER.h).
 */
const SINGLE: Readonly<Record<string, XrplVerdict>> = {
  tesSUCCESS: "success",
  terQUEUED: "known",
  tefALREADY: "known",
  tefPAST_SEQ: "placed",
  tefMAX_LEDGER: "over",
  // problems of the node
  tefFAILURE: "for-now",
  tefBAD_LEDGER: "for-now",
  tefCREATED: "for-now",
  tefEXCEPTION: "for-now",
  tefINTERNAL: "for-now",
  tefINVARIANT_FAILED: "for-now",
  temUNCERTAIN: "for-now",
  temUNKNOWN: "for-now",
  // results of class "tel" (local to the node) that are about the bytes
  telBAD_DOMAIN: "for-good",
  telBAD_PATH_COUNT: "for-good",
  telBAD_PUBLIC_KEY: "for-good",
  telWRONG_NETWORK: "for-good",
  telREQUIRES_NETWORK_ID: "for-good",
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: "for-good",
};

/**
 * tem: malformed for any ledger. tef: impossible in this ledger's state, for example signed by a former key of the
 * account.
 */
const CLASSES: Readonly<Record<string, XrplVerdict>> = {
  tem: "for-good",
  tef: "for-good",
  tec: "claimed",
  tel: "for-now",
  ter: "for-now",
};

const CLASS_LETTERS = 3;

/** Reads an engine result: the table of docs/refusals/xrpl.md. @param result such as tesSUCCESS */
export const verdictOf = (result: string): XrplVerdict =>
  (Object.hasOwn(SINGLE, result) ? SINGLE[result] : CLASSES[result.slice(0, CLASS_LETTERS)]) ?? "for-now";
