import { LONGEST_PLAN_MS, readDuration } from "./duration.ts";
import {
  type ChainFailure,
  type FaultStart,
  type InjectedFault,
  STAGES,
  type StoreChange,
  type Toxic,
} from "./fault.ts";
import { hasClock, isSparable, type Place, placeName, readPlace } from "./place.ts";

const PLACE = String.raw`[A-Za-z][A-Za-z0-9]*(?:-\d+)?`;
/** The name of an entry in a signer's store, or a prefix and a star. */
const ENTRY = String.raw`[A-Za-z0-9~/_.-]+\*?|\*`;
const DURATION = String.raw`\d+(?:\.\d+)?(?:ms|s|m|h|d)`;
/** The largest move of a clock: 100 days, in milliseconds. */
const FURTHEST_JUMP_MS = 100 * 24 * 60 * 60_000;

const placesNamed = (text: string): readonly Place[] | undefined => {
  const places = text.split(/,\s*|\s+and\s+/).map((name) => readPlace(name.trim()));
  if (!places.every((place) => place !== undefined)) return undefined;
  return new Set(places.map(placeName)).size === places.length ? places : undefined;
};
const signerIn = (text: string | undefined): number | undefined => {
  const place = readPlace(text ?? "");
  return place?.kind === "signer" ? place.number : undefined;
};

type Reader = readonly [pattern: RegExp, read: (words: readonly string[]) => InjectedFault | undefined];

const link = (
  [from = "", arrow = "", to = ""]: readonly string[],
  toxic: Toxic | undefined,
): InjectedFault | undefined => {
  const [source, target] = [readPlace(from), readPlace(to)];
  if (source === undefined || target === undefined || toxic === undefined) return undefined;
  if (placeName(source) === placeName(target)) return undefined;
  return { kind: "link", from: source, to: target, isBothWays: /^(↔|<->)$/.test(arrow), toxic };
};
const LINK = `(${PLACE}) (→|->|↔|<->) (${PLACE})`;

const ended =
  (kind: "kill" | "stop" | "pause") =>
  ([names = ""]: readonly string[]): InjectedFault | undefined => {
    const places = placesNamed(names);
    return places && { kind, places };
  };
/** Places of the power fault are signers alone: no other process has a disk of its own in a plan. */
const gone =
  (kind: "power" | "lose") =>
  ([names = ""]: readonly string[]): InjectedFault | undefined => {
    const places = placesNamed(names);
    if (!places?.every(isSparable)) return undefined;
    return kind === "power" && places.some((place) => place.kind !== "signer") ? undefined : { kind, places };
  };
const disk =
  (failure: "full" | "unsynced") =>
  ([name]: readonly string[]): InjectedFault | undefined => {
    const signer = signerIn(name);
    return signer === undefined ? undefined : { kind: "disk", signer, failure };
  };
/** @param by the age of the copy, as a duration */
const goesBack = (
  by: string | undefined,
): { readonly kind: "goes back"; readonly byMs: number } | undefined => {
  const byMs = readDuration(by ?? "");
  return byMs === undefined || byMs === 0 ? undefined : { kind: "goes back", byMs };
};
const store =
  (changeOf: (word: string) => StoreChange | undefined) =>
  ([name, word = ""]: readonly string[]): InjectedFault | undefined => {
    const [signer, change] = [signerIn(name), changeOf(word)];
    return signer === undefined || change === undefined ? undefined : { kind: "store", signer, change };
  };
const chain =
  (failureOf: (words: readonly string[]) => ChainFailure) =>
  ([network = "", ...words]: readonly string[]): InjectedFault => ({
    kind: "chain",
    network,
    failure: failureOf(words),
  });

const CLOCK = new RegExp(`^move the clock of (${PLACE}) by ([+-]${DURATION})$`);

