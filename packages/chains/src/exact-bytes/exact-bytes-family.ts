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

/** The place of a transaction among those of its account. */
interface OwnSequence<Draft> {
  sequenceOf(draft: Draft): bigint;
  /** NonceUsed or NonceGap unless the wanted place is the next one */
  judge(wanted: bigint, next: bigint): Result<unknown>;
}

/** The parts in which families of whole bytes differ. */
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
  /** Place and details of a transaction, as far as its bytes hold them. */
  shown(draft: Draft): Omit<BuiltTransaction, "unsigned">;
  effectsOfTransfer(transfer: Transfer): Effects;
  /** The effects of a caller's own bytes, with the fee that they fix. @param entry undefined when no network is known */
  effectsOfGiven(entry: NoInfer<Entry> | undefined, draft: Draft): Effects;
  /** Why nothing takes a transaction's place, for callers that ask for it. */
  readonly irreplaceable: string;
  /** absent where the chain counts no transactions of an account */
  readonly sequence?: OwnSequence<Draft>;
}

/**
 * A chain family whose callers give whole bytes: transfers that the service writes, and exact transactions, to send or to sign
 * alone. A transaction lands within its time or never: it is built again, nothing is replaced, and one key signs.
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

/** Nothing is replaced. Where the chain counts, a caller's own bytes name a place all the same: the next one, or they are refused. */
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
