/** An output of an earlier transaction. */
export interface BitcoindOutpoint {
  /** in text form: the digest's bytes reversed, in hex */
  readonly txid: string;
  readonly index: number;
}

export interface BitcoindInput extends BitcoindOutpoint {
  /** scriptSig */
  readonly script: Uint8Array;
  readonly sequence: number;
  readonly witness: readonly Uint8Array[];
}

export interface BitcoindOutput {
  /** satoshis; signed 64 bits on the wire */
  readonly amount: bigint;
  /** scriptPubKey */
  readonly script: Uint8Array;
}

export interface BitcoindTransaction {
  /** unsigned 32 bits */
  readonly version: number;
  readonly inputs: readonly BitcoindInput[];
  readonly outputs: readonly BitcoindOutput[];
  readonly lockTime: number;
}

/** A transaction with its ids, bytes and sizes. */
export interface BitcoindSerialisedTransaction extends BitcoindTransaction {
  readonly txid: string;
  readonly wtxid: string;
  /** with witnesses */
  readonly bytes: Uint8Array;
  /** three times the size without witnesses, and the size with them (BIP-141) */
  readonly weight: number;
  /** a fourth of the weight, rounded up */
  readonly virtualSize: number;
}

/** The key of an output in maps. */
export const outpointKey = ({ txid, index }: BitcoindOutpoint): string => `${txid}:${index}`;

const NO_OUTPOINT = `${"0".repeat(64)}:${0xffffffff}`;

export const isRewardTransaction = ({ inputs }: BitcoindTransaction): boolean =>
  inputs.length === 1 && inputs.every((input) => outpointKey(input) === NO_OUTPOINT);

export const hasWitness = ({ inputs }: BitcoindTransaction): boolean =>
  inputs.some(({ witness }) => witness.length > 0);