/** One entry for each form of a fault. */
const READERS: readonly Reader[] = [
  [/^kill (.+)$/, ended("kill")],
  [/^stop (.+)$/, ended("stop")],
  [/^pause (.+)$/, ended("pause")],
  [/^cut the power of (.+)$/, gone("power")],
  [/^lose (.+)$/, gone("lose")],
  [new RegExp(`^cut ${LINK}$`), (words) => link(words, { kind: "cut" })],
  [
    new RegExp(`^delay ${LINK} by (${DURATION})$`),
    (words) => {
      const ms = readDuration(words[3] ?? "");
      return link(words, ms === undefined ? undefined : { kind: "delay", ms });
    },
  ],
  [
    new RegExp(`^break ${LINK} (\\d{1,3})%$`),
    (words) =>
      link(words, Number(words[3]) <= 100 ? { kind: "break", percent: Number(words[3]) } : undefined),
  ],
  [
    new RegExp(`^slow ${LINK} to ([1-9]\\d{0,5}) kB/s$`),
    (words) => link(words, { kind: "slow", bytesPerSecond: Number(words[3]) * 1_000 }),
  ],
  [/^fill the disk of (\S+)$/, disk("full")],
  [/^fail the syncs of (\S+)$/, disk("unsynced")],
  [new RegExp(`^disk of (\\S+) loses the entry (${ENTRY})$`), store((entry) => ({ kind: "loses", entry }))],
  [new RegExp(`^disk of (\\S+) goes back by (${DURATION})$`), store(goesBack)],
  [
    CLOCK,
    ([name = "", by = ""]) => {
      const [place, ms] = [readPlace(name), readDuration(by.slice(1), FURTHEST_JUMP_MS)];
      if (place === undefined || ms === undefined || !hasClock(place)) return undefined;
      return { kind: "clock", place, byMs: by.startsWith("-") ? -ms : ms };
    },
  ],
  [
    /^(signer-\d+) lies in (\S+)$/,
    ([name, message = ""]) => {
      const signer = signerIn(name);
      return signer === undefined ? undefined : { kind: "lie", signer, message };
    },
  ],
  [/^nats forgets everything$/, () => ({ kind: "bus", failure: { kind: "forgets" } })],
  [/^nats delivers twice$/, () => ({ kind: "bus", failure: { kind: "repeats" } })],
  [
    new RegExp(`^nats goes back by (${DURATION})$`),
    ([by]) => {
      const failure = goesBack(by);
      return failure && { kind: "bus", failure };
    },
  ],
  [
    /^reorganise (\S+) by ([1-9]\d{0,2}) blocks?$/,
    chain(([blocks]) => ({ kind: "reorganise", blocks: Number(blocks) })),
  ],
  [/^(\S+) forgets its pool$/, chain(() => ({ kind: "forget" }))],
  [/^(\S+) holds transactions$/, chain(() => ({ kind: "hold" }))],
  [/^(\S+) refuses transactions$/, chain(() => ({ kind: "refuse" }))],
  [/^another organisation overloads (\S+)$/, chain(() => ({ kind: "overload" }))],
];

/** Reads a fault without its time. @returns undefined when the text is no known fault */
export const readInjectedFault = (text: string): InjectedFault | undefined => {
  for (const [pattern, read] of READERS) {
    const words = pattern.exec(text)?.slice(1);
    if (words !== undefined) return read(words);
  }
  return undefined;
};

/** The name of the place, if a fault would move a clock that cannot be moved. @param text a fault without its time */
export const clocklessPlace = (text: string): string | undefined => {
  const place = readPlace(CLOCK.exec(text)?.[1] ?? "");
  return place === undefined || hasClock(place) ? undefined : placeName(place);
};

/** When a fault starts, and how long it lasts. */
export interface When {
  readonly start: FaultStart;
  readonly lastsMs: number | undefined;
}

const stagesPattern = STAGES.join("|");
const WHENS: readonly (readonly [RegExp, (words: readonly string[]) => When | undefined])[] = [
  [
    new RegExp(`^(.*) from (${DURATION}) to (${DURATION})$`),
    ([, from = "", to = ""]) => {
      const [fromMs, toMs] = [readDuration(from), readDuration(to)];
      if (fromMs === undefined || toMs === undefined || toMs <= fromMs) return undefined;
      return { start: { kind: "time", ms: fromMs }, lastsMs: toMs - fromMs };
    },
  ],
  [
    new RegExp(`^(.*) at (${DURATION})(?: for (${DURATION}))?$`),
    ([, at = "", lasts]) => {
      const ms = readDuration(at);
      const when = ms === undefined ? undefined : lasting({ kind: "time", ms }, lasts);
      // the text gives the end of the fault, so start and duration together must stay below the limit
      return (ms ?? 0) + (when?.lastsMs ?? 0) > LONGEST_PLAN_MS ? undefined : when;
    },
  ],
  [
    new RegExp(`^(.*) when request ([1-9]\\d{0,8}) is (${stagesPattern})(?: for (${DURATION}))?$`),
    ([, number, name, lasts]) => {
      const stage = STAGES.find((one) => one === name);
      return stage && lasting({ kind: "request", number: Number(number), stage }, lasts);
    },
  ],
  [
    new RegExp(`^(.*) when it reaches ([a-z][a-z.-]+)(?: ([1-9]\\d{0,8}) times)?(?: for (${DURATION}))?$`),
    ([, point = "", hit = "1", lasts]) => lasting({ kind: "point", point, hit: Number(hit) }, lasts),
  ],
];

/** @param lasts undefined: until the load has ended. Refuses a text that is no duration, and a duration of zero */
const lasting = (start: FaultStart, lasts: string | undefined): When | undefined => {
  if (lasts === undefined) return { start, lastsMs: undefined };
  const lastsMs = readDuration(lasts);
  return lastsMs === undefined || lastsMs === 0 ? undefined : { start, lastsMs };
};

/** Splits a line into the fault and its time. @returns undefined when it has no time */
export const readWhen = (line: string): (When & { readonly what: string }) | undefined => {
  for (const [pattern, read] of WHENS) {
    const words = pattern.exec(line)?.slice(1);
    if (words === undefined) continue;
    const when = read(words);
    return when && { ...when, what: words[0] ?? "" };
  }
  return undefined;
};
