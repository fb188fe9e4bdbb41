/** The meaning of a result of rippled's engine for a transaction that was not applied, or only tried. */
export type XrplVerdict =
  /** it did what it says */
  | "success"
  /** it takes its fee and does nothing else */
  | "claimed"
  /** the node has this one: in the open ledger, or in its queue */
  | "known"
  /** its place is taken, by itself or by another */
  | "placed"
  /** its ledgers are over, as this node sees it */
  | "over"
  /** no waiting mends it */
  | "for-good"
  /** a passing state, or a result that is not known */
  | "for-now";

/** Results whose class, by their beginning, is not what the class says. (rippled, include/xrpl/protocol/TER.h) */
const SINGLE: Readonly<Record<string, XrplVerdict>> = {
  tesSUCCESS: "success",
  terQUEUED: "known",
  tefALREADY: "known",
  tefPAST_SEQ: "placed",
  tefMAX_LEDGER: "over",
  // the node's own trouble
  tefFAILURE: "for-now",
  tefBAD_LEDGER: "for-now",
  tefCREATED: "for-now",
  tefEXCEPTION: "for-now",
  tefINTERNAL: "for-now",
  tefINVARIANT_FAILED: "for-now",
  temUNCERTAIN: "for-now",
  temUNKNOWN: "for-now",
  // of the node's class "tel", those that are about the bytes
  telBAD_DOMAIN: "for-good",
  telBAD_PATH_COUNT: "for-good",
  telBAD_PUBLIC_KEY: "for-good",
  telWRONG_NETWORK: "for-good",
  telREQUIRES_NETWORK_ID: "for-good",
  telNETWORK_ID_MAKES_TX_NON_CANONICAL: "for-good",
};

/** tem: malformed in any ledger. tef: not in this ledger's state, such as by a key that is not the account's any more. */
const CLASSES: Readonly<Record<string, XrplVerdict>> = {
  tem: "for-good",
  tef: "for-good",
  tec: "claimed",
  tel: "for-now",
  ter: "for-now",
};

const CLASS_LETTERS = 3;

/** Reads a result of the engine: the table of docs/refusals/xrpl.md. @param result such as tesSUCCESS */
export const verdictOf = (result: string): XrplVerdict =>
  (Object.hasOwn(SINGLE, result) ? SINGLE[result] : CLASSES[result.slice(0, CLASS_LETTERS)]) ?? "for-now";
