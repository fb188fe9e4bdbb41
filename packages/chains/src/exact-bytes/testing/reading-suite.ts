import type { Act, AuthorisedTransaction, Result, TransactionReading } from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import { describe, expect, it } from "vitest";
import type { ChainFamily, NetworkEntry } from "../../chain.ts";

/** A family with one of its networks, and a transfer for testing its readings. */
export interface ReadCase<Entry extends NetworkEntry, Draft> {
  readonly family: Pick<ChainFamily<Entry>, "read" | "readContent">;
  readonly entry: Entry;
  encode(draft: Draft): Uint8Array;
  /** the authorised transfer */
  readonly act: Act;
}

/** Readings on one network, of the case's transfer unless a test names another act. */
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
    /** "ok", or the refusal's code and field */
    said,
    readOf: (draft: Draft, act: Act = usual): string => said(read(draft, act)),
    reading: (draft: Draft, act: Act = usual): TransactionReading => {
      const given = read(draft, act);
      return given.ok ? given.value : expect.fail(given.problem.message);
    },
    /** reads a transaction that is signed and not sent */
    readContent,
    readContentOf: (draft: Draft, change?: object): string => said(readContent(draft, change)),
  };
};

/** The facts with which every family's readings are tested. */
export interface ReadingCase<Entry extends NetworkEntry, Draft> extends ReadCase<Entry, Draft> {
  /** another network of the family */
  readonly elsewhere: string;
  /** the act of the transfer, with changes */
  authorised(change: object): Act;
  authorisedBytes(unsigned: Uint8Array, change?: object): AuthorisedTransaction;
  /** a draft of the transfer, and its reading */
  readonly payment: Draft;
  readonly read: TransactionReading;
  /** the only account whose key can make it valid; absent if others may */
  readonly signer?: string;
  /** transfers whose form does not match any authorised one */
  readonly untaken: readonly object[];
  /** drafts from callers, each of the sender */
  readonly given: readonly [Draft, ...Draft[]];
  /** a draft that differs from the first of `given` */
  readonly changed: Draft;
  readonly stranger: string;
  /** a draft whose fee exceeds the network's cap */
  readonly dear: Draft;
}

/** Tests the readings that all exact-bytes families have in common. */
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
