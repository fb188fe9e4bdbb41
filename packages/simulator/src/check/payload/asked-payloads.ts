import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { z } from "zod";
import type { ReadPayload, ReadsPayload } from "./read-payload.ts";

/** The fields of an authorised transfer of a chain's native money that an observer compares. */
const authorisedSchema = z.object({
  kind: z.literal("transfer"),
  requestId: z.string(),
  keyId: z.string(),
  transfer: z.object({ kind: z.literal("Native"), to: z.string(), amount: z.string() }),
  dateAuthorised: z.string(),
});
type Authorised = z.output<typeof authorisedSchema>;

/** A command to sign on its way to a signer. */
export interface PassedPayload {
  readonly signer: PartyIndex;
  readonly keyId: string;
  readonly unsigned: Uint8Array;
  readonly authorisation: SignedAuthorisation;
}

/** A payload that a signer was asked to sign, as an observer reads it without the code of the cluster. */
export interface AskedPayload extends PassedPayload {
  readonly transaction: ReadPayload;
  /** undefined where the payload is of another kind */
  readonly authorised: Authorised | undefined;
}

const readAuthorised = ({ payload }: SignedAuthorisation): Authorised | undefined => {
  try {
    return authorisedSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
};

/** The payloads that signers were asked to sign, by signer and digest. Other code than the cluster's reads them, so that a bug of its own reader is found. */
export class AskedPayloads {
  readonly #readers: readonly ReadsPayload[];
  readonly #transactions = new Map<string, ReadPayload>();
  readonly #byDigest = new Map<string, Map<string, AskedPayload>>();

  /** @param readers of the chains of a world: a payload that none of them reads is of no digest */
  constructor(readers: readonly ReadsPayload[]) {
    this.#readers = readers;
  }

  /** Reads a command to sign; undefined where no reader knows its payload. */
  read(passed: PassedPayload): AskedPayload | undefined {
    const transaction = this.#transactionIn(passed.unsigned);
    if (transaction === undefined) return undefined;
    return { ...passed, transaction, authorised: readAuthorised(passed.authorisation) };
  }

  note(passed: PassedPayload): void {
    const transaction = this.#transactionIn(passed.unsigned);
    if (transaction === undefined) return;
    const { payload, signature } = passed.authorisation;
    const content = `${passed.keyId}/${bytesToHex(signature)}/${bytesToHex(payload)}`;
    for (const digest of transaction.digests) {
      const name = `${passed.signer}/${digest}`;
      const known = this.#byDigest.get(name) ?? new Map<string, AskedPayload>();
      this.#byDigest.set(name, known);
      if (known.has(content)) continue;
      known.set(content, { ...passed, transaction, authorised: readAuthorised(passed.authorisation) });
    }
  }

  /** Each payload is read once: it passes to several signers. */
  #transactionIn(unsigned: Uint8Array): ReadPayload | undefined {
    const name = bytesToHex(unsigned);
    const known = this.#transactions.get(name);
    if (known !== undefined) return known;
    for (const read of this.#readers) {
      const transaction = read(unsigned);
      if (transaction === undefined) continue;
      this.#transactions.set(name, transaction);
      return transaction;
    }
    return undefined;
  }

  /** All that a signer was asked to sign with this digest. */
  of(signer: PartyIndex, digest: string): readonly AskedPayload[] {
    return [...(this.#byDigest.get(`${signer}/${digest}`)?.values() ?? [])];
  }
}
