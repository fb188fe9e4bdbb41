import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { keyHashScript } from "../script/make.ts";
import { isMinimalPush, isPushOnly, scriptSteps } from "../script/opcodes.ts";
import { kindOfScript } from "../script/script-kind.ts";
import type { BitcoindOutput, BitcoindTransaction } from "../transaction/transaction.ts";
import { checkEcdsa } from "./ecdsa.ts";
import { legacySpendDigest } from "./legacy-digest.ts";
import { checkSchnorr } from "./schnorr.ts";
import { SCRIPT_ERRORS, type ScriptError, type ScriptRules } from "./script-error.ts";
import { segwitSpendDigest } from "./segwit-digest.ts";

/** An input with the outputs that its transaction spends. */
export interface Spend {
  readonly transaction: BitcoindTransaction;
  /** the input's index */
  readonly at: number;
  /** the outputs that all inputs spend, in their order */
  readonly spent: readonly BitcoindOutput[];
}

const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

const outputOf = ({ spent, at }: Spend): BitcoindOutput => {
  const output = spent[at];
  if (output === undefined) throw new RangeError("an input spends an output");
  return output;
};

const inputOf = ({ transaction, at }: Spend) => {
  const input = transaction.inputs[at];
  if (input === undefined) throw new RangeError("a transaction has the input that is checked");
  return input;
};

/** Checks a P2PKH input: it pushes signature and key for OP_DUP OP_HASH160 <hash> OP_EQUALVERIFY OP_CHECKSIG. */
const checkKeyHash = (spend: Spend, hash: Uint8Array, rules: ScriptRules): ScriptError | undefined => {
  const { script } = outputOf(spend);
  const steps = scriptSteps(inputOf(spend).script) ?? [];
  if (rules === "standard" && !isPushOnly(steps)) return SCRIPT_ERRORS.notPushOnly;
  if (rules === "standard" && !steps.every(isMinimalPush)) return SCRIPT_ERRORS.minimalPush;
  const [signature, publicKey] = steps.slice(-2).map(({ data }) => data ?? new Uint8Array());
  if (signature === undefined || publicKey === undefined) return SCRIPT_ERRORS.stackSize;
  if (!isEqual(hash160(publicKey), hash)) return SCRIPT_ERRORS.equalVerify;
  const digestOf = (hashType: number) => legacySpendDigest(spend.transaction, spend.at, script, hashType);
  const failed = checkEcdsa({ signature, publicKey, digestOf, rules, isSegwit: false });
  return failed ?? (rules === "standard" && steps.length > 2 ? SCRIPT_ERRORS.notClean : undefined);
};

const checkWitnessKeyHash = (spend: Spend, hash: Uint8Array, rules: ScriptRules): ScriptError | undefined => {
  const { witness } = inputOf(spend);
  const [signature, publicKey, ...more] = witness;
  if (witness.length === 0) return SCRIPT_ERRORS.witnessEmpty;
  if (signature === undefined || publicKey === undefined || more.length > 0) {
    return SCRIPT_ERRORS.witnessMismatch;
  }
  if (!isEqual(hash160(publicKey), hash)) return SCRIPT_ERRORS.equalVerify;
  const { amount } = outputOf(spend);
  const digestOf = (hashType: number) =>
    segwitSpendDigest(spend.transaction, spend.at, keyHashScript(hash), amount, hashType);
  return checkEcdsa({ signature, publicKey, digestOf, rules, isSegwit: true });
};

const checkKeyPath = (spend: Spend, key: Uint8Array): ScriptError | undefined => {
  const [signature] = inputOf(spend).witness;
  if (signature === undefined) return SCRIPT_ERRORS.witnessEmpty;
  return checkSchnorr(signature, key, spend.transaction, spend.at, spend.spent);
};

/** The single push of a P2SH-nested input's script. */
const redeemScriptOf = (spend: Spend): Uint8Array | undefined =>
  scriptSteps(inputOf(spend).script)?.at(-1)?.data;

const checkNested = (spend: Spend, hash: Uint8Array, rules: ScriptRules): ScriptError | undefined => {
  const redeemScript = redeemScriptOf(spend) ?? new Uint8Array();
  if (!isEqual(hash160(redeemScript), hash)) return SCRIPT_ERRORS.evaluatedFalse;
  const kind = kindOfScript(redeemScript);
  if (kind.kind !== "witness_v0_keyhash") throw new RangeError("canSpend looks at the redeem script first");
  const { script } = inputOf(spend);
  if (script[0] !== redeemScript.length || script.length !== redeemScript.length + 1) {
    return SCRIPT_ERRORS.witnessMalleatedP2sh;
  }
  return checkWitnessKeyHash(spend, kind.hash, rules);
};

const unsupported = (what: string, at: number): Ruling<undefined> =>
  refusedWith(
    `unsupported-spend, this simulated ledger spends P2PKH, P2WPKH, P2SH-P2WPKH and P2TR key path only: input ${at} is ${what}`,
  );

const NESTED_NAMES: Readonly<Record<string, string>> = {
  witness_v0_scripthash: "P2SH-P2WSH",
};

/** Whether the ledger supports spending such an output; it has no script interpreter. */
export const canSpend = (spend: Spend): Ruling<undefined> => {
  const kind = kindOfScript(outputOf(spend).script);
  switch (kind.kind) {
    case "pubkeyhash":
    case "witness_v0_keyhash":
      return granted(undefined);
    case "witness_v1_taproot":
      return inputOf(spend).witness.length > 1
        ? unsupported("a Taproot script path", spend.at)
        : granted(undefined);
    case "scripthash": {
      const redeemScript = redeemScriptOf(spend);
      if (redeemScript === undefined || !isEqual(hash160(redeemScript), kind.hash)) return granted(undefined);
      const nested = kindOfScript(redeemScript);
      return nested.kind === "witness_v0_keyhash"
        ? granted(undefined)
        : unsupported(NESTED_NAMES[nested.kind] ?? "a P2SH script", spend.at);
    }
    case "witness_v0_scripthash":
      return unsupported("P2WSH", spend.at);
    default:
      return unsupported(kind.kind, spend.at);
  }
};

/**
 * Whether an input's signature satisfies the output that it spends. Only for supported outputs: call `canSpend` first.
 * @returns undefined if it does
 * @source Bitcoin Core, src/script/interpreter.cpp: VerifyScript, VerifyWitnessProgram
 */
export const checkSpend = (spend: Spend, rules: ScriptRules): ScriptError | undefined => {
  const kind = kindOfScript(outputOf(spend).script);
  const { script } = inputOf(spend);
  switch (kind.kind) {
    case "pubkeyhash":
      return checkKeyHash(spend, kind.hash, rules);
    case "witness_v0_keyhash":
      return script.length > 0
        ? SCRIPT_ERRORS.witnessMalleated
        : checkWitnessKeyHash(spend, kind.hash, rules);
    case "witness_v1_taproot":
      return script.length > 0 ? SCRIPT_ERRORS.witnessMalleated : checkKeyPath(spend, kind.key);
    case "scripthash":
      return checkNested(spend, kind.hash, rules);
    default:
      throw new RangeError("canSpend refuses every other kind");
  }
};
