import type { Entropy } from "../entropy.ts";
import type { PartyIndex } from "../fault.ts";
import { admit, enterRound } from "./admission.ts";
import { assertConfig, keysOf, peersOf, type SessionConfig } from "./config.ts";
import { type Broadcasts, encodeEcho, findEchoFault } from "./echo.ts";
import { ENVELOPE_KIND, type Envelope, type EnvelopeKind, signEnvelope } from "./envelope.ts";
import { concludeHere } from "./examination.ts";
import { EMPTY_MAILBOX, find, type Mailbox, messagesAgainst, ofRound, type Received } from "./mailbox.ts";
import { NO_MATERIAL } from "./material.ts";
import type { Fault, IgnoreReason, Outcome } from "./outcome.ts";
import type { CheckResult, Examination, Inbox, Outgoing, Round, Start, Step } from "./round.ts";
import { seal, unseal } from "./seal.ts";
import { signedHash } from "./signed-message.ts";

/**
 * One run of one protocol at one party. Immutable: `deliver` returns a new session and leaves this one
 * unchanged, so a caller can store the new session before it sends anything.
 */
export interface Session<Output> {
  readonly config: SessionConfig;
  readonly outcome: Outcome<Output>;
  /** only for `deliver`; undefined once the session has ended, so that its messages and secrets are dropped */
  readonly waiting: Waiting<Output> | undefined;
}

/** The state of a running session between two events. */
interface Waiting<Output> {
  readonly round: Round<Output>;
  readonly mailbox: Mailbox;
  /** our own broadcast of this round, to compare with others' echoes */
  readonly ownBroadcast: Envelope | undefined;
  /** our own broadcasts of this and all earlier rounds, for the evidence of a fault */
  readonly spoken: readonly Envelope[];
  readonly hasEchoed: boolean;
  /** set while the caller performs the checks of this round, whose messages have all arrived */
  readonly examination?: Examination<Output>;
}

/** The part of the state that outlives a round. */
type Memory = Pick<Waiting<unknown>, "mailbox" | "spoken">;

const EMPTY_MEMORY: Memory = { mailbox: EMPTY_MAILBOX, spoken: [] };

/** The result of one event in a session. */
export interface Progress<Output> {
  readonly session: Session<Output>;
  /** our envelopes, to be sent in this order; `to: 0` goes to every other party */
  readonly send: readonly Envelope[];
  readonly outcome: Outcome<Output>;
  /** set when the envelope was harmless and had no effect */
  readonly ignored?: IgnoreReason;
}

/** An outcome that ends a session. */
type Ending<Output> = Exclude<Outcome<Output>, { readonly kind: "running" }>;

/** The result of one transition: wait for messages, continue with another transition, or end. */
type Turn<Output> =
  | {
      readonly kind: "wait" | "continue";
      readonly waiting: Waiting<Output>;
      readonly send: readonly Envelope[];
    }
  | { readonly kind: "end"; readonly ending: Ending<Output> };

/**
 * Starts a protocol. Messages may arrive before, from peers that started sooner; the caller keeps them until
 * the session is open.
 *
 * @param start of the protocol; its first round may have any number from 1
 * @param entropy for the protocol's secrets and for sealing; the same entropy gives the same bytes
 * @throws RangeError when the configuration is invalid
 */
export const openSession = <Output>(
  config: SessionConfig,
  start: Start<Output>,
  entropy: Entropy,
): Progress<Output> => {
  assertConfig(config);
  return crank(config, takeStep(config, EMPTY_MEMORY, 0, start(entropy), entropy), entropy);
};

/**
 * Delivers one envelope from an untrusted source to a session. Never throws on any content: the session
 * advances, ignores the envelope with a reason, or ends with a fault that names the signer.
 *
 * @param envelope decoded by envelopeCodec, otherwise unchecked
 * @param entropy for the randomness of the next round
 * @returns a new session; the given one stays unchanged
 */
export const deliver = <Output>(
  session: Session<Output>,
  envelope: Envelope,
  entropy: Entropy,
): Progress<Output> => {
  const { config, waiting, outcome } = session;
  if (waiting === undefined) return { session, send: [], outcome, ignored: "finished" };
  const admission = admit(config, waiting.round, waiting.mailbox, envelope);
  switch (admission.kind) {
    case "ignored":
      return { session, send: [], outcome, ignored: admission.reason };
    case "fault":
      return end(config, [], { kind: "fault", fault: admission.fault });
    case "kept": {
      const kept: Waiting<Output> = { ...waiting, mailbox: admission.mailbox };
      const kind = kept.examination === undefined ? "continue" : "wait";
      return crank(config, { kind, waiting: kept, send: [] }, entropy);
    }
  }
};

/**
 * Continues a session that stopped for its checks (config.checks). A session that has ended meanwhile stays
 * unchanged.
 *
 * @param results one for each of its `pendingChecks`
 * @returns the result that `deliver` would have returned if the session had performed the checks itself
 * @throws RangeError when the session waits for no results, or for others: a bug of the caller
 */
