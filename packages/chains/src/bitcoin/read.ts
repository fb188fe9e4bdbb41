import {
  type Act,
  fail,
  networkSchema,
  ok,
  type Result,
  type Signable,
  type TransactionReading,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import { payingForThemselves } from "./coins/choose.ts";
import { feeCapWith } from "./coins/fees.ts";
import { inputsMax } from "./coins/limits.ts";
import { STANDARD_WEIGHT_MAX, signedWeight, virtualSize } from "./coins/size.ts";
import { effectsOfPsbt } from "./effects.ts";
import { bitcoinExclusion } from "./exclusion.ts";
import type { ReadableBitcoin } from "./network.ts";
import { parseBitcoinTransaction, parseBitcoinTransfer } from "./parse-content.ts";
import { bitcoinScript } from "./rules/address.ts";
import { bitcoinAddressPaid, bitcoinDustLimit, bitcoinScriptType } from "./rules/script.ts";
import {
  decodePsbt,
  feeOfPsbt,
  isCanonicalPsbt,
  type Psbt,
  type PsbtInput,
  unreadablePsbt,
} from "./wire/psbt.ts";
import { SIGHASH_ALL, SIGHASH_DEFAULT, segwitDigests, taprootDigests } from "./wire/sighash.ts";
import type { BareOutput } from "./wire/transaction.ts";

/** Relative locks need this version or a later one (BIP-68). */
export const TRANSACTION_VERSION = 2;
/** Lets a replacement with a higher fee take the transaction's place (BIP-125), and sets no relative lock. */
export const REPLACEABLE_SEQUENCE = 0xffff_fffd;
/** Lock times up to this are block heights, those above are times. */
const HEIGHT_MAX = 499_999_999;

/** A transaction that the service builds has one fixed form. */
const formMismatch = ({ version, lockTime, inputs }: Psbt): Mismatch | undefined =>
  mustEqual("version", version, TRANSACTION_VERSION) ??
  mustEqual("lockTime", lockTime, Math.min(lockTime, HEIGHT_MAX)) ??
  inputs.reduce<Mismatch | undefined>(
    (found, { sequence }, at) => found ?? mustEqual(`inputs.${at}.sequence`, sequence, REPLACEABLE_SEQUENCE),
    undefined,
  );

const outputMismatch = (at: number, output: BareOutput | undefined, script: Uint8Array, amount: string) =>
  mustEqual(`outputs.${at}.amount`, output?.amount ?? "none", amount) ??
  mustEqual(`outputs.${at}.script`, bytesToHex(output?.script ?? new Uint8Array(0)), bytesToHex(script));

/** All change goes to one output above the dust limit, or there is no change output. */
const changeMismatch = (
  at: number,
  outputs: readonly BareOutput[],
  own: Uint8Array,
): Mismatch | undefined => {
  const change = outputs[at];
  const least = bitcoinDustLimit(own);
  return (
    mustEqual("outputs", outputs.length, Math.min(outputs.length, at + 1)) ??
    (change === undefined
      ? undefined
      : (mustEqual(`outputs.${at}.script`, bytesToHex(change.script), bytesToHex(own)) ??
        mustEqual(`outputs.${at}.change`, change.amount < least ? "dust" : "spendable", "spendable")))
  );
};

interface Authorised {
  /** the wallet's own script */
  readonly own: Uint8Array;
  readonly mismatch: Mismatch | undefined;
  /** satoshis: the highest fee, if it is bounded below the network's cap */
  readonly maxFee?: bigint;
}

/** The script of an authorised address; an address of another network has none. */
export const scriptOf = (network: string, field: string, address: string): Result<Uint8Array> => {
  const script = bitcoinScript(networkSchema.parse(network), address);
  return script === undefined
    ? refuseMismatch({ field, is: `no address of ${network}`, authorised: address })
    : ok(script);
};

interface AuthorisedPayment {
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly maxFee?: string | undefined;
}

const paymentMismatch = (
  network: string,
  psbt: Psbt,
  { from, to, amount, maxFee }: AuthorisedPayment,
): Result<Authorised> => {
  const own = scriptOf(network, "from", from);
  if (!own.ok) return own;
  const paid = scriptOf(network, "to", to);
  if (!paid.ok) return paid;
  const mismatch =
    formMismatch(psbt) ??
    outputMismatch(0, psbt.outputs[0], paid.value, amount) ??
    changeMismatch(1, psbt.outputs, own.value);
  return ok({ own: own.value, mismatch, ...bounded(maxFee) });
};

const bounded = (maxFee: string | undefined): Pick<Authorised, "maxFee"> =>
  maxFee === undefined ? {} : { maxFee: BigInt(maxFee) };

/** All outputs go back to the wallet. */
const returnMismatch = (network: string, psbt: Psbt, address: string): Result<Authorised> => {
  const own = scriptOf(network, "from", address);
  if (!own.ok) return own;
  const mismatch =
    formMismatch(psbt) ??
    mustEqual("outputs", psbt.outputs.length, 1) ??
    changeMismatch(0, psbt.outputs, own.value);
  return ok({ own: own.value, mismatch });
};

interface AuthorisedGathering {
  readonly from: string;
  readonly maxFee?: string | undefined;
  readonly maxFeeRate?: string | undefined;
}

/**
 * With an authorised rate, the highest fee is that rate for the transaction's size, and each coin must hold more than it costs.
 */
const gatheringMismatch = (
  network: string,
  psbt: Psbt,
  { from, maxFee, maxFeeRate }: AuthorisedGathering,
): Result<Authorised> => {
  const returned = returnMismatch(network, psbt, from);
  if (!returned.ok) return returned;
  const { own, mismatch } = returned.value;
  const bounds = bounded(maxFee);
  if (mismatch !== undefined || maxFeeRate === undefined) return ok({ own, mismatch, ...bounds });
  const rate = BigInt(maxFeeRate);
  const most = rate * virtualSize(psbt.inputs.length, own, [own]);
  const { maxFee: whole = most } = bounds;
  return ok({ own, mismatch: costlyCoin(psbt, own, rate), maxFee: whole < most ? whole : most });
};

/** The first coin that holds no more than it adds to the fee. @param rate satoshis a virtual byte */
const costlyCoin = ({ inputs }: Psbt, own: Uint8Array, rate: bigint): Mismatch | undefined => {
  const at = inputs.findIndex(({ coin }) => payingForThemselves(own, rate, [coin]).length === 0);
  return at < 0 ? undefined : mustEqual(`inputs.${at}.amount`, "less than it costs", "more than it costs");
};

const exactMismatch = (
  { network }: ReadableBitcoin,
  unsigned: Uint8Array,
  authorised: { readonly from: string; readonly unsigned: string },
): Result<Authorised> => {
  const own = scriptOf(network, "from", authorised.from);
  if (!own.ok) return own;
  return ok({ own: own.value, mismatch: mustEqual("psbt", bytesToHex(unsigned), authorised.unsigned) });
};

const actMismatch = (
  network: ReadableBitcoin,
  unsigned: Uint8Array,
  psbt: Psbt,
  act: Act,
): Result<Authorised> => {
  if (act.kind === "transfer") {
    const transfer = parseBitcoinTransfer(act.transfer);
    return transfer.ok ? paymentMismatch(network.network, psbt, transfer.value) : transfer;
  }
  const transaction = parseBitcoinTransaction(act.transaction);
  if (!transaction.ok) return transaction;
  switch (transaction.value.kind) {
    case "SpeedUp":
      return paymentMismatch(network.network, psbt, transaction.value);
    case "Cancel":
      return returnMismatch(network.network, psbt, transaction.value.from);
    case "Consolidate":
      return gatheringMismatch(network.network, psbt, transaction.value);
    case "Exact":
      return exactMismatch(network, unsigned, transaction.value);
  }
};

/** Checks whether the act may replace transactions: a caller's own bytes never do; a speed-up or cancellation must. */
const replacesMismatch = (act: Act): Mismatch | undefined => {
  if (act.kind === "transfer") return undefined;
  const count = act.replaces?.length ?? 0;
  switch (act.transaction.kind) {
    case "SpeedUp":
    case "Cancel":
      return mustEqual("replaces", count, Math.max(count, 1));
    case "Consolidate":
      return undefined;
    default:
      return mustEqual("replaces", count, 0);
  }
};

/**
 * The signer's own reading of a PSBT (INV-3): it must be the one encoding of exactly the authorised content. All its coins are
 * the wallet's; each is proved by the transaction that made it, unless the signature hash commits to all amounts (BIP-143 does
 * not). Its outputs are the authorised recipient with the authorised amount, and change to the wallet's own address; the rest
 * is a fee below the network's cap.
 * @param network the entry of the reader's own networks file
 * @param unsigned the whole PSBT as it was received
 * @param act the authorised content; signers have verified the authority's signature over it
 * @returns a signature hash for each input, in their order; TransactionUnreadable, TransactionMismatch (details.field) or
 * FeeAboveCap
 */
export const readBitcoinTransaction = (
  network: ReadableBitcoin,
  unsigned: Uint8Array,
  act: Act,
): Result<TransactionReading> => {
  const decoded = decodePsbt(unsigned);
  if (!decoded.ok) return decoded;
  if (!isCanonicalPsbt(decoded.value, unsigned)) return unreadablePsbt("it is not in its one encoding");
  const frame =
    mustEqual("network", network.network, act.network) ??
    mustEqual("cosigners", act.cosigners.length, 0) ??
    replacesMismatch(act);
  if (frame !== undefined) return refuseMismatch(frame);
  const authorised = actMismatch(network, unsigned, decoded.value, act);
  if (!authorised.ok) return authorised;
  const { own, mismatch, maxFee } = authorised.value;
  if (mismatch !== undefined) return refuseMismatch(mismatch);
  return readPsbt({ ...network, feeCap: feeCapWith(network.feeCap, maxFee) }, decoded.value, own);
};

const coinMismatch = (
  { coin, previous, sighashType }: PsbtInput,
  at: number,
  own: Uint8Array,
): Mismatch | undefined => {
  const isTaproot = bitcoinScriptType(own) === "P2TR";
  const usual = isTaproot ? SIGHASH_DEFAULT : SIGHASH_ALL;
  const isProved = isTaproot || previous !== undefined;
  return (
    mustEqual(`inputs.${at}.script`, bytesToHex(coin.script), bytesToHex(own)) ??
    mustEqual(`inputs.${at}.sighashType`, sighashType ?? usual, usual) ??
    mustEqual(`inputs.${at}.previous`, isProved ? "there" : "missing", "there")
  );
};

/** Why a transaction exceeds the limit of inputs or of weight; undefined when it does not. */
const whyTooLarge = (inputs: number, own: Uint8Array, paid: readonly Uint8Array[]): string | undefined => {
  if (inputs > inputsMax(own)) {
    return `it spends ${inputs} coins, and one transaction of such a wallet spends at most ${inputsMax(own)}`;
  }
  const weight = signedWeight(inputs, own, paid);
  return weight > STANDARD_WEIGHT_MAX
    ? `it will weigh ${weight} weight units, and nodes relay at most ${STANDARD_WEIGHT_MAX}`
    : undefined;
};

/** The hashes to sign; the wallet's script determines their form, BIP-143 or BIP-341. */
const signablesOf = (psbt: Psbt, own: Uint8Array): readonly Signable[] | undefined => {
  switch (bitcoinScriptType(own)) {
    case "P2WPKH":
      return segwitDigests(psbt).map((bytes) => ({ scheme: "CGGMP24", bytes }));
    case "P2TR":
      return taprootDigests(psbt).map((bytes) => ({ scheme: "FROST-Taproot", bytes }));
    default:
      return undefined;
  }
};

/**
 * The reading of a PSBT that may be signed.
 * @param own the script of the one wallet whose coins it spends
 * @returns TransactionMismatch for any other coin, TransactionUnreadable for an output that has no address, FeeAboveCap
 */
export const readPsbt = (
  network: ReadableBitcoin,
  psbt: Psbt,
  own: Uint8Array,
): Result<TransactionReading> => {
  for (const [at, input] of psbt.inputs.entries()) {
    const mismatch = coinMismatch(input, at, own);
    if (mismatch !== undefined) return refuseMismatch(mismatch);
  }
  const scripts = psbt.outputs.map(({ script }) => script);
  const why = whyTooLarge(psbt.inputs.length, own, scripts);
  if (why !== undefined) return unreadablePsbt(why);
  const name = networkSchema.parse(network.network);
  const nameless = psbt.outputs.findIndex(({ script }) => bitcoinAddressPaid(name, script) === undefined);
  if (nameless >= 0) return unreadablePsbt(`output ${nameless} pays to a script that has no address`);
  if (psbt.outputs.length === 0) return unreadablePsbt("it pays nobody");
  const fee = feeOfPsbt(psbt);
  if (fee < 0n) return unreadablePsbt("it pays more than it spends");
  if (fee > BigInt(network.feeCap)) {
    return fail("FeeAboveCap", { fee: fee.toString(), feeCap: network.feeCap });
  }
  const signables = signablesOf(psbt, own);
  if (signables === undefined) return unreadablePsbt("its coins are of no kind that a wallet has");
  return ok({
    signables,
    exclusion: bitcoinExclusion(psbt.inputs.map(({ outpoint }) => outpoint)),
    // a Bitcoin transaction may land at any time: only the authority can say that it is dead
    deadlineMs: undefined,
    fee,
    effects: effectsOfPsbt(network, psbt),
  });
};
