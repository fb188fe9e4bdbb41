import { equalBytes } from "@noble/curves/utils.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { cannotBeShown } from "../../blame/cannot-be-shown.ts";
import { type Evidence, evidenceOf } from "../../blame/evidence.ts";
import { verifyFault } from "../../blame/verify-fault.ts";
import { decode, encode } from "../../codec.ts";
import { type PartyIndex, partyIndex } from "../../fault.ts";
import { awaited } from "../../session/awaited.ts";
import { type Envelope, isSignedBy, type SessionId } from "../../session/envelope.ts";
import type { Fault } from "../../session/outcome.ts";
import type { Session } from "../../session/session.ts";
import {
  type SignedHash,
  type SignedMessage,
  signedHash,
  signedMessageCodec,
} from "../../session/signed-message.ts";
import { insecurePeerKeys } from "../session-network.ts";
import type { AttackedProtocol } from "./attacked-protocol.ts";
import { testAttempt, testRoster } from "./attempts.ts";
import type { World } from "./rehearsal.ts";

/**
 * The required outcome of a lie (INV-7). "named": a party that received it names the cheat, with messages
 * that the cheat signed. "named by all": every honest party does. "harmless": every honest party has its
 * output. "awaited": the parties that did not receive it wait only for the cheat.
 */
export type Expected =
  | "named"
  | "named by all"
  | "named or harmless"
  | "named or awaited"
  | "harmless"
  | "awaited";

/** Whether this evidence is the lie. */
const isOf = ({ header, payloadHash }: SignedHash, lie: Envelope): boolean =>
  header.round === lie.round && header.kind === lie.kind && equalBytes(payloadHash, sha256(lie.payload));

/** Cached signature checks: most evidence recurs in thousands of outcomes. */
const checked = new WeakMap<SignedMessage, boolean>();

const isSigned = (evidence: SignedMessage): boolean => {
  const known = checked.get(evidence);
  if (known !== undefined) return known;
  const { header, payloadHash, signature } = signedHash(evidence);
  const signer = partyIndex(header.from);
  const isGood =
    signer !== undefined && isSignedBy(insecurePeerKeys(signer).identity, header, payloadHash, signature);
  checked.set(evidence, isGood);
  return isGood;
};

const survivesItsCodec = (evidence: SignedMessage): boolean => {
  const bytes = encode(signedMessageCodec, evidence);
  const decoded = decode(signedMessageCodec, bytes);
  return decoded.ok && equalBytes(encode(signedMessageCodec, decoded.value), bytes);
};

const flawsOfEvidence = (
  fault: Fault,
  session: SessionId,
  delivered: readonly Envelope[],
): readonly string[] => {
  const pieces = fault.messages.map(signedHash);
  const ofCulprit = pieces.filter(({ header }) => header.from === fault.culprit);
  const isOfSession = ({ header }: SignedHash): boolean => equalBytes(header.session, session);
  const isTheLie = (piece: SignedHash): boolean => delivered.some((lie) => isOf(piece, lie));
  return [
    ...(ofCulprit.some(isTheLie) ? [] : ["evidence without the lie"]),
    ...(pieces.every(isOfSession) ? [] : ["evidence of another session"]),
    ...(fault.messages.every(isSigned) ? [] : ["evidence that its sender did not sign"]),
    ...(fault.messages.every(survivesItsCodec) ? [] : ["evidence that does not survive its codec"]),
  ].map((flaw) => `"${fault.check}" comes with ${flaw}`);
};

/**
 * How often each failed check of each protocol was verified: limited, since a verification costs more than
 * the check.
 */
const verified = new Map<string, number>();
const VERIFIED_MAX = 6;
/** For how many verifications of a check its evidence is also turned against every other party. */
const TURNED_MAX = 3;

/** The messages of a run: the delivered lies, and all sent envelopes. */
type Words = Pick<World<unknown>, "delivered" | "said">;

