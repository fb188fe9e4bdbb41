import { type Codec, convert, encode, struct, text, uint } from "../codec.ts";
import { type PartyIndex, partyCodec } from "../fault.ts";
import { type Material, materialCodec, NO_MATERIAL } from "../session/material.ts";
import type { Fault } from "../session/outcome.ts";
import {
  SIGNED_MESSAGES_MAX,
  type SignedMessage,
  signedHash,
  signedMessagesCodec,
} from "../session/signed-message.ts";
import { type Attempt, attemptCodec } from "./attempt.ts";

/**
 * All that anybody needs, besides the roster, to repeat the check that a party failed (verify-fault.ts). It
 * is not a claim: only messages that the accused signed in this very attempt count.
 */
export interface Evidence {
  readonly attempt: Attempt;
  readonly accused: PartyIndex;
  /** name of the check, such as "presign/2 Πaff-g of D" */
  readonly check: string;
  /** messages of the attempt's session, each signed by its sender */
  readonly messages: readonly SignedMessage[];
  readonly material: Material;
}

/**
 * The length of the longest evidence, in bytes: it is sent as one message. With 64 signers, the openings in a
 * dispute of presigning take some 18 MiB, and the messages behind a proof of auxiliary generation 6 MiB.
 */
export const EVIDENCE_BYTES_MAX: number = 20 * 1024 * 1024;
const CHECK_BYTES_MAX = 256;
/** Above every first byte of the older formats, which was 0 or 1. */
const FORMAT = 2;

interface Stored extends Evidence {
  readonly format: number;
}

/** Encodes evidence for stores, wires and third parties. */
export const evidenceCodec: Codec<Evidence> = convert(
  struct<Stored>({
    format: uint(1),
    attempt: attemptCodec,
    accused: partyCodec,
    check: text(CHECK_BYTES_MAX),
    messages: signedMessagesCodec,
    material: materialCodec,
  }),
  ({ format, ...evidence }) => (format === FORMAT ? evidence : undefined),
  (evidence) => ({ format: FORMAT, ...evidence }),
  "not evidence of this version",
);

const isByAccused = (message: SignedMessage, accused: PartyIndex): boolean =>
  signedHash(message).header.from === accused;

/**
 * The last round from which a check of auxiliary generation needs the others' broadcasts: 2 if it needs
 * openings; otherwise 1, whose broadcasts the accused echoed.
 */
const othersUpTo = (check: string): number => {
  const needsOpenings = check.startsWith("aux/3 ") || check.includes("moduli distinct");
  return needsOpenings ? 2 : 1;
};

/**
 * The received messages that a check needs. In auxiliary generation not all of them, since two of its
 * broadcasts have 100 KB each: the others' proofs show nothing about the accused, and their openings only the
 * joint randomness, or a shared modulus.
 */
const needed = (
  { protocol }: Attempt,
  { culprit, check, messages }: Pick<Fault, "culprit" | "check" | "messages">,
): readonly SignedMessage[] =>
  protocol === "auxiliary"
    ? messages.filter(
        (message) => isByAccused(message, culprit) || signedHash(message).header.round <= othersUpTo(check),
      )
    : messages;

/**
 * The evidence of a fault that ended a session: the messages and public values that the check needs. If all
 * of it does not fit, messages are left out, and the evidence proves nothing and blames nobody. Everything
 * that an honest signer receives fits.
 */
export const evidenceOf = (attempt: Attempt, fault: Fault): Evidence => {
  const { culprit, check, messages, material } = fault;
  const whole: Evidence = { attempt, accused: culprit, check, messages: needed(attempt, fault), material };
  const own = messages.filter((message) => isByAccused(message, culprit));
  const short: Evidence = { ...whole, messages: own, material: NO_MATERIAL };
  const bare: Evidence = { ...short, messages: own.map(signedHash).slice(0, SIGNED_MESSAGES_MAX) };
  return [whole, short].find(fits) ?? bare;
};

const fits = (evidence: Evidence): boolean =>
  evidence.messages.length <= SIGNED_MESSAGES_MAX &&
  encode(evidenceCodec, evidence).length <= EVIDENCE_BYTES_MAX;
