import { concatBytes } from "@noble/curves/utils.js";
import type { PartyIndex } from "../../fault.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind } from "../../session/envelope.ts";
import { closePayload, type Lie, openPayload, resign } from "./lie.ts";
import type { Rehearsal, Stage } from "./rehearsal.ts";

/** The envelope of this kind that one party sent to another in a stage, if any. */
export const sentIn = (
  { round, opened, waiting }: Stage<unknown>,
  kind: EnvelopeKind,
  from: PartyIndex,
  to: PartyIndex,
): Envelope | undefined =>
  [...opened.transits, ...waiting.transits]
    .filter((transit) => transit.to === to)
    .map(({ envelope }) => envelope)
    .find((envelope) => envelope.round === round && envelope.kind === kind && envelope.from === from);

/** The payload of the envelope that `sentIn` finds. */
export const payloadIn = (
  stage: Stage<unknown>,
  kind: EnvelopeKind,
  from: PartyIndex,
  to: PartyIndex,
): Uint8Array | undefined => {
  const envelope = sentIn(stage, kind, from, to);
  return envelope && openPayload(envelope, to, stage.expects.direct);
};

/** A lie that sends this payload, signed by the cheat and sealed if the round requires it. */
export const payloadLie = (
  { round, expects }: Stage<unknown>,
  kind: EnvelopeKind,
  cheat: PartyIndex,
  to: Lie["to"],
  payload: Uint8Array,
): Lie => ({
  round,
  kind,
  to,
  forge: (honest, receiver) => [
    resign(honest, { payload: closePayload(payload, honest, receiver, expects.direct) }, cheat),
  ],
});

/** The parties and runs that the lies of a cheat need. */
export interface Scene<Output> {
  readonly rehearsal: Rehearsal<Output>;
  /** a run of the same protocol among the same parties, in another session */
  readonly other: Rehearsal<Output>;
  readonly stage: Stage<Output>;
  readonly kind: EnvelopeKind;
  readonly cheat: PartyIndex;
  readonly victim: PartyIndex;
  /** an honest party beside the victim */
  readonly bystander: PartyIndex;
  /** the first messages of the cheat with other secrets */
  readonly twin: readonly Envelope[];
}

/** The same message from other contexts. */
export const payloadsElsewhere = (scene: Scene<unknown>): ReadonlyMap<string, Uint8Array> => {
  const { other, stage, kind, cheat, victim, bystander } = scene;
  const otherStage = other.stages.find(({ round }) => round === stage.round);
  const found: readonly (readonly [string, Uint8Array | undefined])[] = [
    ["another session", otherStage && payloadIn(otherStage, kind, cheat, victim)],
    ["another peer", payloadIn(stage, kind, bystander, victim)],
    ["another receiver", payloadIn(stage, kind, cheat, bystander)],
  ];
  return new Map(found.flatMap(([name, payload]) => (payload === undefined ? [] : [[name, payload]])));
};

/** The messages of the cheat in earlier rounds. */
const earlier = ({ rehearsal, stage, cheat, victim }: Scene<unknown>) =>
  rehearsal.stages
    .filter(({ round }) => round < stage.round)
    .flatMap((past) =>
      Object.entries(ENVELOPE_KIND).flatMap(([name, kind]) => {
        const payload = payloadIn(past, kind, cheat, victim);
        return payload === undefined ? [] : [[`the ${name} of round ${past.round}`, payload] as const];
      }),
    );

/** Payloads that are wrong as a whole: truncated, extended, or from elsewhere. */
export const wrongPayloads = (scene: Scene<unknown>, honest: Uint8Array): ReadonlyMap<string, Uint8Array> =>
  new Map([
    ["nothing", new Uint8Array(0)],
    ["its first half", honest.slice(0, honest.length >> 1)],
    ["all but its last byte", honest.slice(0, -1)],
    ["a byte more", concatBytes(honest, Uint8Array.of(0))],
    ["more bytes than the round allows", new Uint8Array(scene.stage.expects.payloadBytesMax + 1)],
    ...payloadsElsewhere(scene),
    ...earlier(scene),
  ]);
