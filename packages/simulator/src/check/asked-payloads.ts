import type { SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex } from "@conclave/threshold";
import { bytesToHex } from "@noble/hashes/utils.js";
import { Transaction } from "ethers";
import { z } from "zod";

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
  /** undefined where ethers cannot read the bytes */
  readonly transaction: Transaction | undefined;
  /** undefined where the payload is of another kind */
  readonly authorised: Authorised | undefined;
}

const readTransaction = (unsigned: Uint8Array): Transaction | undefined => {
  try {
    return Transaction.from(`0x${bytesToHex(unsigned)}`);
  } catch {
    return undefined;
  }
};

const readAuthorised = ({ payload }: SignedAuthorisation): Authorised | undefined => {
  try {
    return authorisedSchema.safeParse(JSON.parse(new TextDecoder().decode(payload))).data;
  } catch {
    return undefined;
  }
};

/** The payloads that signers were asked to sign, by signer and digest. ethers reads them, so that a bug of the cluster's own reader is found. */
export class AskedPayloads {
  readonly #byDigest = new Map<string, Map<string, AskedPayload>>();

  note(passed: PassedPayload): void {
    const transaction = readTransaction(passed.unsigned);
    if (transaction === undefined) return;
    const name = `${passed.signer}/${transaction.unsignedHash.slice(2)}`;
    const known = this.#byDigest.get(name) ?? new Map<string, AskedPayload>();
    this.#byDigest.set(name, known);
    const { payload, signature } = passed.authorisation;
    const content = `${passed.keyId}/${bytesToHex(signature)}/${bytesToHex(payload)}`;
    if (known.has(content)) return;
    known.set(content, { ...passed, transaction, authorised: readAuthorised(passed.authorisation) });
  }

  /** All that a signer was asked to sign with this digest. */
  of(signer: PartyIndex, digest: string): readonly AskedPayload[] {
    return [...(this.#byDigest.get(`${signer}/${digest}`)?.values() ?? [])];
  }
}
