import {
  type Effects,
  type FamilyContent,
  type FamilyRules,
  fail,
  type Network,
  ok,
  opaque,
  type Result,
} from "@conclave/custody";
import type { z } from "zod";
import type { BuiltTransaction, ChainFamily, Replacements, TransactionIntent } from "../chain.ts";
import type { ExactToSign, ExactTransaction } from "../rules/exact-act.ts";
import type { ExactContent } from "./exact-content.ts";
import { type CappedEntry, exactReading, type ReadingParts } from "./exact-reading.ts";

/** A chain's rules for the place of a transaction among those of its account. */
interface OwnSequence<Draft> {
  sequenceOf(draft: Draft): bigint;
  /** NonceUsed or NonceGap unless the wanted place is the next one */
  judge(wanted: bigint, next: bigint): Result<unknown>;
}

/** The parts in which families with exact-bytes transactions differ. */
export interface ExactBytesParts<
  Entry extends CappedEntry,
  Situation,
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
> extends ReadingParts<NoInfer<Entry>, Transfer, Transaction, ToSign, Draft> {
  readonly rules: FamilyRules;
  readonly entrySchema: z.ZodType<Entry & { readonly network: Network }>;
  readonly idOf?: (unsigned: Uint8Array) => string | undefined;
  chainOf(entry: NoInfer<Entry>): string;
  build(entry: Entry, situation: Situation, intent: TransactionIntent): Result<BuiltTransaction>;
  readonly excludes: ChainFamily["excludes"];
  attach: ChainFamily<NoInfer<Entry>>["attach"];
  addressOf(publicKey: Uint8Array): string;
  /** Place and details of a transaction, as far as its bytes state them. */
  shown(draft: Draft): Omit<BuiltTransaction, "unsigned">;
  effectsOfTransfer(transfer: Transfer): Effects;
  /** The effects of a caller's own bytes, with the fee that they fix. @param entry undefined when the network is unknown */
  effectsOfGiven(entry: NoInfer<Entry> | undefined, draft: Draft): Effects;
  /** Why transactions cannot be replaced, for callers that request a replacement. */
  readonly irreplaceable: string;
  /** absent where the chain does not count an account's transactions */
  readonly sequence?: OwnSequence<Draft>;
}

/**
 * A chain family whose callers give whole transactions as bytes. It writes transfers itself, and sends or only signs exact
 * transactions. A transaction expires: the request is then built again, nothing is replaced, and one key signs.
 */
export const exactBytesFamily = <
  Entry extends CappedEntry,
  Situation,
  Transfer,
  Transaction extends ExactTransaction,
  ToSign extends ExactToSign,
  Draft,
>(
  parts: ExactBytesParts<Entry, Situation, Transfer, Transaction, ToSign, Draft>,
): ChainFamily<Entry, Situation> => {
  const { rules, content, entrySchema, idOf, chainOf, build, excludes, attach, addressOf } = parts;
  const { irreplaceable, sequence, shown, senderOf, signsForOthers } = parts;
  const draftIn = (asked: FamilyContent): Result<Draft> | undefined => {
    const given = content.givenBytes(asked);
    return given && content.decode(given);
  };
  const accountOf = (asked: FamilyContent): string | undefined => {
    const draft = draftIn(asked);
    return draft?.ok === true ? senderOf(draft.value) : undefined;
  };
  return {
    ...rules,
    entrySchema,
    rebuilds: true,
    countsTransactions: sequence !== undefined,
    ...(idOf === undefined ? {} : { idOf }),
    chainOf,
    cosignersOf: () => [],
    addressOf: (_network, publicKey) => addressOf(publicKey),
    build,
    describe: (unsigned) => {
      const decoded = content.decode(unsigned);
      return decoded.ok ? ok(shown(decoded.value)) : decoded;
    },
    ...exactReading(parts),
    givenBytes: content.givenBytes,
    ...(signsForOthers ? { accountOf } : {}),
    excludes,
    effectsOf: effectsOf(parts),
    attach,
    replacements: noReplacements(irreplaceable, sequence, draftIn),
  };
};

type EffectsParts<Entry, Transfer, Draft> = {
  readonly content: Pick<
    ExactContent<Transfer, ExactTransaction, ExactToSign, Draft>,
    "parseTransfer" | "givenBytes" | "decode"
  >;
  effectsOfTransfer(transfer: Transfer): Effects;
  effectsOfGiven(entry: Entry | undefined, draft: Draft): Effects;
};

const effectsOf =
  <Entry, Transfer, Draft>({
    content,
    effectsOfTransfer,
    effectsOfGiven,
  }: EffectsParts<Entry, Transfer, Draft>) =>
  (entry: Entry | undefined, asked: FamilyContent): Effects => {
    const transfer = content.parseTransfer(asked);
    if (transfer.ok) return effectsOfTransfer(transfer.value);
    const given = content.givenBytes(asked);
    if (given === undefined) return opaque("the request cannot be read");
    const decoded = content.decode(given);
    return decoded.ok ? effectsOfGiven(entry, decoded.value) : opaque(decoded.problem.message);
  };

/**
 * Refuses all replacements. On a chain that counts transactions, a caller's own bytes still fix a place, which must be the next
 * one.
 */
const noReplacements = <Draft>(
  why: string,
  sequence: OwnSequence<Draft> | undefined,
  draftIn: (asked: FamilyContent) => Result<Draft> | undefined,
): Replacements => {
  const unsupported = (): Result<never> => fail("TransactionKindNotSupported", { field: "kind" }, why);
  return {
    speedUp: unsupported,
    cancel: unsupported,
    takePlace: unsupported,
    fixedSequence: (asked) => {
      const draft = sequence && draftIn(asked);
      if (draft === undefined) return ok(undefined);
      return draft.ok ? ok(sequence?.sequenceOf(draft.value)) : draft;
    },
    judgeSequence: (wanted, next) => {
      const judged = sequence?.judge(wanted, next) ?? ok(undefined);
      return judged.ok ? ok(undefined) : judged;
    },
    judge: unsupported,
  };
};
