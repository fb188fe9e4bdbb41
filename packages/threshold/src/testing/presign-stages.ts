import { type Codec, decode, encode } from "../codec.ts";
import type { PartyIndex } from "../fault.ts";
import type { Presignature } from "../presign/presignature.ts";
import type { Inbox, Step } from "../session/round.ts";
import type { Standing } from "./lockstep.ts";
import { presign, type TestPresigning } from "./presigning.ts";
import { seededEntropy } from "./seeded-entropy.ts";

/** One kind of message of a protocol. */
export interface Slot<T> {
  readonly round: number;
  readonly kind: Exclude<keyof Inbox, "signed">;
  readonly codec: Codec<T>;
}

/** A message that a party receives in place of the honest one. */
export interface Substitute {
  readonly from: PartyIndex;
  readonly kind: Exclude<keyof Inbox, "signed">;
  readonly payload: Uint8Array;
}

/** An honest presigning of these signers; a test can continue from any round with changed messages. */
export interface PresignStages {
  readonly standing: (party: PartyIndex, round: number) => Standing<Presignature>;
  /** the message that one party sent to another, or to all */
  readonly said: <T>(slot: Slot<T>, from: PartyIndex, to: PartyIndex) => T;
  /** the next step of a party that receives these lies */
  readonly hearing: (party: PartyIndex, round: number, lies: readonly Substitute[]) => Step<Presignature>;
  /** the next step of a party that receives one changed message */
  readonly against: <T>(
    party: PartyIndex,
    slot: Slot<T>,
    from: PartyIndex,
    change: (message: T) => T,
  ) => Step<Presignature>;
}

const mustDecode = <T>(codec: Codec<T>, payload: Uint8Array): T => {
  const decoded = decode(codec, payload);
  if (!decoded.ok) throw new Error(`an honest message does not decode: ${decoded.reason}`);
  return decoded.value;
};

/** The next step of a party when some of its messages are replaced. */
export const advanceWith = <Output>(
  { round, inbox }: Pick<Standing<Output>, "round" | "inbox">,
  lies: readonly Substitute[],
): Step<Output> => {
  const read = (kind: Exclude<keyof Inbox, "signed">) => (from: PartyIndex) =>
    lies.find((lie) => lie.from === from && lie.kind === kind)?.payload ?? inbox[kind](from);
  return round.advance({ broadcast: read("broadcast"), direct: read("direct") }, seededEntropy("lies"));
};

/** Runs a presigning once and records every party in every round. */
export const presignStages = (config: TestPresigning): PresignStages => {
  const standings: Standing<Presignature>[] = [];
  presign(config, { watch: (standing) => standings.push(standing) });

  const standing = (party: PartyIndex, round: number): Standing<Presignature> => {
    const found = standings.find((one) => one.party === party && one.round.number === round);
    if (found === undefined) throw new RangeError(`party ${party} was never in round ${round}`);
    return found;
  };
  const said = <T>({ round, kind, codec }: Slot<T>, from: PartyIndex, to: PartyIndex): T =>
    mustDecode(codec, standing(to, round).inbox[kind](from));
  const hearing = (party: PartyIndex, round: number, lies: readonly Substitute[]): Step<Presignature> =>
    advanceWith(standing(party, round), lies);
  const against = <T>(
    party: PartyIndex,
    slot: Slot<T>,
    from: PartyIndex,
    change: (message: T) => T,
  ): Step<Presignature> => {
    const payload = encode(slot.codec, change(said(slot, from, party)));
    return hearing(party, slot.round, [{ from, kind: slot.kind, payload }]);
  };
  return { standing, said, hearing, against };
};
