import type { Chance } from "@conclave/chaos";
import type { Command } from "@conclave/cluster";
import { AUTHORISATION_AGE_MS_MAX } from "@conclave/custody";
import { type PartyIndex, partyIndex, type SessionId } from "@conclave/threshold";
import type { SimulatedAuthority } from "../client/authority.ts";
import type { PassedCommand, SessionName } from "../watch/passed-commands.ts";
import type { AskedSigning } from "./asked-signing.ts";
import { type Decoy, decoyOf, isNumbered, payloadFor, renumbered } from "./decoy.ts";

/** All that an attacker knows and can draw from when it acts. */
export interface Means {
  readonly chance: Chance;
  readonly nowMs: number;
  /** commands that passed, oldest first */
  readonly passed: readonly PassedCommand[];
  /** the lives that signers showed last */
  readonly lives: SessionName["lives"];
  readonly members: readonly PartyIndex[];
  /** presignatures that signers list as ready: the id, the key and its signers */
  readonly ready: readonly ReadyId[];
  readonly authority: SimulatedAuthority;
  readonly freshSession: () => SessionId;
  readonly freshRequestId: () => string;
  /** a number that no other decoy has */
  readonly nextNumber: () => number;
}

export interface ReadyId {
  readonly id: string;
  readonly keyId: string;
  readonly signers: readonly PartyIndex[];
}

/** A command that the attacker sends to one signer. */
export interface HostileOrder {
  readonly to: PartyIndex;
  readonly named: SessionName;
  readonly command: Command;
  /** virtual milliseconds after the act; at once where it is left out */
  readonly inMs?: number;
}

type Act = (means: Means) => readonly HostileOrder[];

/** A session may last so long. */
const SESSION_MS = 20_000;
/** An authorisation that lapses while its session runs lapses so soon, at most. */
const LAPSES_MS = 60;
/** The longest time for which orders are held back. */
const HELD_BACK_MS = 1_000;
/** Account numbers of decoys: they never land, as their payloads are not broadcast. */
const NONCES = 1_000;

const isSigning = (command: Command): command is AskedSigning => command.kind === "signing";

const signingsOf = ({ passed }: Means): readonly (PassedCommand & { readonly command: AskedSigning })[] =>
  passed.flatMap(({ named, command }) =>
    isSigning(command) && isNumbered(command) ? [{ named, command }] : [],
  );

const partiesOf = (command: Command, { members }: Means): readonly PartyIndex[] =>
  "quorum" in command ? command.quorum.flatMap((number) => partyIndex(number) ?? []) : members;

const toAll = (means: Means, named: SessionName, command: Command): readonly HostileOrder[] =>
  partiesOf(command, means).map((to) => ({ to, named, command }));

const fresh = (means: Means): SessionName => ({ session: means.freshSession(), lives: means.lives });
const later = ({ nowMs }: Means): { readonly expiresAtMs: number } => ({ expiresAtMs: nowMs + SESSION_MS });

/** A command that passed, to all its signers again, under its own session id. */
const replayed: Act = (means) => {
  if (means.passed.length === 0) return [];
  const { named, command } = means.chance.of(means.passed);
  const lives = means.chance.share() < 0.5 ? named.lives : means.lives;
  const deadline = means.chance.share() < 0.5 ? {} : later(means);
  return toAll(means, { session: named.session, lives }, { ...command, ...deadline });
};

/** A command that passed, under a new session id: its presignatures are asked for again, its authorisation may be old. */
const begunAgain: Act = (means) => {
  if (means.passed.length === 0) return [];
  const { command } = means.chance.of(means.passed);
  return toAll(means, fresh(means), { ...command, ...later(means) });
};

/** A decoy as a command like an earlier one; undefined where nothing has been signed. */
const decoyed = (
  means: Means,
  lapsesAtMs: number,
):
  | { readonly like: PassedCommand["named"]; readonly decoy: Decoy; readonly command: AskedSigning }
  | undefined => {
  const signings = signingsOf(means);
  if (signings.length === 0) return undefined;
  const { named, command: like } = means.chance.of(signings);
  const facts = { number: means.nextNumber(), requestId: means.freshRequestId(), lapsesAtMs };
  const decoy = decoyOf(means.authority, like, facts);
  if (decoy === undefined) return undefined;
  const { authorisation } = decoy;
  const unsigned = payloadFor(decoy, like, means.chance.between(0, NONCES));
  return {
    like: named,
    decoy,
    command: { ...like, authorisation, unsigned, presignatures: [], ...later(means) },
  };
};

const current = ({ nowMs }: Means): number => nowMs + AUTHORISATION_AGE_MS_MAX;

