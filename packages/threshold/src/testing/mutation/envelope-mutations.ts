import { equalBytes } from "@noble/curves/utils.js";
import type { PartyIndex } from "../../fault.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind } from "../../session/envelope.ts";
import { provesEquivocation } from "../../session/signed-message.ts";
import { insecurePeerKeys } from "../session-network.ts";
import { type Cast, type Mutation, outcomeOf, outcomeOfPayload, withBitFlipped } from "./cast.ts";
import { harmlessForms, violationsOfHarmless } from "./harmless.ts";
import { type Lie, resign } from "./lie.ts";
import { payloadLie, sentIn, wrongPayloads } from "./message-lies.ts";
import { arrive } from "./rehearsal.ts";
import { violationsOf } from "./violations.ts";

const kindOf = ({ to }: Envelope): EnvelopeKind =>
  to === 0 ? ENVELOPE_KIND.broadcast : ENVELOPE_KIND.direct;

const wholeMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] =>
  [...wrongPayloads(cast, honest)]
    .filter(([, payload]) => !equalBytes(payload, honest))
    .map(([name, payload]) => ({
      name: `that holds ${name}`,
      violations: () => outcomeOfPayload(cast, payload),
    }));

/** Broken seals: none of them may open. */
const sealMutations = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const { stage, kind, cheat, victim, bystander } = cast;
  if (kind !== ENVELOPE_KIND.direct || stage.expects.direct !== "sealed") return [];
  const broken = (name: string, change: (sealed: Uint8Array) => Uint8Array): Mutation => ({
    name: `whose seal ${name}`,
    violations: () => {
      const forge: Lie["forge"] = (envelope) => [
        resign(envelope, { payload: change(envelope.payload) }, cheat),
      ];
      const lies = [{ round: stage.round, kind, to: victim, forge }];
      return outcomeOf(cast, { lies, heard: [victim], until: "first", expected: "named" });
    },
  });
  const another = sentIn(stage, kind, cheat, bystander)?.payload;
  return [
    broken("has another ephemeral key", (sealed) => withBitFlipped(sealed, 0)),
    broken("has an ephemeral key of low order", (sealed) => sealed.map((byte, at) => (at < 32 ? 0 : byte))),
    broken("has a changed tag", (sealed) => withBitFlipped(sealed, sealed.length - 1)),
    broken("has changed content", (sealed) => withBitFlipped(sealed, 40)),
    broken("is cut off", (sealed) => sealed.slice(0, 40)),
    broken("is missing", () => new Uint8Array(0)),
    broken("is for another receiver", (sealed) => another ?? sealed),
  ];
};

/** Only one party receives the lie: echoes show it to all, a commitment or a proof at least to that party. */
const twoFaced = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { stage, kind, cheat, victim, bystander, isEchoed } = cast;
  if (kind !== ENVELOPE_KIND.broadcast) return [];
  const forge = (to: PartyIndex): readonly string[] => {
    const lies = [payloadLie(stage, kind, cheat, to, withBitFlipped(honest, honest.length - 1))];
    const expected = isEchoed ? "named by all" : "named";
    return outcomeOf(cast, { lies, heard: [to], until: "rest", expected });
  };
  return [victim, bystander].map((to) => ({
    name: `that party ${to} alone gets otherwise`,
    violations: () => forge(to),
  }));
};

/** P12: a cheat runs the protocol twice, and sends one party the messages of the second run, which fit together. */
const twins = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const { stage, kind, twin, victim, bystander, isEchoed } = cast;
  const isFirst = twin.some((envelope) => envelope.round === stage.round);
  if (!isFirst || !isEchoed || kind !== ENVELOPE_KIND.broadcast) return [];
  const liesTo = (to: PartyIndex): readonly Lie[] =>
    twin
      .filter((envelope) => envelope.to === 0 || envelope.to === to)
      .map((envelope) => ({ round: envelope.round, kind: kindOf(envelope), to, forge: () => [envelope] }));
  return [victim, bystander].map((to) => ({
    name: `of a sender that is another to party ${to} alone`,
    violations: () =>
      outcomeOf(cast, { lies: liesTo(to), heard: [to], until: "rest", expected: "named by all" }),
  }));
};

