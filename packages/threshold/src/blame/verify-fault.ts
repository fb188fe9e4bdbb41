import { isEnvelope, SIGNED_MESSAGES_MAX } from "../session/signed-message.ts";
import { attemptSession, type IdentityRoster, isAscending } from "./attempt.ts";
import { cannotBeShown } from "./cannot-be-shown.ts";
import { EVIDENCE_BYTES_MAX, type Evidence } from "./evidence.ts";
import { levelOf } from "./level.ts";
import { protocolFaultsOf } from "./protocol-faults.ts";
import { failsInSession } from "./session-faults.ts";
import { isSignedFor, NotShown, notShown, type SignedRecord } from "./signed-record.ts";
import type { Verdict } from "./verdict.ts";

const bytesOf = ({ messages, material }: Evidence): number => {
  const { key, auxiliary, message, presigning } = material;
  const sealed = [...messages, ...presigning].filter(isEnvelope);
  const publics = key.length + auxiliary.length + message.length;
  return sealed.reduce((sum, { payload }) => sum + payload.length, publics);
};

/** Reads evidence in the order of cost: sizes, then parties, then the session, then signatures (P13). */
const readRecord = (evidence: Evidence, roster: IdentityRoster): SignedRecord => {
  const { attempt, accused, messages, material } = evidence;
  if (messages.length > SIGNED_MESSAGES_MAX || bytesOf(evidence) > EVIDENCE_BYTES_MAX) {
    return notShown("the evidence is larger than any that a signer makes");
  }
  if (!isAscending(attempt.parties)) return notShown("the parties of the session are not ascending");
  if (!attempt.parties.includes(accused)) return notShown("the accused was no party of the session");
  const parameters = levelOf(attempt.level);
  if (parameters === undefined) return notShown("the security level is unknown");
  const session = attemptSession(attempt, roster);
  if (session === undefined) return notShown("a party of the session is not in the roster");
  const isForeign = messages.some((message) => !isSignedFor(roster, attempt.parties, session, message));
  if (isForeign) return notShown("a message is of another session, or not signed by a party of this one");
  return { attempt, session, accused, parameters, roster, material, messages };
};

const ROUND = /^round (\d{1,3}): /;

const fails = (record: SignedRecord, check: string): boolean => {
  const [, round] = ROUND.exec(check) ?? [];
  return round === undefined
    ? protocolFaultsOf(record, check).includes(check)
    : failsInSession(record, Number(round), check);
};

const sentenceOf = ({ attempt, accused }: SignedRecord, check: string): string => {
  const of = attempt.keyId === "" ? "" : ` of key ${attempt.keyId}`;
  return `Party ${accused} deviated from the protocol in a session for ${attempt.protocol}${of}: ${inWords(check)}.`;
};

const inWords = (check: string): string => `what it signed fails the check "${check}"`;

/**
 * Repeats the check that the accused supposedly failed, from signed bytes alone: everybody with the roster
 * reaches the same verdict. The session id is computed from the attempt, so messages of another attempt do
 * not count. Sealed messages, silence and the word of another party convict nobody (INV-7). Never throws.
 *
 * @param evidence from anybody, untrusted
 */
export const verifyFault = (evidence: Evidence, roster: IdentityRoster): Verdict => {
  const { accused, check } = evidence;
  const unproven = (why: string): Verdict => ({ kind: "unproven", why });
  if (cannotBeShown(check)) return unproven("only the receiver of a sealed message can check it");
  try {
    const record = readRecord(evidence, roster);
    return fails(record, check)
      ? { kind: "proven", culprit: accused, check, sentence: sentenceOf(record, check) }
      : unproven(`party ${accused} passes the check "${check}"`);
  } catch (error) {
    // evidence that cannot be checked proves nothing, for any reason
    return unproven(error instanceof NotShown ? error.message : "the evidence is malformed");
  }
};