export const resume = <Output>(
  session: Session<Output>,
  results: ReadonlyMap<PartyIndex, CheckResult>,
  entropy: Entropy,
): Progress<Output> => {
  const { config, waiting, outcome } = session;
  if (waiting === undefined) return { session, send: [], outcome, ignored: "finished" };
  const { examination, ...examined } = waiting;
  const isFit = examination?.checks.every(({ peer }) => results.has(peer)) ?? false;
  if (examination === undefined || !isFit) throw new RangeError("the session waits for other verdicts");
  const resultOf = (peer: PartyIndex): CheckResult => {
    const result = results.get(peer);
    if (result === undefined) throw new RangeError(`no verdict on party ${peer}`);
    return result;
  };
  const step = examination.conclude(resultOf, entropy);
  return crank(config, takeStep(config, examined, examined.round.number, step, entropy), entropy);
};

const end = <Output>(
  config: SessionConfig,
  send: readonly Envelope[],
  outcome: Ending<Output>,
): Progress<Output> => ({ session: { config, outcome, waiting: undefined }, send, outcome });

/** Makes all possible transitions: the messages of the next round may already have arrived. */
const crank = <Output>(config: SessionConfig, first: Turn<Output>, entropy: Entropy): Progress<Output> => {
  const send: Envelope[] = [];
  for (let turn = first; ; turn = takeTurn(config, turn.waiting, entropy)) {
    if (turn.kind === "end") return end(config, send, turn.ending);
    send.push(...turn.send);
    if (turn.kind === "continue") continue;
    const outcome: Outcome<Output> = { kind: "running", round: turn.waiting.round.number };
    return { session: { config, outcome, waiting: turn.waiting }, send, outcome };
  }
};

const accuse = <Output>(fault: Fault): Turn<Output> => ({ kind: "end", ending: { kind: "fault", fault } });

const takeTurn = <Output>(
  config: SessionConfig,
  waiting: Waiting<Output>,
  entropy: Entropy,
): Turn<Output> => {
  const { round } = waiting;
  const wait: Turn<Output> = { kind: "wait", waiting, send: [] };
  const broadcasts = received(config, waiting, ENVELOPE_KIND.broadcast);
  if (round.expects.broadcast !== "none" && broadcasts === undefined) {
    const step = round.early?.(arrivedBroadcasts(waiting));
    return step === undefined ? wait : takeStep(config, waiting, round.number, step, entropy);
  }
  if (round.expects.broadcast === "echo" && broadcasts !== undefined) {
    if (!waiting.hasEchoed) return sendEcho(config, waiting, broadcasts);
    const fault = checkEchoes(config, waiting, broadcasts);
    if (fault !== undefined) return accuse(fault);
    if (received(config, waiting, ENVELOPE_KIND.echo) === undefined) return wait;
  }
  if (round.expects.direct !== "none" && received(config, waiting, ENVELOPE_KIND.direct) === undefined) {
    return wait;
  }
  const inbox = openInbox(config, waiting);
  if (inbox.kind === "fault") return accuse(inbox.fault);
  const examination = config.checks === "apart" ? round.examine?.(inbox.inbox) : undefined;
  if (examination !== undefined && examination.checks.length > 1) {
    return { kind: "wait", waiting: { ...waiting, examination }, send: [] };
  }
  const step =
    examination === undefined ? round.advance(inbox.inbox, entropy) : concludeHere(examination, entropy);
  return takeStep(config, waiting, round.number, step, entropy);
};

const arrivedBroadcasts = ({ round, mailbox }: Waiting<unknown>): ReadonlyMap<PartyIndex, Uint8Array> =>
  new Map(
    ofRound(mailbox, round.number)
      .filter(({ kind }) => kind === ENVELOPE_KIND.broadcast)
      .map(({ from, envelope }) => [from, envelope.payload]),
  );

/** The messages of one kind in this round; undefined when any party's is missing. */
const received = (
  config: SessionConfig,
  { round, mailbox }: Waiting<unknown>,
  kind: EnvelopeKind,
): readonly Received[] | undefined => {
  const peers = peersOf(config);
  const found = peers.flatMap((from) => find(mailbox, round.number, kind, from) ?? []);
  return found.length === peers.length ? found : undefined;
};

const sendEcho = <Output>(
  config: SessionConfig,
  waiting: Waiting<Output>,
  broadcasts: readonly Received[],
): Turn<Output> => {
  const echo = sign(config, waiting.round.number, ENVELOPE_KIND.echo, 0, encodeEcho(config, broadcasts));
  return { kind: "continue", waiting: { ...waiting, hasEchoed: true }, send: [echo] };
};

/**
 * Checks the echoes that have arrived, in the order of parties, without waiting for the rest: a party that
 * equivocates may also fall silent, and this makes its silence a fault rather than an outage.
 */
