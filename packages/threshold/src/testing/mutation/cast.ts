import type { PartyIndex } from "../../fault.ts";
import { type Attack, attack } from "./attack.ts";
import type { AttackedProtocol, ProtocolMessage } from "./attacked-protocol.ts";
import { payloadLie, type Scene } from "./message-lies.ts";
import type { Stage } from "./rehearsal.ts";
import { type Expected, violationsOf } from "./verdict.ts";

/** One thing that a peer may do wrong, or one field that it may do it in. */
export interface Mutation {
  /** reads as the end of a sentence */
  readonly name: string;
  /** does it in every way, and says what came of it that should not have; nothing when all is well */
  readonly violations: () => readonly string[];
}

/** A scene, and the protocol that is played in it. */
export interface Cast<Output> extends Scene<Output> {
  readonly protocol: AttackedProtocol<Output>;
  readonly codec: ProtocolMessage["codec"];
  /** what must come of a lie in a field */
  readonly expected: (path: string) => Expected;
  /** the stage as the next lie is to find it */
  readonly enter: (stage: Stage<Output>) => Stage<Output>;
  /** whether what the cheat tells one party alone is compared with what it told others */
  readonly isEchoed: boolean;
}

export const flipped = (bytes: Uint8Array, position: number): Uint8Array =>
  bytes.map((byte, at) => (at === position ? byte ^ 1 : byte));

export const prefixed = (name: string, violations: readonly string[]): readonly string[] =>
  violations.map((violation) => `${name}: ${violation}`);

/** Tells lies and says what is wrong with what came of them. */
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

/** A payload told to whoever can notice: to all where echoes compare, else to one alone. */
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
