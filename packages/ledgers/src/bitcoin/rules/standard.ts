import { granted, type Ruling, refusedWith } from "../../ruling.ts";
import { type BitcoindFeeRate, feeAt } from "../fee-rate.ts";
import { isPushOnly, scriptSteps } from "../script/opcodes.ts";
import { isUnspendable, kindOfScript, witnessProgramOf } from "../script/script-kind.ts";
import { wireOutput, wireWithoutWitness } from "../transaction/encode.ts";
import type {
  BitcoindInput,
  BitcoindOutput,
  BitcoindSerialisedTransaction,
} from "../transaction/transaction.ts";

const MOST_WEIGHT = 400_000;
const LEAST_SIZE = 65;
const LAST_VERSION = 2;
const MOST_INPUT_SCRIPT = 1_650;
const MOST_DATA = 83;
const MOST_MULTISIG_KEYS = 3;
const WITNESS_SPEND = 67;
const LEGACY_SPEND = 148;
/** satoshis per 1,000 virtual bytes: an output must be worth more than the cost of spending it at this rate */
const DUST_RATE: BitcoindFeeRate = 3_000n;

/** @returns the minimum satoshis of an output. @source Bitcoin Core, src/policy/policy.cpp: GetDustThreshold */
export const dustThresholdOf = (output: BitcoindOutput): bigint => {
  if (isUnspendable(output.script)) return 0n;
  const spend = witnessProgramOf(output.script) === undefined ? LEGACY_SPEND : WITNESS_SPEND;
  return feeAt(DUST_RATE, wireOutput(output).length + spend);
};

export const isDustOutput = (output: BitcoindOutput): boolean => output.amount < dustThresholdOf(output);

const checkInput = ({ script }: BitcoindInput): Ruling<undefined> => {
  if (script.length > MOST_INPUT_SCRIPT) return refusedWith("scriptsig-size");
  const steps = scriptSteps(script);
  return steps !== undefined && isPushOnly(steps)
    ? granted(undefined)
    : refusedWith("scriptsig-not-pushonly");
};

const isStandardScript = (script: Uint8Array): boolean => {
  const kind = kindOfScript(script);
  switch (kind.kind) {
    case "nonstandard":
      return false;
    case "nulldata":
      return script.length <= MOST_DATA;
    case "multisig":
      return kind.keys <= MOST_MULTISIG_KEYS;
    default:
      return true;
  }
};

/** The relay policy that needs only the transaction itself. @source Bitcoin Core, src/policy/policy.cpp: IsStandardTx */
export const checkStandard = (transaction: BitcoindSerialisedTransaction): Ruling<undefined> => {
  const { version, inputs, outputs, weight } = transaction;
  if (version < 1 || version > LAST_VERSION) return refusedWith("version");
  if (weight > MOST_WEIGHT) return refusedWith("tx-size");
  for (const input of inputs) {
    const checked = checkInput(input);
    if (!checked.ok) return checked;
  }
  if (!outputs.every(({ script }) => isStandardScript(script))) return refusedWith("scriptpubkey");
  // Bitcoin Core allows one dust output, if the transaction pays no fee; no node relays such a transaction on its own
  if (outputs.filter(isDustOutput).length > 1) return refusedWith("dust");
  const data = outputs.filter(({ script }) => kindOfScript(script).kind === "nulldata");
  if (data.length > 1) return refusedWith("multi-op-return");
  return wireWithoutWitness(transaction).length < LEAST_SIZE
    ? refusedWith("tx-size-small")
    : granted(undefined);
};
