import { fail, ok, type Result } from "@conclave/custody";
import { sha512_256 } from "@noble/hashes/sha2.js";
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base32nopad, base64 } from "@scure/base";
import { algorandAddress, algorandPublicKey } from "./rules/address.ts";
import { decodeWire, encodeWire, type WireTransaction } from "./wire.ts";

/** Most rounds between a transaction's first and last valid round (consensus parameter MaxTxnLife). */
export const VALIDITY_ROUNDS_MAX = 1_000n;

/** The prefix of a transaction's bytes when they are hashed or signed. */
const DOMAIN: Uint8Array = utf8ToBytes("TX");

/** The moved asset: microalgos, or units of an asset. */
export type AlgorandPayment =
  | { readonly type: "pay"; readonly to: string; readonly amount: bigint }
  | { readonly type: "axfer"; readonly to: string; readonly amount: bigint; readonly assetId: bigint };

export interface AlgorandDraft {
  readonly from: string;
  /** microalgos */
  readonly fee: bigint;
  /** rounds, both included */
  readonly firstValid: bigint;
  readonly lastValid: bigint;
  /** optional on the wire: the genesis hash names the chain */
  readonly genesisId: string | undefined;
  /** base64 */
  readonly genesisHash: string;
  /** 32 bytes; no other transaction of the sender with the same lease lands while this one holds it */
  readonly lease: Uint8Array | undefined;
  readonly payment: AlgorandPayment;
}

const positive = (value: bigint): bigint | undefined => (value === 0n ? undefined : value);

const wireOf = ({ payment, ...draft }: AlgorandDraft): object => ({
  fee: positive(draft.fee),
  fv: positive(draft.firstValid),
  lv: positive(draft.lastValid),
  gen: draft.genesisId,
  gh: base64.decode(draft.genesisHash),
  lx: draft.lease,
  snd: algorandPublicKey(draft.from),
  type: payment.type,
  ...(payment.type === "pay"
    ? { amt: positive(payment.amount), rcv: algorandPublicKey(payment.to) }
    : {
        aamt: positive(payment.amount),
        arcv: algorandPublicKey(payment.to),
        xaid: payment.assetId,
      }),
});

/** The unsigned bytes of a transaction. @throws TypeError for addresses that were not validated */
export const encodeAlgorand = (draft: AlgorandDraft): Uint8Array => encodeWire(wireOf(draft));

const paymentOf = (wire: WireTransaction): AlgorandPayment =>
  wire.type === "pay"
    ? { type: "pay", to: algorandAddress(wire.rcv), amount: wire.amt ?? 0n }
    : {
        type: "axfer",
        to: algorandAddress(wire.arcv),
        amount: wire.aamt ?? 0n,
        assetId: wire.xaid,
      };

const unreadable = (why: string): Result<never> =>
  fail("TransactionUnreadable", {}, `The transaction cannot be read: ${why}.`);

/**
 * Reads unsigned bytes: payments and asset transfers only.
 * @returns TransactionUnreadable for anything but the canonical encoding of one of these, or when it can never land
 */
export const decodeAlgorand = (unsigned: Uint8Array): Result<AlgorandDraft> => {
  const decoded = decodeWire(unsigned);
  if (!decoded.ok) return unreadable(decoded.why);
  const { wire } = decoded;
  const firstValid = wire.fv ?? 0n;
  if (firstValid > wire.lv) return unreadable("its last round (lv) is before its first (fv)");
  if (wire.lv - firstValid > VALIDITY_ROUNDS_MAX) {
    return unreadable(`it is valid for more than ${VALIDITY_ROUNDS_MAX} rounds`);
  }
  return ok({
    from: algorandAddress(wire.snd),
    fee: wire.fee,
    firstValid,
    lastValid: wire.lv,
    genesisId: wire.gen,
    genesisHash: base64.encode(wire.gh),
    lease: wire.lx,
    payment: paymentOf(wire),
  });
};

/** The bytes to sign: the transaction after its domain prefix. */
export const bytesToSign = (unsigned: Uint8Array): Uint8Array => concatBytes(DOMAIN, unsigned);

/** The transaction's id on the chain; it does not depend on the signature. */
export const algorandId = (unsigned: Uint8Array): string =>
  base32nopad.encode(sha512_256(bytesToSign(unsigned)));