/** The flaws that a third party finds in an accusation: it must prove the fault, unless nobody can. */
const flawsForOthers = <Output>(
  {
    name,
    parties,
    attempt: fields,
    isOwnCheck = () => false,
    takesForeknowledge = () => false,
  }: AttackedProtocol<Output>,
  fault: Fault,
  { delivered, said }: Words,
): readonly string[] => {
  const { check, culprit, material } = fault;
  if (cannotBeShown(check) || isOwnCheck(check)) return [];
  const times = (verified.get(`${name}: ${check}`) ?? 0) + 1;
  verified.set(`${name}: ${check}`, times);
  if (times > VERIFIED_MAX) return [];
  const { attempt } = testAttempt(name, parties, fields);
  const verdict = verifyFault(evidenceOf(attempt, fault), testRoster(parties));
  if (verdict.kind === "unproven") return [`"${check}" convinces nobody else: ${verdict.why}`];
  if (verdict.culprit !== culprit || verdict.check !== check) return [`"${check}" proves something else`];
  if (times > TURNED_MAX || takesForeknowledge(check)) return [];
  // the same evidence, and all messages of the run, used to accuse the innocent parties
  const messages = [...delivered, ...said];
  const innocent = parties.filter((party) => party !== culprit);
  return innocent
    .filter((party) => isConvicted({ attempt, accused: party, check, messages, material }, parties))
    .map((party) => `"${check}" convicts honest party ${party} too`);
};

const isConvicted = (evidence: Evidence, parties: readonly PartyIndex[]): boolean =>
  verifyFault(evidence, testRoster(parties)).kind === "proven";

interface Observed {
  readonly party: PartyIndex;
  readonly session: Session<unknown>;
}

const flawsOf = <Output>(
  { party, session }: Observed,
  protocol: AttackedProtocol<Output>,
  words: Words,
): readonly string[] => {
  const { cheat } = protocol;
  const { outcome, config } = session;
  const by = (flaw: string): string => `party ${party}: ${flaw}`;
  if (outcome.kind === "abort") return [by(`an abort that names nobody: ${outcome.check}`)];
  if (outcome.kind !== "fault") return [];
  const { fault } = outcome;
  if (fault.culprit !== cheat) return [by(`blames honest party ${fault.culprit}: ${fault.check}`)];
  return [
    ...flawsOfEvidence(fault, config.session, words.delivered),
    ...flawsForOthers(protocol, fault, words),
  ].map(by);
};

/**
 * The violations at the end of a run: an honest party is blamed, an abort names nobody, an output is wrong,
 * or the lie lacks its required outcome. Empty when there are none.
 *
 * @param heard the parties that received the lie
 */
export const violationsOf = <Output>(
  protocol: AttackedProtocol<Output>,
  { sessions, ...words }: World<Output>,
  heard: readonly PartyIndex[],
  expected: Expected,
): readonly string[] => {
  const { cheat } = protocol;
  const honest = [...sessions]
    .map(([party, session]) => ({ party, session }))
    .filter(({ party }) => party !== cheat);
  const outputs = new Map(
    honest.flatMap(({ party, session: { outcome } }) =>
      outcome.kind === "output" ? [[party, outcome.output] as const] : [],
    ),
  );
  const naming = honest.filter(({ session }) => session.outcome.kind === "fault");
  const wrong = protocol.flawOf(outputs);
  const violations = [
    ...honest.flatMap((observed) => flawsOf(observed, protocol, words)),
    ...(wrong === undefined ? [] : [`a wrong output: ${wrong}`]),
  ];
  const waiting = honest.filter(({ party }) => heard.includes(party));
  const isNamed = naming.length > 0;
  const isHarmless = outputs.size === honest.length;
  const isAwaited = waiting.every(({ session }) => `${awaited(session)}` === `${cheat}`);
  const isMet = {
    named: isNamed,
    "named by all": naming.length === honest.length,
    "named or harmless": isNamed || isHarmless,
    "named or awaited": isNamed || isAwaited,
    harmless: isHarmless,
    awaited: isAwaited,
  } satisfies Record<Expected, boolean>;
  return isMet[expected] ? violations : [...violations, ...unlike(expected, honest)];
};

/** The endings of all parties, reported when another outcome was required. */
const unlike = (expected: Expected, observed: readonly Observed[]): readonly string[] =>
  observed.map(({ party, session }) => {
    const { kind } = session.outcome;
    const ending = kind === "running" ? `waits for ${awaited(session)}` : `ended with ${kind}`;
    return `not ${expected}: party ${party} ${ending}`;
  });
