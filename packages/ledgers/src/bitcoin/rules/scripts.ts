import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { isPushOnly, scriptSteps } from "../script/opcodes.ts";
import { kindOfScript, witnessProgramOf } from "../script/script-kind.ts";
import { canSpend, checkSpend } from "../signature/spend.ts";
import type {
  BitcoindInput,
  BitcoindOutput,
  BitcoindSerialisedTransaction,
} from "../transaction/transaction.ts";

const ANNEX_TAG = 0x50;

/** The redeem script of a P2SH input; undefined if its script does not only push data. */
const redeemScriptOf = ({ script }: BitcoindInput): Uint8Array | undefined => {
  const steps = scriptSteps(script);
  return steps !== undefined && isPushOnly(steps) ? steps.at(-1)?.data : undefined;
};

/**
 * Standard inputs have a witness only where they spend a witness program, and no annex. @source Bitcoin Core,
 * src/policy/policy.cpp: IsWitnessStandard
 */
const isWitnessStandard = (input: BitcoindInput, { script }: BitcoindOutput): boolean => {
  const { witness } = input;
  if (witness.length === 0) return true;
  const { kind } = kindOfScript(script);
  const asked = kind === "scripthash" ? redeemScriptOf(input) : script;
  if (kind === "anchor" || asked === undefined || witnessProgramOf(asked) === undefined) return false;
  const hasAnnex = witness.length > 1 && witness.at(-1)?.[0] === ANNEX_TAG;
  return !(kind === "witness_v1_taproot" && hasAnnex);
};

/** @source Bitcoin Core, src/policy/policy.cpp: AreInputsStandard */
const isInputStandard = (input: BitcoindInput, { script }: BitcoindOutput): boolean => {
  const { kind } = kindOfScript(script);
  if (kind === "nonstandard" || kind === "witness_unknown") return false;
  return kind !== "scripthash" || redeemScriptOf(input) !== undefined;
};

/** Whether a node's relay policy accepts the inputs. @param spent the outputs that they spend, in their order */
export const checkInputsStandard = (
  { inputs }: BitcoindSerialisedTransaction,
  spent: readonly BitcoindOutput[],
): Ruling<undefined> => {
  const pairs = inputs.flatMap((input, at): readonly (readonly [BitcoindInput, BitcoindOutput])[] => {
    const output = spent[at];
    return output === undefined ? [] : [[input, output]];
  });
  if (!pairs.every(([input, output]) => isInputStandard(input, output))) {
    return refusedWith("bad-txns-nonstandard-inputs");
  }
  return pairs.every(([input, output]) => isWitnessStandard(input, output))
    ? granted(undefined)
    : refusedWith("bad-witness-nonstandard");
};

/**
 * Whether all signatures are valid. A breach of relay policy is reported differently from one of consensus.
 * @param spent the outputs that the inputs spend, in their order
 * @source Bitcoin Core, src/validation.cpp: CheckInputScripts
 */
export const checkScripts = (
  transaction: BitcoindSerialisedTransaction,
  spent: readonly BitcoindOutput[],
): Ruling<undefined> => {
  for (const [at, { txid, index }] of transaction.inputs.entries()) {
    const spend = { transaction, at, spent };
    const known = canSpend(spend);
    if (!known.ok) return known;
    const standard = checkSpend(spend, "standard");
    if (standard === undefined) continue;
    const mandatory = checkSpend(spend, "mandatory");
    const where = `input ${at} of ${transaction.txid} (wtxid ${transaction.wtxid}), spending ${txid}:${index}`;
    return refusedWith(
      mandatory === undefined
        ? `non-mandatory-script-verify-flag (${standard}), ${where}`
        : `mandatory-script-verify-flag-failed (${mandatory}), ${where}`,
    );
  }
  return granted(undefined);
};
