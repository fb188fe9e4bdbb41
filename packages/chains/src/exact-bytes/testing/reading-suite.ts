import type { Act, AuthorisedTransaction, Result, TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import type { ChainFamily, NetworkEntry } from "../../chain.ts";

/** A family, a network of it, and a transfer that its readings are tried with. */
export interface ReadCase<Entry extends NetworkEntry, Draft> {
  readonly family: Pick<ChainFamily<Entry>, "read" | "readContent">;
  readonly entry: Entry;
  encode(draft: Draft): Uint8Array;
  /** the authorised transfer */
  readonly act: Act;
}

/** The readings of one network, each of the authorised transfer where no other act is named. */
export const readingsOf = <Entry extends NetworkEntry, Draft>({
  family,
  entry,
  encode,
  act: usual,
}: ReadCase<Entry, Draft>) => {
  const said = (result: Result<unknown>): string =>
    result.ok ? "ok" : `${result.problem.code} ${String(result.problem.details["field"] ?? "")}`.trim();
  const read = (draft: Draft, act: Act) => family.read(entry, encode(draft), act);
  const content = (draft: Draft, change: object = {}) => ({
    kind: "transaction",
    network: entry.network,
    transaction: bytesToHex(encode(draft)),
    ...change,
  });
  const readContent = (draft: Draft, change?: object) => family.readContent([entry], content(draft, change));
  return {
    /** "ok", or the code of a refusal and its field */
    said,
    readOf: (draft: Draft, act: Act = usual): string => said(read(draft, act)),
    reading: (draft: Draft, act: Act = usual): TransactionReading => {
      const given = read(draft, act);
      return given.ok ? given.value : expect.fail(given.problem.message);
    },
    /** of a transaction that is signed and not sent */
    readContent,
    readContentOf: (draft: Draft, change?: object): string => said(readContent(draft, change)),
  };
};

/** The facts that every reading of a family is tried with. */
export interface ReadingCase<Entry extends NetworkEntry, Draft> extends ReadCase<Entry, Draft> {
  /** a network of the family that the entry is not of */
  readonly elsewhere: string;
  /** the act of the same transfer, or of what it is changed to */
  authorised(change: object): Act;
  authorisedBytes(unsigned: Uint8Array, change?: object): AuthorisedTransaction;
  /** a draft of the transfer, and its reading */
  readonly payment: Draft;
  readonly read: TransactionReading;
  /** the one account whose key can make it valid; absent where another's may */
  readonly signer?: string;
  /** transfers of another form than any that is authorised */
  readonly untaken: readonly object[];
  /** drafts of callers, each of the sender */
  readonly given: readonly [Draft, ...Draft[]];
  /** other bytes than the first of those */
  readonly changed: Draft;
  readonly stranger: string;
  /** a draft that costs more than the network's cap */
  readonly dear: Draft;
}

/** Tries the readings that all families of whole bytes have in common. */
export const describeReadings = <Entry extends NetworkEntry, Draft>(
  facts: ReadingCase<Entry, Draft>,
): void => {
  const { payment, read, entry, encode, authorised, authorisedBytes, given, dear } = facts;
  const { readOf, reading, readContent, readContentOf } = readingsOf(facts);

  describe("INV-3 a signer's reading of a transfer", () => {
    it("is what is signed, what it costs, until when, and what it does", () => {
      expect(reading(payment)).toEqual(read);
    });

    it("refuses what is authorised for another network, with a cosigner, or with a field that nobody knows", () => {
      const cosigners = ["key-aaaaa-bbbbb-cccccccccccccccd"];
      expect(readOf(payment, authorised({ network: facts.elsewhere }))).toBe("TransactionMismatch network");
      expect(readOf(payment, authorised({ cosigners }))).toBe("TransactionMismatch cosigners");
      for (const transfer of facts.untaken) {
        expect(readOf(payment, authorised({ transfer }))).toContain("TransactionMismatch");
      }
    });
  });

  describe("INV-3 a signer's reading of a caller's own bytes", () => {
    const [first] = given;
    const act = authorisedBytes(encode(first));

    it("takes them as they are", () => {
      for (const draft of given) expect(readOf(draft, authorisedBytes(encode(draft)))).toBe("ok");
    });

    it("refuses other bytes, another account's, and a place that they cannot take", () => {
      expect(readOf(facts.changed, act)).toBe("TransactionMismatch bytes");
      const foreign = authorisedBytes(encode(first), { from: facts.stranger });
      expect(readOf(first, foreign)).toBe("TransactionMismatch from");
      expect(readOf(first, { ...act, replaces: [act.requestId] })).toBe("TransactionMismatch replaces");
    });

    it("refuses what costs more than the network's cap", () => {
      expect(readOf(dear, authorisedBytes(encode(dear)))).toBe("FeeAboveCap");
    });
  });

  describe("INV-3 a signer's reading of a transaction that is not sent", () => {
    it("is of the bytes for the chain of a network that is served", () => {
      const { signables, exclusion, deadlineMs } = read;
      const { network } = entry;
      const transaction = { network, unsigned: encode(payment), exclusion, deadlineMs };
      const signer = facts.signer === undefined ? {} : { signer: facts.signer };
      expect(readContent(payment)).toEqual({ ok: true, value: { signables, transaction, ...signer } });
    });

    it("refuses everything else", () => {
      expect(readContentOf(payment, { network: facts.elsewhere })).toBe("NetworkNotEnabled");
      expect(readContentOf(dear)).toBe("FeeAboveCap");
      expect(readContentOf(payment, { transaction: "80" })).toBe("TransactionUnreadable");
      expect(readContentOf(payment, { kind: "message" })).toContain("TransactionMismatch");
      expect(readContentOf(payment, { memo: "x" })).toContain("TransactionMismatch");
    });
  });
};