/** Another payload under the session id of an earlier command. */
const mixedSession: Act = (means) => {
  const made = decoyed(means, current(means));
  return made === undefined
    ? []
    : toAll(means, { session: made.like.session, lives: means.lives }, made.command);
};

/** Two payloads, one after the other, with one presignature: one that was used, or one that is ready. */
const mixedPresignature: Act = (means) => {
  const made = [decoyed(means, current(means)), decoyed(means, current(means))];
  const used = signingsOf(means).flatMap(({ command: { presignatures, quorum, keyId } }) =>
    presignatures.map((id) => ({ id, keyId, signers: quorum })),
  );
  const known = [...used, ...means.ready];
  if (known.length === 0) return [];
  const { id, keyId, signers: quorum } = means.chance.of(known);
  return made.flatMap((each) => {
    if (each === undefined || each.command.keyId !== keyId) return [];
    return toAll(means, fresh(means), { ...each.command, quorum, presignatures: [id] });
  });
};

/** One request with two payloads that could both land. */
const twicePaid: Act = (means) => {
  const made = decoyed(means, current(means));
  if (made === undefined) return [];
  const { command, decoy } = made;
  const other = payloadFor(decoy, command, NONCES + means.chance.between(1, NONCES));
  return [
    ...toAll(means, fresh(means), command),
    ...toAll(means, fresh(means), { ...command, unsigned: other }),
  ];
};

/** A request that passed, with another account number: a signer that forgot the first one would sign both. */
const paidAgain: Act = (means) => {
  const signings = signingsOf(means);
  if (signings.length === 0) return [];
  const { command } = means.chance.of(signings);
  const unsigned = renumbered(command, 2 * NONCES + means.chance.between(1, NONCES));
  return toAll(means, fresh(means), { ...command, ...later(means), unsigned, presignatures: [] });
};

/** One session in which some signers are shown another payload of the request than the others. */
const split: Act = (means) => {
  const made = decoyed(means, current(means));
  if (made === undefined) return [];
  const { command, decoy } = made;
  const named = fresh(means);
  const other = {
    ...command,
    unsigned: payloadFor(decoy, command, NONCES + means.chance.between(1, NONCES)),
  };
  const shown = toAll(means, named, command);
  return shown.map((order) => (means.chance.share() < 0.5 ? order : { ...order, command: other }));
};

/** A request whose authorisation lapses while the session runs, or has lapsed. */
const lapsing: Act = (means) => {
  const made = decoyed(means, means.nowMs + means.chance.between(-LAPSES_MS, LAPSES_MS));
  return made === undefined ? [] : toAll(means, fresh(means), made.command);
};

/**
 * A request that one signer is asked for at once, and the others shortly before its authorisation lapses: by the clock of the first it
 * may have lapsed when their messages come.
 */
const heldBack: Act = (means) => {
  const lapsesInMs = means.chance.between(0, HELD_BACK_MS);
  const made = decoyed(means, means.nowMs + lapsesInMs);
  if (made === undefined) return [];
  const orders = toAll(means, fresh(means), made.command);
  const first = means.chance.of(orders);
  const inMs = Math.max(0, lapsesInMs - LAPSES_MS);
  return orders.map((order) => (order === first ? order : { ...order, inMs }));
};

/** A payload that is not the authorised one: another recipient, or the request of another command. */
const redirected: Act = (means) => {
  const made = decoyed(means, current(means));
  if (made === undefined) return [];
  const { command } = made;
  const [{ command: other } = made] = [means.chance.of(signingsOf(means))];
  const unsigned =
    means.chance.share() < 0.5
      ? other.unsigned
      : payloadFor({ to: `0x${"ad".repeat(20)}` }, command, means.chance.between(0, NONCES));
  return toAll(means, fresh(means), { ...command, unsigned });
};

/** A request that the authority did not sign. */
const forged: Act = (means) => {
  const made = decoyed(means, current(means));
  if (made === undefined) return [];
  const { authorisation } = made.command;
  const signature = authorisation.signature.map((byte, at) => (at === 0 ? byte ^ 1 : byte));
  return toAll(means, fresh(means), { ...made.command, authorisation: { ...authorisation, signature } });
};

/** The acts of the attacker, by name. */
export const ACTS = {
  replayed,
  "begun again": begunAgain,
  "mixed session": mixedSession,
  "mixed presignature": mixedPresignature,
  "twice paid": twicePaid,
  "paid again": paidAgain,
  split,
  lapsing,
  "held back": heldBack,
  redirected,
  forged,
} as const satisfies Readonly<Record<string, Act>>;
