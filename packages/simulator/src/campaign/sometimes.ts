import type { Reached } from "../watch/reached.ts";

/** A rare path or a guard that worlds are to reach sometimes. It is reached where any of the names is. */
export interface Sometimes {
  readonly title: string;
  /** of `Reached` */
  readonly names: readonly string[];
  /** whether only an attacker reaches it */
  readonly isOfAttacks?: true;
}

/** How often each thing of the table was reached. */
export interface SometimesCount {
  readonly title: string;
  readonly count: number;
}

/** The things that a campaign is to reach, each declared once. Names come from log events, answers of signers, and acts of attackers. */
export const SOMETIMES: readonly Sometimes[] = [
  {
    title: "a session with signers is lost",
    names: ["orchestrator logs session-lost", "orchestrator loses a session"],
  },
  {
    title: "a request is taken over from an orchestrator that is gone",
    names: ["orchestrator logs requests-taken-over"],
  },
  {
    title: "bytes that the chain does not know are sent again",
    names: ["orchestrator logs unknown-sent-again"],
  },
  {
    title: "a settled transfer is undone by a reorganisation",
    names: ["orchestrator logs settlement-undone"],
  },
  { title: "a presignature of the pool is spent", names: ["orchestrator spends a presignature of the pool"] },
  { title: "a request waits for an outage to end", names: ["orchestrator logs request-awaits-outage"] },
  {
    title: "a signer refuses a life that has ended",
    names: ["orchestrator is refused: SignerLifeUnknown", "hostile is refused: SignerLifeUnknown"],
  },
  {
    title: "a signer refuses a session id that it knows",
    names: ["hostile is refused: SessionReused"],
    isOfAttacks: true,
  },
  {
    title: "a signer refuses a second transaction of a request",
    names: ["hostile is refused: TransactionNotExcluding"],
    isOfAttacks: true,
  },
  {
    title: "a signer refuses a payload that was not authorised",
    names: ["hostile is refused: TransactionMismatch"],
    isOfAttacks: true,
  },
  {
    title: "a signer refuses an authorisation of somebody else",
    names: ["hostile is refused: AuthorisationInvalid"],
    isOfAttacks: true,
  },
  {
    title: "a signer refuses an authorisation that has lapsed",
    names: ["hostile is refused: AuthorisationNotCurrent"],
    isOfAttacks: true,
  },
  {
    title: "a signer refuses a second digest for a presignature",
    names: ["hostile is refused: PresignatureReused", "signer logs presignature-asked-again"],
    isOfAttacks: true,
  },
  {
    title: "an attacker has a request signed that the authority did sign",
    names: ["hostile is answered: signed"],
    isOfAttacks: true,
  },
];

/** How often a campaign reached each thing. */
export const sometimesCounts = (reached: Reached): readonly SometimesCount[] =>
  SOMETIMES.map(({ title, names }) => ({
    title,
    count: names.reduce((sum, name) => sum + (reached[name] ?? 0), 0),
  }));

/**
 * The things that a campaign never reached although it was long enough.
 * @param worlds how many it ran
 * @param least from so many worlds on each thing must have been reached; 0: never
 * @param isAttacked whether some of its worlds have attackers
 */
export const neverReached = (
  reached: Reached,
  {
    worlds,
    least,
    isAttacked,
  }: { readonly worlds: number; readonly least: number; readonly isAttacked: boolean },
): readonly string[] => {
  if (least === 0 || worlds < least) return [];
  const counts = new Map(sometimesCounts(reached).map(({ title, count }) => [title, count]));
  return SOMETIMES.filter(({ isOfAttacks }) => isAttacked || isOfAttacks !== true)
    .map(({ title }) => title)
    .filter((title) => counts.get(title) === 0);
};