const checkEchoes = (
  config: SessionConfig,
  waiting: Waiting<unknown>,
  broadcasts: readonly Received[],
): Fault | undefined => {
  const said: Broadcasts = new Map([
    ...broadcasts.map((broadcast) => [broadcast.from, broadcast] as const),
    ...ownSaying(config, waiting),
  ]);
  for (const from of peersOf(config)) {
    const echo = find(waiting.mailbox, waiting.round.number, ENVELOPE_KIND.echo, from);
    const fault = echo === undefined ? undefined : findEchoFault(config, said, echo);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const ownSaying = (config: SessionConfig, { ownBroadcast }: Waiting<unknown>) =>
  ownBroadcast === undefined
    ? []
    : [[config.self, { envelope: ownBroadcast, payloadHash: signedHash(ownBroadcast).payloadHash }] as const];

type Opened =
  | { readonly kind: "open"; readonly inbox: Inbox }
  | { readonly kind: "fault"; readonly fault: Fault };

/** The inbox of the round, with sealed messages decrypted; or the fault of a message that does not open. */
const openInbox = (config: SessionConfig, waiting: Waiting<unknown>): Opened => {
  const { round } = waiting;
  const broadcasts = new Map<PartyIndex, Uint8Array>();
  const directs = new Map<PartyIndex, Uint8Array>();
  for (const { from, kind, envelope } of ofRound(waiting.mailbox, round.number)) {
    if (kind === ENVELOPE_KIND.broadcast) broadcasts.set(from, envelope.payload);
    if (kind !== ENVELOPE_KIND.direct) continue;
    const payload =
      round.expects.direct === "sealed"
        ? unseal(envelope.payload, config.secrets.reveal().encryption, envelope)
        : envelope.payload;
    if (payload === undefined) {
      const check = `round ${round.number}: sealed message does not open`;
      return { kind: "fault", fault: { culprit: from, check, messages: [envelope], material: NO_MATERIAL } };
    }
    directs.set(from, payload);
  }
  const inbox = {
    broadcast: readFrom(broadcasts),
    direct: readFrom(directs),
    signed: () => signedIn(waiting),
  };
  return { kind: "open", inbox };
};

const signedIn = ({ round, mailbox, ownBroadcast }: Waiting<unknown>): readonly Envelope[] => [
  ...(ownBroadcast === undefined ? [] : [ownBroadcast]),
  ...ofRound(mailbox, round.number)
    .filter(({ kind }) => kind !== ENVELOPE_KIND.direct)
    .map(({ envelope }) => envelope),
];

const readFrom =
  (payloads: ReadonlyMap<PartyIndex, Uint8Array>) =>
  (from: PartyIndex): Uint8Array => {
    const payload = payloads.get(from);
    if (payload === undefined) throw new RangeError(`the round did not expect a message from party ${from}`);
    return payload;
  };

/** Converts a step of a protocol to signed envelopes and the state of the next round, or to the session's end. */
const takeStep = <Output>(
  config: SessionConfig,
  memory: Memory,
  current: number,
  step: Step<Output>,
  entropy: Entropy,
): Turn<Output> => {
  switch (step.kind) {
    case "output":
    case "abort":
      return { kind: "end", ending: step };
    case "fault": {
      const { accusation, material = NO_MATERIAL } = step;
      const { culprit, check } = accusation;
      const messages = messagesAgainst(memory.mailbox, culprit, current, memory.spoken);
      return accuse({ culprit, check, messages, material });
    }
    case "next":
      return enter(config, memory, current, step, entropy);
  }
};

const enter = <Output>(
  config: SessionConfig,
  { mailbox, spoken }: Memory,
  current: number,
  { round, messages }: Extract<Step<Output>, { readonly kind: "next" }>,
  entropy: Entropy,
): Turn<Output> => {
  if (round.number <= current) throw new RangeError("the rounds of a protocol are numbered upwards");
  const entry = enterRound(config, round, mailbox);
  if (entry.kind === "fault") return accuse(entry.fault);
  const send = messages.map((message) => wrap(config, round, message, entropy));
  const ownBroadcast = send.find(({ kind }) => kind === ENVELOPE_KIND.broadcast);
  return {
    kind: "continue",
    waiting: {
      round,
      mailbox: entry.mailbox,
      ownBroadcast,
      spoken: ownBroadcast === undefined ? spoken : [...spoken, ownBroadcast],
      hasEchoed: false,
    },
    send,
  };
};

const wrap = (
  config: SessionConfig,
  round: Round<unknown>,
  { to, payload }: Outgoing,
  entropy: Entropy,
): Envelope => {
  if (to === "all") return sign(config, round.number, ENVELOPE_KIND.broadcast, 0, payload);
  const header = {
    session: config.session,
    round: round.number,
    kind: ENVELOPE_KIND.direct,
    from: config.self,
    to,
  };
  const body =
    round.expects.direct === "sealed"
      ? seal(payload, keysOf(config, to).encryption, header, entropy)
      : payload;
  return sign(config, round.number, ENVELOPE_KIND.direct, to, body);
};

const sign = (
  { session, self, secrets }: SessionConfig,
  round: number,
  kind: EnvelopeKind,
  to: number,
  payload: Uint8Array,
): Envelope => signEnvelope({ session, round, kind, from: self, to }, payload, secrets.reveal().identity);
