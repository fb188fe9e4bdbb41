import type { Codec } from "../../codec.ts";
import type { PartyIndex } from "../../fault.ts";
import type { SessionConfig } from "../../session/config.ts";
import type { Start } from "../../session/round.ts";
import type { TestAttempt } from "./attempts.ts";

/** One message of a protocol, as the mutation suite needs it. */
export interface ProtocolMessage {
  readonly round: number;
  readonly kind: "broadcast" | "direct";
  /** decodes the message; the suite finds its fields through this */
  readonly codec: Pick<Codec<unknown>, "read">;
  /**
   * Fields that only a joint check of all parties' messages shows to be wrong. A later round finds the liar; a cheat that runs
   * the protocol honestly never enters that round, so the others wait for it. A prelude tests that round.
   */
  readonly joint?: readonly string[];
}

/** A message that an earlier one commits to: the suite repeats lies in it with a commitment that fits. */
interface CommittedMessage {
  readonly round: number;
  /** the broadcast of this earlier round */
  readonly commitmentRound: number;
  /** fields in which any value is valid, such as a mask: another value is harmless */
  readonly free: readonly string[];
  /** the cheat's commitment to a payload; undefined when the payload does not decode */
  readonly commit: (payload: Uint8Array, config: SessionConfig) => Uint8Array | undefined;
}

/** A lie in every run, for the rounds that only a lie leads to. */
interface Prelude<Output> {
  /** the round in which the cheat lies; later ones are mutated */
  readonly round: number;
  /** the cheat's own start */
  readonly start: (config: SessionConfig) => Start<Output>;
}

/** A protocol, with all that the suite needs to lie in every field of it. */
export interface AttackedProtocol<Output> {
  readonly name: string;
  /** ascending, at least three; the cheat is neither first nor last, so that honest parties are on both sides of it */
  readonly parties: readonly PartyIndex[];
  readonly cheat: PartyIndex;
  /** the values that the session id binds: with it the suite verifies every accusation as a third party does */
  readonly attempt: TestAttempt;
  /** whether the test itself makes a check, which no third party can repeat */
  readonly isOwnCheck?: (check: string) => boolean;
  /**
   * Whether only a cheat fails a check that knew beforehand what an honest party keeps secret until it opens it. The test's
   * cheat knows it, and then nobody can tell which of the two copied.
   */
  readonly takesForeknowledge?: (check: string) => boolean;
  /** a fresh start on every call */
  readonly start: (config: SessionConfig) => Start<Output>;
  /** every message of every round; one that is sent and not listed fails the suite */
  readonly messages: readonly ProtocolMessage[];
  /** the flaw of the outputs of honest parties that did not name the cheat; undefined when there is none */
  readonly flawOf: (outputs: ReadonlyMap<PartyIndex, Output>) => string | undefined;
  /** values that a range check might miss: group orders, moduli */
  readonly integers?: ReadonlyMap<string, bigint>;
  readonly committed?: CommittedMessage;
  readonly prelude?: Prelude<Output>;
  /** whether a round takes a secret, so that no run can continue twice from before it: every lie then gets its own run */
  readonly spends?: boolean;
}
