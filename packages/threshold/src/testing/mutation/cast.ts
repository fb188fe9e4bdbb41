import type { PartyIndex } from "../../fault.ts";
import { type Attack, attack } from "./attack.ts";
import type { AttackedProtocol, ProtocolMessage } from "./attacked-protocol.ts";
import { payloadLie, type Scene } from "./message-lies.ts";
import type { Stage } from "./rehearsal.ts";
import { type Expected, violationsOf } from "./violations.ts";

/** One deviation of a peer, or all deviations in one field. */
export interface Mutation {
  /** fits the end of a sentence */
  readonly name: string;
  /** tries every variant, and returns the violations; empty when there are none */
  readonly violations: () => readonly string[];
}

/** A scene with its protocol. */
export interface Cast<Output> extends Scene<Output> {
  readonly protocol: AttackedProtocol<Output>;
  readonly codec: ProtocolMessage["codec"];
  /** the required outcome of a lie in a field */
  readonly expected: (path: string) => Expected;
  /** the stage for the next lie: the same stage, or that of a new run */
  readonly enter: (stage: Stage<Output>) => Stage<Output>;
  /** whether echoes compare the cheat's messages to different parties */
  readonly isEchoed: boolean;
}

export const withBitFlipped = (bytes: Uint8Array, position: number): Uint8Array =>
  bytes.map((byte, at) => (at === position ? byte ^ 1 : byte));

export const prefixed = (name: string, violations: readonly string[]): readonly string[] =>
  violations.map((violation) => `${name}: ${violation}`);

/** Sends lies and returns the violations in their outcome. */
export const outcomeOf = <Output>(
  { protocol, cheat, stage, enter }: Cast<Output>,
  {
    lies,
    heard,
    until,
    expected,
  }: Pick<Attack<Output>, "lies" | "heard" | "until"> & { readonly expected: Expected },
): readonly string[] => {
  try {
    const world = attack({ stage: enter(stage), cheat, lies, heard, until });
    return violationsOf(protocol, world, heard, expected);
  } catch (error) {
    return [`a crash: ${error instanceof Error ? error.message : "of an unknown kind"}`];
  }
};

/** Sends a payload to the parties that can detect it: to all if echoes compare it, otherwise to one. */
export const outcomeOfPayload = <Output>(
  cast: Cast<Output>,
  payload: Uint8Array,
  expected: Expected = "named",
  listener: PartyIndex = cast.victim,
): readonly string[] => {
  const { stage, kind, cheat, isEchoed } = cast;
  const lie = payloadLie(stage, kind, cheat, isEchoed ? "all" : listener, payload);
  return outcomeOf(cast, { lies: [lie], heard: [listener], until: "first", expected });
};
