import { ROUNDS_AHEAD_MAX } from "../../session/admission.ts";
import { ENVELOPE_KIND, type Envelope, PAYLOAD_BYTES_MAX } from "../../session/envelope.ts";
import type { IgnoreReason } from "../../session/outcome.ts";
import { resign } from "./lie.ts";
import { type Scene, sentIn } from "./message-lies.ts";
import { arrive } from "./rehearsal.ts";

/** An envelope that proves nothing against anybody, and the reason to ignore it. */
interface Harmless {
  readonly name: string;
  readonly envelope: Envelope;
  readonly reason: IgnoreReason;
}

const flipLast = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at === bytes.length - 1 ? byte ^ 1 : byte));

/** Variants of an honest envelope that another party made, or that were sent to a wrong place. */
export const harmlessForms = (scene: Scene<unknown>, honest: Envelope): readonly Harmless[] => {
  const { other, stage, kind, cheat, victim, bystander } = scene;
  const otherStage = other.stages.find(({ round }) => round === stage.round);
  const foreign = otherStage && sentIn(otherStage, kind, cheat, victim);
  const to = kind === ENVELOPE_KIND.direct ? bystander : victim;
  const tooLong = new Uint8Array(PAYLOAD_BYTES_MAX + 1);
  const tooEarly = stage.round + ROUNDS_AHEAD_MAX + 1;
  const unknownKind = 9;
  const resigned = (change: Partial<Omit<Envelope, "signature">>): Envelope => resign(honest, change, cheat);
  return [
    { name: "unsigned", envelope: { ...honest, signature: new Uint8Array(64) }, reason: "unsigned" },
    {
      name: "with a signature of no length",
      envelope: { ...honest, signature: new Uint8Array(0) },
      reason: "unsigned",
    },
    {
      name: "with a changed payload",
      envelope: { ...honest, payload: Uint8Array.of(1) },
      reason: "unsigned",
    },
    {
      name: "with a changed signature",
      envelope: { ...honest, signature: flipLast(honest.signature) },
      reason: "unsigned",
    },
    { name: "signed by another", envelope: resign(honest, {}, bystander), reason: "unsigned" },
    {
      name: "in the name of an honest party",
      envelope: resigned({ from: bystander, payload: Uint8Array.of(1) }),
      reason: "unsigned",
    },
    { name: "in the name of its receiver", envelope: resigned({ from: victim }), reason: "foreign" },
    { name: "in the name of an outsider", envelope: resigned({ from: 63 }), reason: "foreign" },
    { name: "for another receiver", envelope: resigned({ to }), reason: "misaddressed" },
    { name: "of an unknown kind", envelope: resigned({ kind: unknownKind }), reason: "unexpected" },
    { name: "of a round that is over", envelope: resigned({ round: stage.round - 1 }), reason: "stale" },
    { name: "far too early", envelope: resigned({ round: tooEarly }), reason: "overfull" },
    { name: "far too long", envelope: resigned({ payload: tooLong }), reason: "overfull" },
    {
      name: "with another session's id",
      envelope: resigned({ session: flipLast(honest.session) }),
      reason: "foreign",
    },
    ...(foreign === undefined
      ? []
      : [
          { name: "of another session, as it was sent there", envelope: foreign, reason: "foreign" as const },
        ]),
  ];
};

/**
 * The violations when the victim receives such an envelope: it must ignore the envelope and leave its session
 * unchanged.
 */
export const violationsOfHarmless = (
  { stage, victim }: Scene<unknown>,
  { envelope, reason }: Harmless,
): readonly string[] => {
  const { ignored, world } = arrive(stage.waiting, { to: victim, envelope });
  const isUnchanged = world.sessions.get(victim) === stage.waiting.sessions.get(victim);
  return [
    ...(ignored === reason ? [] : [`${ignored ?? "taken"} instead of ${reason}`]),
    ...(isUnchanged ? [] : ["the session is not as it was"]),
  ];
};
