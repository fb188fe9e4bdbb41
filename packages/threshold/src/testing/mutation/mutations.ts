import { expectationsOf } from "../../blame/expectations.ts";
import { INSECURE_TEST_PARAMETERS } from "../../insecure-test-parameters.ts";
import type { SessionConfig } from "../../session/config.ts";
import { echoCodec } from "../../session/echo.ts";
import { ENVELOPE_KIND, type EnvelopeKind } from "../../session/envelope.ts";
import type { Expectation } from "../../session/round.ts";
import { openSession } from "../../session/session.ts";
import { seededEntropy } from "../seeded-entropy.ts";
import { testConfigs } from "../session-network.ts";
import type { AttackedProtocol, ProtocolMessage } from "./attacked-protocol.ts";
import { testAttempt } from "./attempts.ts";
import type { Cast, Mutation } from "./cast.ts";
import { envelopeMutations } from "./envelope-mutations.ts";
import { bystanderMutations, committedMutations, fieldMutations } from "./field-mutations.ts";
import { payloadIn } from "./message-lies.ts";
import { type Rehearsal, rehearse, type Stage } from "./rehearsal.ts";
import { type Expected, violationsOf } from "./violations.ts";

/** A mutation with its name, as a row of a test table. */
type NamedMutation = readonly [name: string, violations: Mutation["violations"]];

/** All mutations of one message of one round, such as "round 2 direct". */
type MutatedMessage = readonly [name: string, mutations: readonly NamedMutation[]];

const KINDS = Object.entries(ENVELOPE_KIND);

const mutationsOfMessage = <Output>(cast: Cast<Output>): readonly Mutation[] => {
  const honest = payloadIn(cast.stage, cast.kind, cast.cheat, cast.victim);
  if (honest === undefined) return [];
  return [
    ...fieldMutations(cast, honest),
    ...bystanderMutations(cast, honest),
    ...committedMutations(cast, honest),
    ...envelopeMutations(cast, honest),
  ];
};

const messageOf = <Output>(
  { messages, parties }: AttackedProtocol<Output>,
  round: number,
  kind: EnvelopeKind,
): Omit<ProtocolMessage, "round" | "kind"> | undefined =>
  kind === ENVELOPE_KIND.echo
    ? { codec: echoCodec(parties.length) }
    : messages.find((message) => message.round === round && ENVELOPE_KIND[message.kind] === kind);

/** The rounds and kinds of all messages of a run, such as "round 2 direct". */
const sentMessages = ({ stages }: Rehearsal<unknown>): ReadonlySet<string> =>
  new Set(
    stages.flatMap(({ opened }) =>
      opened.transits.flatMap(({ envelope }) =>
        KINDS.filter(([, kind]) => kind === envelope.kind).map(([name]) => `round ${envelope.round} ${name}`),
      ),
    ),
  );

/** The messages that are sent but not registered with the suite, or registered but never sent. */
const unaccounted = (sent: ReadonlySet<string>, messages: readonly ProtocolMessage[]): readonly string[] => {
  const registered = new Set(messages.map(({ round, kind }) => `round ${round} ${kind}`));
  return [
    ...[...sent].filter((name) => !registered.has(name)).map((name) => `${name} has no codec here`),
    ...[...registered].filter((name) => !sent.has(name)).map((name) => `${name} is never sent`),
  ];
};

const isSame = (one: Expectation | undefined, other: Expectation): boolean =>
  one?.broadcast === other.broadcast &&
  one.direct === other.direct &&
  one.payloadBytesMax === other.payloadBytesMax;

/**
 * The rounds whose expectations differ from blame/expectations.ts, by which a third party judges the length
 * of a payload.
 */
const unexpected = <Output>(
  { name, parties, attempt: fields }: AttackedProtocol<Output>,
  { stages }: Rehearsal<Output>,
): readonly string[] => {
  const { attempt } = testAttempt(name, parties, fields);
  const expectations = expectationsOf({ attempt, parameters: INSECURE_TEST_PARAMETERS });
  return stages
    .filter(({ round, expects }) => !isSame(expectations.get(round), expects))
    .map(({ round }) => `round ${round} expects other messages than blame/expectations.ts says`);
};

/** Every message of every round, with all deviations of a peer in it. */
export interface Mutations {
  readonly messages: readonly MutatedMessage[];
  /** messages that the suite does not know, or that are never sent: must be empty */
  readonly unaccounted: readonly string[];
  /** the violations in a run without lies, except for a prelude: must be empty */
  readonly ending: readonly string[];
}

/**
 * Runs a protocol once honestly, and lists all deviations of a cheat in it.
 *
 * @param protocol with the codec of each of its messages
 */
export const mutationsOf = <Output>(protocol: AttackedProtocol<Output>): Mutations => {
  const { name, parties, cheat, start, prelude, messages, spends = false } = protocol;
  const play = (session: string, upTo?: number): Rehearsal<Output> => {
    const configs = testConfigs(parties, testAttempt(session, parties, protocol.attempt).session);
    const startOf = (config: SessionConfig) =>
      prelude !== undefined && config.self === cheat ? prelude.start(config) : start(config);
    return rehearse({ configs, start: startOf, cheat, lyingRound: prelude?.round, upTo });
  };
  const rehearsal = play(name);
  const other = play(`${name}, another time`);
  const enter = (stage: Stage<Output>): Stage<Output> =>
    spends ? (play(name, stage.round).stages.at(-1) ?? stage) : stage;
  const config = rehearsal.end.sessions.get(cheat)?.config;
  if (config === undefined) throw new RangeError("the cheat is no party");
  const twin = openSession(config, start(config), seededEntropy(`twin in ${name}`)).send;
  const [victim, bystander] = parties.filter((party) => party !== cheat);
  if (victim === undefined || bystander === undefined) throw new RangeError("it takes three to lie");

  const mutated = (stage: Stage<Output>): readonly MutatedMessage[] =>
    KINDS.flatMap(([kindName, kind]) => {
      const message = messageOf(protocol, stage.round, kind);
      if (message === undefined) return [];
      const { codec, joint = [] } = message;
      const isEchoed = kind === ENVELOPE_KIND.broadcast && stage.expects.broadcast === "echo";
      const expected = (path: string): Expected => (joint.includes(path) ? "named or awaited" : "named");
      const people = { cheat, twin, victim, bystander };
      const cast = { protocol, codec, expected, enter, isEchoed, rehearsal, other, stage, kind, ...people };
      const mutations = mutationsOfMessage(cast);
      const named = mutations.map(({ name: what, violations }) => [what, violations] as const);
      return named.length === 0 ? [] : [[`round ${stage.round} ${kindName}`, named] as const];
    });
  return {
    messages: rehearsal.stages.filter(({ round }) => round > (prelude?.round ?? 0)).flatMap(mutated),
    unaccounted: [
      ...unaccounted(sentMessages(rehearsal), messages),
      ...(protocol.isOwnCheck?.("what rounds expect") === true ? [] : unexpected(protocol, rehearsal)),
    ],
    ending: violationsOf(
      protocol,
      rehearsal.end,
      [victim, bystander],
      prelude === undefined ? "harmless" : "named by all",
    ),
  };
};
