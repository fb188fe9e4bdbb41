import { type AuthorisedTransaction, networkSchema, type SchemeSignature } from "@conclave/custody";
import { schnorr } from "@noble/curves/secp256k1.js";
import { bytesToHex, concatBytes, hexToBytes } from "@noble/curves/utils.js";
import type { BitcoinCoin } from "../bitcoin/coins/coin.ts";
import type { BitcoinNetwork } from "../bitcoin/network.ts";
import { REPLACEABLE_SEQUENCE, TRANSACTION_VERSION } from "../bitcoin/read.ts";
import type { BitcoinTransaction, BitcoinTransfer } from "../bitcoin/rules/act.ts";
import { bitcoinAddress, bitcoinScript } from "../bitcoin/rules/address.ts";
import {
  decodePsbt,
  encodePsbt,
  NON_WITNESS_UTXO,
  PSBT_MAGIC,
  type Psbt,
  type PsbtInput,
  psbtField,
  transactionOf,
  UNSIGNED_TX,
  WITNESS_UTXO,
} from "../bitcoin/wire/psbt.ts";
import {
  type BareOutput,
  type BareTransaction,
  decodeTransaction,
  encodeOutput,
  encodeTransaction,
  encodeWitnessed,
  txidOf,
} from "../bitcoin/wire/transaction.ts";
import { testAccount } from "./account.ts";
import { authorisedActs } from "./acts/authorised-acts.ts";

export const BITCOIN_SIGNET: BitcoinNetwork = {
  network: networkSchema.parse("BitcoinSignet"),
  family: "Bitcoin",
  genesisHash: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
  bitcoindUrl: "http://127.0.0.1:9",
  finality: 6,
  feeCap: "100000",
};
const network = networkSchema.parse(BITCOIN_SIGNET.network);

/** A whole private key in one process, which only tests have, and its P2WPKH address. */
export const BITCOIN_KEY = testAccount("0b".repeat(32));
export const BITCOIN_SENDER: string = bitcoinAddress(network, BITCOIN_KEY.publicKey);
export const BITCOIN_RECIPIENT: string = bitcoinAddress(network, testAccount("0c".repeat(32)).publicKey);

export interface TestTaprootKey {
  /** BIP-341's output key: 32 bytes */
  readonly publicKey: Uint8Array;
  readonly address: string;
  sign(digest: Uint8Array): SchemeSignature;
}

/** A whole Taproot private key in one process. The secret belongs to the output key itself, as if it were already tweaked. */
export const testTaprootKey = (secretKeyHex: string): TestTaprootKey => {
  const secretKey = hexToBytes(secretKeyHex);
  const publicKey = schnorr.getPublicKey(secretKey);
  return {
    publicKey,
    address: bitcoinAddress(network, publicKey),
    sign: (digest) => ({ scheme: "FROST-Taproot", bytes: schnorr.sign(digest, secretKey) }),
  };
};
export const TAPROOT_KEY: TestTaprootKey = testTaprootKey("0d".repeat(32));

/** The output script of an address. */
export const paidTo = (address: string): Uint8Array => {
  const script = bitcoinScript(network, address);
  if (script === undefined) throw new Error(`${address} is no address of ${network}`);
  return script;
};

/** A transaction from a stranger that pays the wallet. @param salt changes the transaction's id */
export const fundingOf = (amounts: readonly bigint[], owner: string, salt = 0): BareTransaction => ({
  version: 2,
  inputs: [
    { outpoint: { txid: "ab".repeat(32), index: salt }, script: new Uint8Array(0), sequence: 0xffff_ffff },
  ],
  outputs: amounts.map((amount) => ({ amount, script: paidTo(owner) })),
  lockTime: 0,
});

/** Coins of an owner, one for each amount, each made by a different transaction. */
export const coinsOf = (amounts: readonly bigint[], owner = BITCOIN_SENDER): readonly BitcoinCoin[] =>
  amounts.map((amount, salt) => {
    const funding = fundingOf([amount], owner, salt);
    const isTaproot = paidTo(owner).length === paidTo(TAPROOT_KEY.address).length;
    const previous = isTaproot ? undefined : encodeTransaction(funding);
    return { outpoint: { txid: txidOf(funding), index: 0 }, amount, previous };
  });

