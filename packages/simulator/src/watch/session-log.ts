import type { SessionKey } from "@conclave/cluster";
import type { PartyIndex } from "@conclave/threshold";
import type { TraceLine } from "../trace/trace.ts";

/** The work of a session. */
export type SessionWork =
  | { readonly kind: "auxiliary" }
  | { readonly kind: "key"; readonly keyId: string }
  | { readonly kind: "key change" }
  | { readonly kind: "presigning"; readonly keyId: string; readonly isForPool: boolean }
  | { readonly kind: "signing"; readonly digest: string };

/** One signer in a session. */
interface Member {
  /** by round, the signers whose messages it heard */
  readonly heard: Map<number, Set<number>>;
  /** such as "signed"; undefined while it waits */
  end: string | undefined;
}

interface LoggedSession {
  work: SessionWork;
  readonly members: Map<PartyIndex, Member>;
  /** of its last event */
  atUs: number;
}

/** The end of a session that made a presignature for the pool. */
export const PRESIGNATURE_MADE = "made";

/** The latest sessions of a world that are kept. */
const KEPT_MAX = 2_000;

/** Sessions of signers: their members, the messages that each heard in each round, and their ends. */
export class SessionLog {
  readonly #now: { readonly nowUs: number };
  readonly #sessions = new Map<SessionKey, LoggedSession>();

  /** @param now the time of the world */
  constructor(now: { readonly nowUs: number }) {
    this.#now = now;
  }

  /** A signer opens a session, or goes on from presigning to signing in it. */
  opened(signer: PartyIndex, key: SessionKey, work: SessionWork): void {
    const session = this.#sessions.get(key) ?? { work, members: new Map(), atUs: 0 };
    session.work = work;
    session.atUs = this.#now.nowUs;
    const member = session.members.get(signer) ?? { heard: new Map(), end: undefined };
    member.end = undefined;
    session.members.set(signer, member);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (oldest !== undefined && this.#sessions.size > KEPT_MAX) this.#sessions.delete(oldest);
  }

  /** A signer takes a message of a peer. */
  heard(signer: PartyIndex, key: SessionKey, round: number, from: number): void {
    const session = this.#sessions.get(key);
    const member = session?.members.get(signer);
    if (session === undefined || member === undefined) return;
    session.atUs = this.#now.nowUs;
    member.heard.set(round, (member.heard.get(round) ?? new Set()).add(from));
  }

  /** A signer's part of a session is over. @param end such as "signed" */
  ended(signer: PartyIndex, key: SessionKey, end: string): void {
    const session = this.#sessions.get(key);
    const member = session?.members.get(signer);
    if (session === undefined || member === undefined) return;
    session.atUs = this.#now.nowUs;
    member.end = end;
  }

  /**
   * A line for each session, at the time of its last event, but for those that made presignatures for the pool as they should.
   * @param titleOf the title of the request that a digest is of
   */
  lines(titleOf: TitleOf): readonly TraceLine[] {
    return [...this.#sessions.values()].filter(isOfNote).map(({ work, members, atUs }) => ({
      atUs,
      process: "sessions",
      words: `${namesOf(members.keys())} ${workText(work, members, titleOf)} (${roundTexts(members)}): ${endText(members)}`,
    }));
  }
}

type TitleOf = (signer: PartyIndex, digest: string) => string | undefined;
type Members = LoggedSession["members"];

const sorted = <N extends number>(signers: Iterable<N>): readonly N[] =>
  [...signers].sort((one, other) => one - other);
const namesOf = (signers: Iterable<number>): string =>
  sorted(signers)
    .map((signer) => `s${signer}`)
    .join(" ");

const isOfNote = ({ work, members }: LoggedSession): boolean =>
  work.kind !== "presigning" || !work.isForPool || endText(members) !== PRESIGNATURE_MADE;

const workText = (work: SessionWork, members: Members, titleOf: TitleOf): string => {
  switch (work.kind) {
    case "auxiliary":
      return "make auxiliary information";
    case "key":
      return `make ${work.keyId}`;
    case "key change":
      return "change the shares of a key";
    case "presigning":
      return `presign with ${work.keyId}${work.isForPool ? " for the pool" : ""}`;
    case "signing": {
      const [title] = [...members.keys()].flatMap((signer) => titleOf(signer, work.digest) ?? []);
      return `sign ${title ?? work.digest}`;
    }
  }
};

/** By round: "each hears all", or the signers that each hears. */
const roundTexts = (members: Members): string => {
  const rounds = new Set([...members.values()].flatMap(({ heard }) => [...heard.keys()]));
  if (rounds.size === 0) return "nobody hears anybody";
  return [...rounds]
    .sort((one, other) => one - other)
    .map((round) => `round ${round}: ${roundText(members, round)}`)
    .join(", ");
};

const roundText = (members: Members, round: number): string => {
  const isWhole = [...members].every(([, { heard }]) => heard.get(round)?.size === members.size - 1);
  if (isWhole && members.size > 1) return "each hears all";
  return sorted(members.keys())
    .map((signer) => {
      const heard = members.get(signer)?.heard.get(round) ?? [];
      return `s${signer} hears ${namesOf(heard) || "nobody"}`;
    })
    .join(", ");
};

/** "signed", where it is so of all, or the end of each: "signed at s1 s3, unfinished at s5". */
const endText = (members: Members): string => {
  const ends = new Map<string, PartyIndex[]>();
  for (const [signer, { end = "unfinished" }] of members) ends.set(end, [...(ends.get(end) ?? []), signer]);
  const [only] = ends.size === 1 ? ends.keys() : [];
  return only ?? [...ends].map(([end, signers]) => `${end} at ${namesOf(signers)}`).join(", ");
};