/** P12: two different messages for one slot prove equivocation, in either order. */
const twiceToOne = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => {
  const { protocol, stage, kind, cheat, victim } = cast;
  const envelope = sentIn(stage, kind, cheat, victim);
  if (envelope === undefined) return [];
  const [other] = payloadLie(stage, kind, cheat, victim, withBitFlipped(honest, 0)).forge(envelope, victim);
  if (other === undefined) return [];
  const send = (first: Envelope, second: Envelope): readonly string[] => {
    const once = arrive(stage.opened, { to: victim, envelope: first }).world;
    const { world } = arrive(once, { to: victim, envelope: second });
    const outcome = world.sessions.get(victim)?.outcome;
    const [a, b] = outcome?.kind === "fault" ? outcome.fault.messages : [];
    const isProven =
      a !== undefined && b !== undefined && provesEquivocation(a, b, insecurePeerKeys(cheat).identity);
    return [
      ...violationsOf(protocol, { ...world, delivered: [other] }, [victim], "named"),
      ...(isProven ? [] : ["two envelopes that do not prove equivocation"]),
    ];
  };
  return [
    { name: "that is followed by another", violations: () => send(envelope, other) },
    { name: "that follows another", violations: () => send(other, envelope) },
  ];
};

const silence = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const { stage, kind, victim, bystander } = cast;
  const withhold = (to: Lie["to"]): readonly string[] => {
    const heard = to === "all" ? [victim, bystander] : [to];
    const lies = [{ round: stage.round, kind, to, forge: () => [] }];
    return outcomeOf(cast, { lies, heard, until: "rest", expected: "awaited" });
  };
  return [
    { name: "that one party never gets: it waits for the sender alone", violations: () => withhold(victim) },
    { name: "that nobody gets: all wait for the sender alone", violations: () => withhold("all") },
  ];
};

/**
 * A message of the next round that arrives early: a second one then proves equivocation; an unexpected one is
 * dropped.
 */
const earlyMutations = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const { rehearsal, stage, kind, cheat, victim } = cast;
  const next = rehearsal.stages.find(({ round }) => round > stage.round);
  if (next === undefined || kind !== ENVELOPE_KIND.broadcast) return [];
  const early = (name: string, payload: Uint8Array): Mutation => ({
    name: `that brings ${name} of the next round along`,
    violations: () => {
      const forge: Lie["forge"] = (honest) => [resign(honest, { round: next.round, payload }, cheat), honest];
      const lies = [{ round: stage.round, kind, to: victim, forge }];
      return outcomeOf(cast, { lies, heard: [victim], until: "rest", expected: "named or harmless" });
    },
  });
  return [
    early("a message", new Uint8Array(32)),
    early("a message above the limit", new Uint8Array(next.expects.payloadBytesMax + 1000)),
  ];
};

const harmlessMutations = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const envelope = sentIn(cast.stage, cast.kind, cast.cheat, cast.victim);
  if (envelope === undefined) return [];
  return harmlessForms(cast, envelope).map((form) => ({
    name: `${form.name} is ignored`,
    violations: () => violationsOfHarmless(cast, form),
  }));
};

/** All deviations that concern a whole envelope, whatever its fields. */
export const envelopeMutations = <Output>(cast: Cast<Output>, honest: Uint8Array): readonly Mutation[] => [
  ...wholeMutations(cast, honest),
  ...sealMutations(cast),
  ...twoFaced(cast, honest),
  ...twins(cast),
  ...twiceToOne(cast, honest),
  ...silence(cast),
  ...earlyMutations(cast),
  ...harmlessMutations(cast),
];
