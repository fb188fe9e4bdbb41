import {
  type Act,
  type FamilyContent,
  fail,
  ok,
  type Result,
  type TransactionReading,
} from "@conclave/custody";
import { bytesToHex } from "@noble/curves/utils.js";
import type { ChainFamily, NetworkEntry } from "../chain.ts";
import { ownEntry, readingOfContent } from "../content-reading.ts";
import { type Mismatch, mustEqual, refuseMismatch } from "../mismatch.ts";
import type { ExactToSign, ExactTransaction } from "../rules/exact-act.ts";
import type { ExactContent } from "./exact-content.ts";

export interface CappedEntry extends NetworkEntry {
  /** the highest fee, in the smallest unit of the native coin; signers refuse more */
  readonly feeCap: string;
}

/** A decoded transaction, with the network that it must be for. */
interface Found<Entry, Draft> {
  readonly entry: Entry;
  readonly unsigned: Uint8Array;
  readonly draft: Draft;
}

/** A decoded transaction, with the transfer that it must carry out. */
export interface TransferToRead<Entry, Transfer, Draft> extends Found<Entry, Draft> {
  readonly transfer: Transfer;
  readonly requestId: string;
}

/** The parts of a signer's reading in which families differ. `Draft` is a decoded transaction. */
export interface ReadingParts<
  Entry extends CappedEntry,
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
> {
  readonly content: ExactContent<Transfer, Transaction, ToSign, Draft>;
  /** The account that a transaction belongs to. */
  senderOf(draft: Draft): string;
  /** Whether the chain lets a key sign for another account than its own. */
  readonly signsForOthers: boolean;
  /** A mismatch of the transaction's chain; absent where the bytes name no chain that a signer can check. */
  chainMismatch?(entry: Entry, draft: Draft): Mismatch | undefined;
  /** Compares a transfer field by field. */
  transferMismatch(authorised: TransferToRead<Entry, Transfer, Draft>): Mismatch | undefined;
  /** A mismatch of the account of a wallet's own transaction, where more than its sender identifies it. */
  accountMismatch?(draft: Draft, from: string): Mismatch | undefined;
  /** A mismatch of the fields beside the bytes, in content that is signed and not sent. */
  toSignMismatch?(draft: Draft, asked: ToSign): Mismatch | undefined;
  /** The reading of a transaction whose fee is within the cap. */
  readingOf(entry: Entry, unsigned: Uint8Array, draft: Draft): TransactionReading;
}

/**
 * The signer's own reading (INV-3). A transaction must be the one encoding of exactly the authorised act, on the network's
 * chain, from the wallet's account, signed by the wallet alone, with a fee within the network's cap. A transaction that is
 * signed and not sent may belong to another account than the key's own if the chain allows it: its owner gave the key authority
 * over it.
 */
export const exactReading = <
  Entry extends CappedEntry,
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
>({
  content,
  senderOf,
  signsForOthers,
  chainMismatch = () => undefined,
  transferMismatch,
  accountMismatch = (draft, from) => mustEqual("from", senderOf(draft), from),
  toSignMismatch = () => undefined,
  readingOf,
}: ReadingParts<Entry, Transfer, Transaction, ToSign, Draft>): Pick<
  ChainFamily<Entry>,
  "read" | "readContent"
> => {
  const actMismatch = (found: Found<Entry, Draft>, act: Act): Result<Mismatch | undefined> => {
    if (act.kind === "transfer") {
      const transfer = content.parseTransfer(act.transfer);
      if (!transfer.ok) return transfer;
      return ok(transferMismatch({ ...found, transfer: transfer.value, requestId: act.requestId }));
    }
    const wanted = content.parseTransaction(act.transaction);
    if (!wanted.ok) return wanted;
    const given = bytesToHex(content.bytesToSend(wanted.value));
    return ok(
      mustEqual("bytes", bytesToHex(found.unsigned), given) ??
        accountMismatch(found.draft, wanted.value.from),
    );
  };
  const withinCap = ({ entry, unsigned, draft }: Found<Entry, Draft>): Result<TransactionReading> => {
    const reading = readingOf(entry, unsigned, draft);
    const { feeCap } = entry;
    return reading.fee > BigInt(feeCap)
      ? fail("FeeAboveCap", { fee: reading.fee.toString(), feeCap })
      : ok(reading);
  };
  return {
    read: (entry, unsigned, act) => {
      const decoded = content.decode(unsigned);
      if (!decoded.ok) return decoded;
      const found = { entry, unsigned, draft: decoded.value };
      const frame =
        mustEqual("network", entry.network, act.network) ??
        chainMismatch(entry, decoded.value) ??
        mustEqual("cosigners", act.cosigners.length, 0) ??
        mustEqual("replaces", act.kind === "transaction" ? (act.replaces?.length ?? 0) : 0, 0);
      if (frame !== undefined) return refuseMismatch(frame);
      const mismatch = actMismatch(found, act);
      if (!mismatch.ok) return mismatch;
      return mismatch.value === undefined ? withinCap(found) : refuseMismatch(mismatch.value);
    },
    readContent: (entries, asked: FamilyContent) => {
      const parsed = content.parseToSign(asked);
      if (!parsed.ok) return parsed;
      const entry = ownEntry(entries, parsed.value.network);
      if (!entry.ok) return entry;
      const unsigned = content.bytesToSign(parsed.value);
      const decoded = content.decode(unsigned);
      if (!decoded.ok) return decoded;
      const draft = decoded.value;
      const mismatch = chainMismatch(entry.value, draft) ?? toSignMismatch(draft, parsed.value);
      if (mismatch !== undefined) return refuseMismatch(mismatch);
      const read = withinCap({ entry: entry.value, unsigned, draft });
      if (!read.ok) return read;
      const reading = readingOfContent(entry.value.network, unsigned, read.value);
      return ok(signsForOthers ? reading : { ...reading, signer: senderOf(draft) });
    },
  };
};
