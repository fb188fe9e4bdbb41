import { type Roster, type RosterEvent, type RosterTime, timesOf } from "@conclave/platform/config";
import { signerNamed } from "../../evidence/fault-words.ts";
import { clusterRoster } from "../../operator/cluster-roster.ts";
import { printable } from "../../printable.ts";
import { table } from "../../table.ts";

interface ShownEvent {
  readonly date: string;
  /** ids */
  readonly renewed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly { readonly id: string; readonly why: string; readonly evidence?: string }[];
  readonly threshold: { readonly before: number; readonly after: number };
}

/** A roster as `conclave roster show --json` prints it. */
interface ShownRoster {
  readonly clusterId: string;
  readonly threshold: number;
  readonly signers: readonly {
    readonly id: string;
    readonly index: number;
    readonly address: string;
    readonly isLeaving: boolean;
  }[];
  /** oldest event first */
  readonly history: readonly ShownEvent[];
  /** the change that is under way: the lowest threshold of any key not yet moved, and the ids of signers that leave */
  readonly change: { readonly threshold: number; readonly leaving: readonly string[] } | null;
}

const shownEvent = (
  roster: Roster,
  event: RosterEvent,
  before: RosterTime,
  after: RosterTime,
): ShownEvent => {
  const named = (index: number): string => signerNamed(roster, index);
  const threshold = { before: before.threshold, after: after.threshold };
  if (event.kind === "renewal") {
    const { date, signer } = event.renewal;
    return { date, renewed: [named(signer)], added: [], removed: [], threshold };
  }
  const { date, added, removed } = event.change;
  const gone = removed.map(({ id, reason }) => ({ id, ...reason }));
  return { date, renewed: [], added: added.map(named), removed: gone, threshold };
};

/** A roster's present and former members, for display. */
const shownRoster = (roster: Roster): ShownRoster => {
  const { clusterId, threshold, change, signers } = roster;
  const times = timesOf(roster).toReversed();
  const isLeaving = (index: number): boolean => change?.leaving.includes(index) === true;
  return {
    clusterId,
    threshold,
    signers: signers.map(({ id, index, address }) => ({ id, index, address, isLeaving: isLeaving(index) })),
    history: times.flatMap((before, at) => {
      const after = times[at + 1];
      return before.ended === undefined || after === undefined
        ? []
        : [shownEvent(roster, before.ended, before, after)];
    }),
    change:
      change === undefined
        ? null
        : { threshold: change.threshold, leaving: change.leaving.map((index) => signerNamed(roster, index)) },
  };
};

const removalWords = ({ id, why, evidence }: ShownEvent["removed"][number]): string => {
  if (why === "left") return `${id} left`;
  return evidence === undefined ? `${id} was lost` : `${id} cheated, evidence SHA-256 ${evidence}`;
};

const eventWords = ({ date, renewed, added, removed, threshold }: ShownEvent): string => {
  const { before, after } = threshold;
  const words = [
    ...renewed.map((id) => `${id} got another identity`),
    ...added.map((id) => `${id} came`),
    ...removed.map(removalWords),
    ...(before === after ? [] : [`threshold ${before} became ${after}`]),
  ];
  return `  ${date}  ${words.length === 0 ? "members and threshold stayed" : words.join("; ")}`;
};

const inLines = ({ clusterId, threshold, signers, history, change }: ShownRoster): readonly string[] => {
  const holders = signers.filter(({ isLeaving }) => !isLeaving).length;
  const rows = signers.map(({ id, index, address, isLeaving }) => [
    id,
    String(index),
    printable(address),
    isLeaving ? "leaves" : "member",
  ]);
  return [
    `${clusterId}: ${threshold} of ${holders} signers sign together`,
    table(["signer", "index", "address", "state"], rows),
    ...(history.length === 0 ? [] : ["history:", ...history.map(eventWords)]),
    ...(change === null
      ? []
      : [
          `a change is under way; keys of ${change.threshold} signers or more may not have been moved: \`conclave roster change\` takes it up`,
        ]),
  ];
};

/** `conclave roster show`: prints members, threshold and history of a cluster's roster, and the change that is under way. */
export const showRoster = async (state: string, isJson: boolean): Promise<void> => {
  const shown = shownRoster(await clusterRoster(state));
  const text = isJson ? JSON.stringify(shown, undefined, 2) : inLines(shown).join("\n");
  process.stdout.write(`${text}\n`);
};
