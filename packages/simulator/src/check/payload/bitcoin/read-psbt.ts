import { bytesToHex } from "@noble/hashes/utils.js";
import { address, type Network, Psbt, payments, Transaction } from "bitcoinjs-lib";
import type { ReadPayload, ReadsPayload } from "../read-payload.ts";

const MAGIC = [0x70, 0x73, 0x62, 0x74, 0xff];

/** A coin that a transaction spends, as the transaction that made it proves. */
interface ProvedCoin {
  /** transaction and index */
  readonly name: string;
  readonly amount: bigint;
  readonly script: string;
}

/**
 * Reads PSBTs whose inputs are P2WPKH coins of one wallet, by bitcoinjs-lib. Outputs to the script of these coins are change.
 * @param feeMax satoshis
 */
export const readsPsbt =
  (network: Network, feeMax: bigint): ReadsPayload =>
  (unsigned) => {
    if (!MAGIC.every((byte, at) => unsigned[at] === byte)) return undefined;
    try {
      return readIn(unsigned, network, feeMax);
    } catch {
      // the library throws for bytes that it cannot read
      return undefined;
    }
  };

const readIn = (unsigned: Uint8Array, network: Network, feeMax: bigint): ReadPayload => {
  const psbt = Psbt.fromBuffer(unsigned, { network });
  const transaction = Transaction.fromBuffer(psbt.data.globalMap.unsignedTx.toBuffer());
  // a transaction that made several of the coins is there once
  const makers = new Map(
    psbt.data.inputs.flatMap(({ nonWitnessUtxo }) => {
      const made = nonWitnessUtxo && Transaction.fromBuffer(nonWitnessUtxo);
      return made === undefined ? [] : [[bytesToHex(made.getHash()), made] as const];
    }),
  );
  const coins = psbt.txInputs.map(({ hash, index }) => provedCoin(makers.get(bytesToHex(hash)), index));
  const [own = ""] = coins.map(({ script }) => script);
  const paid = psbt.txOutputs.filter(({ script }) => bytesToHex(script) !== own);
  const [first] = paid;
  const fee =
    coins.reduce((sum, { amount }) => sum + amount, 0n) -
    psbt.txOutputs.reduce((sum, { value }) => sum + value, 0n);
  return {
    digests: coins.map(({ amount }, at) =>
      bytesToHex(transaction.hashForWitnessV0(at, keyHashScript(own), amount, Transaction.SIGHASH_ALL)),
    ),
    to: first === undefined ? undefined : address.fromOutputScript(first.script, network),
    amount: first?.value ?? 0n,
    strange: strangeIn({ coins, paid: paid.length, fee, feeMax }),
    takes: coins.map(({ name }) => name),
  };
};

const strangeIn = ({
  coins,
  paid,
  fee,
  feeMax,
}: {
  readonly coins: readonly ProvedCoin[];
  readonly paid: number;
  readonly fee: bigint;
  readonly feeMax: bigint;
}): string | undefined => {
  if (new Set(coins.map(({ script }) => script)).size !== 1) return "coins of several owners";
  if (paid !== 1) return `${paid} payments`;
  return fee < 0n || fee > feeMax ? `a fee of ${fee}` : undefined;
};

/** @throws where no transaction proves the coin */
const provedCoin = (made: Transaction | undefined, index: number): ProvedCoin => {
  const output = made?.outs[index];
  if (made === undefined || output === undefined) throw new Error("a coin is not proved");
  const name = `${made.getId()}:${index}`;
  return { name, amount: output.value, script: bytesToHex(output.script) };
};

/** The script that a signature of a P2WPKH coin signs (BIP-143). @param script of the coin, hex @throws for another kind */
const keyHashScript = (script: string): Uint8Array => {
  const { hash } = payments.p2wpkh({ output: Buffer.from(script, "hex") });
  const signed = hash && payments.p2pkh({ hash }).output;
  if (signed === undefined) throw new Error("a coin is of another kind");
  return signed;
};
