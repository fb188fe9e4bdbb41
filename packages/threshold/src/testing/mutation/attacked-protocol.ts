import type { Codec } from "../../codec.ts";
import type { PartyIndex } from "../../fault.ts";
import type { SessionConfig } from "../../session/config.ts";
import type { Start } from "../../session/round.ts";

/** One message of a protocol, as the suite of mutations must know it. */
export interface ProtocolMessage {
  readonly round: number;
  readonly kind: "broadcast" | "direct";
  /** reads it; all its fields are found through this */
  readonly codec: Pick<Codec<unknown>, "read">;
  /**
   * Fields that only a check of what all said together shows to be wrong. Who lied comes out in a round to which a
   * cheat that thinks itself honest never comes, so that the others wait for it; a prelude shows the rest.
   */
  readonly joint?: readonly string[];
}

/** A message that an earlier one commits to: a lie in it is told again with a commitment that fits. */
export interface Committed {
  readonly round: number;
  /** the broadcast of this earlier round */
  readonly commitmentRound: number;
  /** fields in which every value is as good as any other, such as a mask: another one changes nothing */
  readonly free: readonly string[];
  /** of the cheat to a payload; undefined when the payload is not one that can be committed to */
  readonly commit: (payload: Uint8Array, config: SessionConfig) => Uint8Array | undefined;
}

/** A lie that is told in every run, for the rounds that only a lie leads to. */
export interface Prelude<Output> {
  /** the round in which the cheat lies; later ones are mutated */
  readonly round: number;
  /** the cheat's own start */
  readonly start: (config: SessionConfig) => Start<Output>;
}

/** A protocol, and what must be known to lie in every field of it. */
export interface AttackedProtocol<Output> {
  readonly name: string;
  /** ascending; at least three, the cheat neither first nor last, so that honest parties stand on both sides */
  readonly parties: readonly PartyIndex[];
  readonly cheat: PartyIndex;
  /** a fresh start on every call */
  readonly start: (config: SessionConfig) => Start<Output>;
  /** every message of every round: what is sent and is not here fails the suite */
  readonly messages: readonly ProtocolMessage[];
  /** what is wrong with what honest parties got, none of whom named the cheat; undefined when all is well */
  readonly flawOf: (outputs: ReadonlyMap<PartyIndex, Output>) => string | undefined;
  /** values that a check of a range might miss: orders of groups, moduli */
  readonly integers?: ReadonlyMap<string, bigint>;
  readonly committed?: Committed;
  readonly prelude?: Prelude<Output>;
  /** whether a round takes a secret, so that no run goes on twice from before it: every lie is told in a run of its own */
  readonly spends?: boolean;
}
