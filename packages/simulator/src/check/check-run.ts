import type { TriedRequest } from "../client/client-process.ts";
import type { MadeSignature } from "../engine/ideal-keys.ts";
import { checkDeliveries, type WebhookFacts } from "./check-deliveries.ts";
import { type AnsweredRequest, checkRequests } from "./check-requests.ts";
import type { EndedTransfer } from "./ended-transfer.ts";
import { reusedPresignatures } from "./inv-2.ts";
import { paidOtherwise } from "./inv-4.ts";
import { unended } from "./inv-5.ts";
import { reportedOtherwise } from "./inv-6.ts";
import { type BlameFacts, blamedSigners } from "./inv-7.ts";
import { badlyRefused, type MadeRow, strayRows } from "./inv-9.ts";
import { type SaidText, secretsInClear, type WorldSecret } from "./inv-10.ts";
import { type HeardText, heardOfOthers, type Owner, sawOthers } from "./inv-11.ts";
import { lostCoins } from "./lost-coins.ts";
import { unexpectedEnds } from "./unexpected-ends.ts";
import type { Violation } from "./violation.ts";

/** The facts of a run, from outside of the code that they judge. */
export interface RunFacts {
  /** the client's own record of what it asked for */
  readonly asked: readonly AnsweredRequest[];
  /** the ids of all transfers in the database */
  readonly stored: readonly string[];
  readonly transfers: readonly EndedTransfer[];
  readonly webhooks: readonly WebhookFacts[];
  readonly blame: BlameFacts;
  /** requests that had to be refused */
  readonly tried: readonly TriedRequest[];
  /** all answers and deliveries that organisations heard */
  readonly heard: readonly HeardText[];
  /** the ids that each organisation knows to be its own */
  readonly owners: readonly Owner[];
  readonly rows: readonly MadeRow[];
  readonly secrets: readonly WorldSecret[];
  /** all that processes wrote where others read it */
  readonly said: readonly SaidText[];
  /** every signature that signers made */
  readonly made: readonly MadeSignature[];
  /** errors that ended a process though no fault killed it */
  readonly failures: readonly { readonly process: string; readonly error: unknown }[];
  /** violations that were seen while it ran */
  readonly seen: readonly Violation[];
  /** signers that run although their store lost an entry */
  readonly unnoticed: readonly { readonly name: string }[];
}

/** The facts of a run in which nothing has ended, but for those that were seen. */
export const NOTHING_ENDED: Omit<RunFacts, "made" | "failures" | "seen"> = {
  asked: [],
  stored: [],
  transfers: [],
  webhooks: [],
  tried: [],
  heard: [],
  owners: [],
  rows: [],
  secrets: [],
  said: [],
  blame: { faults: [], quarantines: [], reached: {} },
  unnoticed: [],
};

/** Judges a run by the invariants. @returns nothing for a run that kept all of them */
export const checkRun = (facts: RunFacts): readonly Violation[] => [
  ...facts.seen,
  ...reusedPresignatures(facts.made),
  ...checkRequests(facts.asked, facts.stored),
  ...facts.webhooks.flatMap(checkDeliveries),
  ...facts.transfers.flatMap((transfer) => [
    ...paidOtherwise(transfer),
    ...unended(transfer),
    ...lostCoins(transfer),
    ...reportedOtherwise(transfer),
  ]),
  ...blamedSigners(facts.blame),
  ...facts.tried.flatMap((request) => [...badlyRefused(request), ...sawOthers(request)]),
  // before each request is answered, a row may be of one that nobody knows of
  ...(facts.asked.every(({ ids }) => ids.size > 0) ? strayRows(facts.rows, facts.owners) : []),
  ...secretsInClear(facts.secrets, facts.said),
  ...heardOfOthers(facts.heard, facts.owners),
  ...unexpectedEnds(facts.failures),
  ...facts.unnoticed.map(({ name }) => ({
    invariant: "store",
    words: `${name} runs although its store lost an entry`,
  })),
];
