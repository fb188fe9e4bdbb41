import type { Codec } from "../../codec.ts";
import type { PartyIndex } from "../../fault.ts";
import type { SessionConfig } from "../../session/config.ts";
import type { Start } from "../../session/round.ts";
import type { TestAttempt } from "./attempts.ts";

/** One message of a protocol, as the mutation suite needs it. */
export interface ProtocolMessage {
  readonly round: number;
  readonly kind: "broadcast" | "direct";
  /** decodes the message, by which the suite finds its fields */
  readonly codec: Pick<Codec<unknown>, "read">;
  /**
   * Fields whose wrong values only a joint check of all parties' messages shows. A later round then finds the
   * liar; a cheat that otherwise runs the protocol honestly never enters that round, so the others wait for
   * it. A prelude tests that round.
   */
  readonly joint?: readonly string[];
}

/** A message that an earlier one commits to: the suite repeats its lies with a fitting commitment. */
interface CommittedMessage {
  readonly round: number;
  /** the broadcast of this earlier round */
  readonly commitmentRound: number;
  /** fields in which any value is valid, such as a mask: a changed value is harmless */
  readonly free: readonly string[];
  /** the cheat's commitment to a payload; undefined when the payload does not decode */
  readonly commit: (payload: Uint8Array, config: SessionConfig) => Uint8Array | undefined;
}

/** A lie in every run, for the rounds that exist only after a lie. */
interface Prelude<Output> {
  /** the round in which the cheat lies; the suite mutates later rounds */
  readonly round: number;
  /** the cheat's own start */
  readonly start: (config: SessionConfig) => Start<Output>;
}

/** A protocol, with all that the suite needs to lie in each of its fields. */
export interface AttackedProtocol<Output> {
  readonly name: string;
  /**
   * ascending, at least three; the cheat is neither first nor last, so that there are honest parties before
   * and after it
   */
  readonly parties: readonly PartyIndex[];
  readonly cheat: PartyIndex;
  /** the values that the session id binds, with which the suite verifies every accusation as a third party does */
  readonly attempt: TestAttempt;
  /** whether the test itself made this check, so that no third party can repeat it */
  readonly isOwnCheck?: (check: string) => boolean;
  /**
   * Whether this check fails only for a cheat that knew beforehand a value that an honest party keeps secret
   * until it opens it. The test's cheat knows it, and then nobody can distinguish the copy from the original.
   */
  readonly takesForeknowledge?: (check: string) => boolean;
  /** a fresh start on every call */
  readonly start: (config: SessionConfig) => Start<Output>;
  /** every message of every round; an unlisted message fails the suite */
  readonly messages: readonly ProtocolMessage[];
  /** the flaw of the outputs of honest parties that did not name the cheat; undefined if none */
  readonly flawOf: (outputs: ReadonlyMap<PartyIndex, Output>) => string | undefined;
  /** values that a range check might miss: group orders, moduli */
  readonly integers?: ReadonlyMap<string, bigint>;
  readonly committed?: CommittedMessage;
  readonly prelude?: Prelude<Output>;
  /**
   * whether a round takes a secret, so that only one run can continue from before it: then every lie gets a
   * run of its own
   */
  readonly spends?: boolean;
}