/** An input as the service writes it. */
export const inputOf = ({ outpoint, amount, previous }: BitcoinCoin, owner = BITCOIN_SENDER): PsbtInput => ({
  outpoint,
  sequence: REPLACEABLE_SEQUENCE,
  coin: { amount, script: paidTo(owner) },
  previous,
  sighashType: undefined,
});

export const outputTo = (address: string, amount: bigint): BareOutput => ({
  amount,
  script: paidTo(address),
});

const COIN = 100_000n;
const PAID = 120_000n;
const FEE = 1_000n;

/** A payment with change from two coins, as the service writes it. */
export const samplePsbt = (change: Partial<Psbt> = {}, owner = BITCOIN_SENDER): Psbt => ({
  version: TRANSACTION_VERSION,
  lockTime: 800_000,
  inputs: coinsOf([COIN, COIN], owner).map((coin) => inputOf(coin, owner)),
  outputs: [outputTo(BITCOIN_RECIPIENT, PAID), outputTo(owner, 2n * COIN - PAID - FEE)],
  ...change,
});

export const BTC_TRANSFER: BitcoinTransfer = {
  kind: "Native",
  from: BITCOIN_SENDER,
  to: BITCOIN_RECIPIENT,
  amount: PAID.toString(),
};

const authorised = authorisedActs<BitcoinTransfer, BitcoinTransaction>(BITCOIN_SIGNET.network);
/** A transfer as the gateway authorises it. */
export const authorisedBitcoin = (transfer: BitcoinTransfer = BTC_TRANSFER, change: object = {}) =>
  authorised.ofTransfer(transfer, change);
/** A transaction as the gateway authorises it. */
export const authorisedBitcoinTransaction = authorised.ofTransaction;

/** A caller's own PSBT as the gateway authorises it. */
export const authorisedPsbt = (unsigned: Uint8Array, from = BITCOIN_SENDER): AuthorisedTransaction =>
  authorisedBitcoinTransaction({ kind: "Exact", from, unsigned: bytesToHex(unsigned) });

/** A caller's own PSBT, hex with 0x. */
export const psbtHex = (change: Partial<Psbt> = {}): string =>
  `0x${bytesToHex(encodePsbt(samplePsbt(change)))}`;

/** A PSBT in its one encoding. */
export const encodeSamplePsbt = (psbt: Psbt): Uint8Array => encodePsbt(psbt);

const PSBT_SEPARATOR = Uint8Array.of(0);
const WITNESS = [new Uint8Array(71).fill(0x30)];

/**
 * The same PSBT as earlier versions wrote it: each input of a P2WPKH wallet holds the whole previous transaction, with
 * witnesses.
 */
export const inEarlierEncoding = (unsigned: Uint8Array): Uint8Array => {
  const read = decodePsbt(unsigned);
  if (!read.ok) throw new Error(read.problem.message);
  const psbt = read.value;
  const field = (type: number, value: Uint8Array) => psbtField(Uint8Array.of(type), value);
  const maps = psbt.inputs.map(({ coin, previous }) => {
    if (previous === undefined) throw new Error("a coin of a P2WPKH wallet has the transaction that made it");
    const made = decodeTransaction(previous);
    const witnessed = encodeWitnessed(
      made,
      made.inputs.map(() => WITNESS),
    );
    return concatBytes(
      field(NON_WITNESS_UTXO, witnessed),
      field(WITNESS_UTXO, encodeOutput(coin)),
      PSBT_SEPARATOR,
    );
  });
  return concatBytes(
    PSBT_MAGIC,
    field(UNSIGNED_TX, encodeTransaction(transactionOf(psbt))),
    PSBT_SEPARATOR,
    ...maps,
    ...psbt.outputs.map(() => PSBT_SEPARATOR),
  );
};
