import { ed25519 } from "@noble/curves/ed25519.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesOfAddress, type HorizonAddress } from "../address.ts";
import type { HorizonSignerKey } from "../xdr/account.ts";
import type { HorizonSignature } from "../xdr/envelope.ts";
import type { HorizonAccount } from "../xdr/ledger-entry.ts";

const SIGNATURE_BYTES = 64;
const HINT_BYTES = 4;
/** The maximum weight of a signer that counts. */
const MOST_WEIGHT = 255;

interface Weighed {
  readonly key: HorizonSignerKey;
  readonly weight: number;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

const verifies = (signature: Uint8Array, message: Uint8Array, key: HorizonAddress): boolean =>
  signature.length === SIGNATURE_BYTES &&
  ed25519.verify(signature, message, bytesOfAddress(key), { zip215: false });

const hintOf = (bytes: Uint8Array): Uint8Array => bytes.subarray(-HINT_BYTES);

const hintOfPayload = (key: HorizonAddress, payload: Uint8Array): Uint8Array => {
  const last = new Uint8Array(HINT_BYTES);
  last.set(payload.subarray(-HINT_BYTES));
  return hintOf(bytesOfAddress(key)).map((byte, at) => byte ^ (last[at] ?? 0));
};

const ORDER: readonly HorizonSignerKey["type"][] = ["hash", "ed25519", "signedPayload"];

/** The signers of an account: its own key, unless its weight is 0, and the added ones. */
const signersOf = ({ address, thresholds, signers }: HorizonAccount): readonly Weighed[] => {
  const weight = thresholds[0] ?? 0;
  const own = weight === 0 ? [] : [{ key: { type: "ed25519" as const, value: address }, weight }];
  return [...own, ...signers];
};

/**
 * Checks the signatures of one transaction against accounts, and records which ones were used.
 * @source stellar-core, SignatureChecker.cpp
 */
export class SignatureCheck {
  readonly #hash: Uint8Array;
  readonly #signatures: readonly HorizonSignature[];
  readonly #used = new Set<HorizonSignature>();
  readonly #verified = new Map<HorizonSignature, Map<HorizonAddress, boolean>>();

  /** @param hash the hash that was signed */
  constructor(hash: Uint8Array, signatures: readonly HorizonSignature[]) {
    this.#hash = hash;
    this.#signatures = signatures;
  }

  /** Whether a signature belongs to a signer. A pre-authorised transaction needs no signature. */
  #isSigned(given: HorizonSignature, key: HorizonSignerKey): boolean {
    const { hint, signature } = given;
    switch (key.type) {
      case "ed25519":
        return isSame(hint, hintOf(bytesOfAddress(key.value))) && this.#verifies(given, key.value);
      case "hash":
        return isSame(hint, hintOf(key.value)) && isSame(sha256(signature), key.value);
      case "signedPayload": {
        const { key: signer, payload } = key.value;
        return isSame(hint, hintOfPayload(signer, payload)) && verifies(signature, payload, signer);
      }
      case "preAuthorized":
        return false;
    }
  }

  /** Verifies a signature, once per key: several operations may need the same one. */
  #verifies(given: HorizonSignature, key: HorizonAddress): boolean {
    const known = this.#verified.get(given) ?? new Map<HorizonAddress, boolean>();
    const isGood = known.get(key) ?? verifies(given.signature, this.#hash, key);
    this.#verified.set(given, known.set(key, isGood));
    return isGood;
  }

  get areAllUsed(): boolean {
    return this.#used.size === this.#signatures.length;
  }

  /** @param threshold the required sum of the signers' weights; 0 still requires one signer */
  satisfies(account: HorizonAccount, threshold: number): boolean {
    return this.#reaches(signersOf(account), threshold);
  }

  /** Whether an account that does not exist yet signed: its own key is the only possible signer. */
  satisfiesKey(address: HorizonAddress): boolean {
    return this.satisfiesSigner({ type: "ed25519", value: address });
  }

  satisfiesSigner(key: HorizonSignerKey): boolean {
    return this.#reaches([{ key, weight: 1 }], 0);
  }

  #reaches(signers: readonly Weighed[], threshold: number): boolean {
    let total = 0;
    const counts = ({ weight }: Weighed): boolean => {
      total += Math.min(weight, MOST_WEIGHT);
      return total >= threshold;
    };
    for (const signer of signers) {
      const isMeant = signer.key.type === "preAuthorized" && isSame(signer.key.value, this.#hash);
      if (isMeant && counts(signer)) return true;
    }
    for (const kind of ORDER) {
      const left = signers.filter(({ key }) => key.type === kind);
      for (const signature of this.#signatures) {
        const at = left.findIndex(({ key }) => this.#isSigned(signature, key));
        const signer = left[at];
        if (signer === undefined) continue;
        this.#used.add(signature);
        left.splice(at, 1);
        if (counts(signer)) return true;
      }
    }
    return false;
  }
}
