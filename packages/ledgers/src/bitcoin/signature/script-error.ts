/** Why an input's script fails, in Bitcoin Core's words. @source Bitcoin Core, src/script/script_error.cpp */
export const SCRIPT_ERRORS = {
  evaluatedFalse: "Script evaluated without error but finished with a false/empty top stack element",
  stackSize: "Operation not valid with the current stack size",
  notClean: "Stack size must be exactly one after execution",
  equalVerify: "Script failed an OP_EQUALVERIFY operation",
  notPushOnly: "Only push operators allowed in signatures",
  minimalPush: "Data push larger than necessary",
  der: "Non-canonical DER signature",
  hashType: "Signature hash type missing or not understood",
  highS: "Non-canonical signature: S value is unnecessarily high",
  nullFail: "Signature must be zero for failed CHECK(MULTI)SIG operation",
  publicKey: "Public key is neither compressed or uncompressed",
  uncompressed: "Using non-compressed keys in segwit",
  witnessMismatch: "Witness program hash mismatch",
  witnessEmpty: "Witness program was passed an empty witness",
  witnessMalleated: "Witness requires empty scriptSig",
  witnessMalleatedP2sh: "Witness requires only-redeemscript scriptSig",
  schnorrSize: "Invalid Schnorr signature size",
  schnorrHashType: "Invalid Schnorr signature hash type",
  schnorr: "Invalid Schnorr signature",
} as const;

export type ScriptError = (typeof SCRIPT_ERRORS)[keyof typeof SCRIPT_ERRORS];

/**
 * Which rules a script is checked by: "standard" are a node's relay policy, "mandatory" the consensus rules, whose breach
 * makes a block invalid.
 */
export type ScriptRules = "standard" | "mandatory";
