import { auxiliaryOpeningCodec } from "../../auxiliary/opening.ts";
import { type Codec, fixedBytes, scalarCodec } from "../../codec.ts";
import { type Curve, ED25519, type GroupPoint, SECP256K1 } from "../../curve.ts";
import { commitmentMessageCodec } from "../../frost/round1.ts";
import { SCALAR_BYTES } from "../../group.ts";
import { statementCodec } from "../../import/statement.ts";
import { CONFIRMATION_BYTES } from "../../keygen/confirmation.ts";
import { keyOpeningBytes, keyOpeningCodec } from "../../keygen/opening.ts";
import { COMMITMENT_BYTES } from "../../opening.ts";
import type { Parameters } from "../../parameters.ts";
import {
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  revealCodec,
} from "../../presign/messages.ts";
import { noSmallFactorProofCodec } from "../../proofs/no-small-factor.ts";
import { blumModulusProofCodec } from "../../proofs/paillier-blum-modulus.ts";
import { schnorrCodec } from "../../proofs/schnorr.ts";
import { dealingOpeningBytes, dealingOpeningCodec } from "../../redistribution/messages.ts";
import { ENVELOPE_KIND, type Envelope, signEnvelope } from "../../session/envelope.ts";
import { SEAL_BYTES } from "../../session/seal.ts";
import { SIGNING_ROUND } from "../../sign/round1.ts";
import { fieldsOf } from "./traced-field.ts";

const SIGNERS_MAX = 20;

type Reader = Pick<Codec<unknown>, "read">;

/** The prefixes of checks' names, such as "aux" of "aux/3 Πmod". */
type Protocol = "aux" | "keygen" | "import" | "refresh" | "reshare" | "presign" | "sign" | "frost";

/** A message of a protocol in which a running signer can be made to lie. */
interface BendableMessage {
  readonly protocol: Protocol;
  readonly round: number;
  readonly kind: "broadcast" | "direct";
  /** paths without the indices of lists; if the message is one field, a name for it */
  readonly fields: readonly string[];
  /** codecs of the message: one of them reads the payload */
  readonly readers: (parameters: Parameters, payloadBytes: number) => readonly Reader[];
}

const PROOF_OF_LOG = ["proof.A", "proof.N", "proof.B", "proof.z", "proof.u"] as const;
const under = (part: string, fields: string): readonly string[] =>
  fields.split(" ").map((field) => `${part}.${field}`);

const whole = (protocol: Protocol, round: number, field: string, reader: Reader): BendableMessage => ({
  protocol,
  round,
  kind: "broadcast",
  fields: [field],
  readers: () => [reader],
});

/** A share dealt to one party. Its sender cannot read it again, so the lie is a seal that does not open. */
const dealt = (protocol: Protocol, round: number): BendableMessage => ({
  protocol,
  round,
  kind: "direct",
  fields: ["share"],
  readers: () => [fixedBytes(SEAL_BYTES + SCALAR_BYTES)],
});

/** The codecs that fit the payload's length, for a message with a curve and as many points as the threshold. */
const ofThresholds = (
  payloadBytes: number,
  bytes: <P extends GroupPoint<P>>(curve: Curve<P>, threshold: number) => number,
  reader: <P extends GroupPoint<P>>(curve: Curve<P>, threshold: number) => Reader,
): readonly Reader[] =>
  Array.from({ length: SIGNERS_MAX }, (_, at) => at + 1).flatMap((threshold) => [
    ...(bytes(SECP256K1, threshold) === payloadBytes ? [reader(SECP256K1, threshold)] : []),
    ...(bytes(ED25519, threshold) === payloadBytes ? [reader(ED25519, threshold)] : []),
  ]);

/** The four rounds that deal a key anew. @param before the number of the last round before them */
const dealing = (protocol: Protocol, before: number): readonly BendableMessage[] => [
  whole(protocol, before + 1, "commitment", fixedBytes(COMMITMENT_BYTES)),
  {
    protocol,
    round: before + 2,
    kind: "broadcast",
    fields: ["coefficients", "mask"],
    readers: (_, payloadBytes) => ofThresholds(payloadBytes, dealingOpeningBytes, dealingOpeningCodec),
  },
  dealt(protocol, before + 2),
  {
    protocol,
    round: before + 3,
    kind: "broadcast",
    fields: ["commitment", "response"],
    readers: () => [schnorrCodec(SECP256K1), schnorrCodec(ED25519)],
  },
  whole(protocol, before + 4, "confirmation", fixedBytes(CONFIRMATION_BYTES)),
];

const BENDABLE: readonly BendableMessage[] = [
  whole("aux", 1, "commitment", fixedBytes(COMMITMENT_BYTES)),
  {
    protocol: "aux",
    round: 2,
    kind: "broadcast",
    fields: ["n", "nHat", "s", "t", "proof.commitments", "proof.responses", "rho", "mask"],
    readers: (parameters) => [auxiliaryOpeningCodec(parameters)],
  },
  {
    protocol: "aux",
    round: 3,
    kind: "broadcast",
    fields: ["w", "answers.x", "answers.a", "answers.b", "answers.z"],
    readers: (parameters) => [blumModulusProofCodec(parameters)],
  },
  {
    protocol: "aux",
    round: 3,
    kind: "direct",
    fields: ["commitmentP", "commitmentQ", "a", "b", "t", "z1", "z2", "w1", "w2", "v"],
    readers: (parameters) => [noSmallFactorProofCodec(parameters)],
  },
  whole("keygen", 1, "commitment", fixedBytes(COMMITMENT_BYTES)),
  {
    protocol: "keygen",
    round: 2,
    kind: "broadcast",
    fields: ["rid", "polynomial", "schnorr", "mask", "chainCode"],
    readers: (_, payloadBytes) => ofThresholds(payloadBytes, keyOpeningBytes, keyOpeningCodec),
  },
  dealt("keygen", 2),
  whole("keygen", 3, "schnorr", fixedBytes(SCALAR_BYTES)),
  whole("keygen", 4, "confirmation", fixedBytes(CONFIRMATION_BYTES)),
  {
    protocol: "import",
    round: 1,
    kind: "broadcast",
    fields: [
      "agreed.terms",
      "agreed.public_shares",
      "agreed.chain_code",
      "proof.commitment",
      "proof.response",
    ],
    readers: () => [statementCodec(SECP256K1), statementCodec(ED25519)],
  },
  ...dealing("import", 1),
  ...dealing("refresh", 0),
  ...dealing("reshare", 0),
  {
    protocol: "presign",
    round: 1,
    kind: "broadcast",
    fields: ["K", "G", "Y", "A1", "A2", "B1", "B2"],
    readers: (parameters) => [commitmentsCodec(parameters)],
  },
  {
    protocol: "presign",
    round: 1,
    kind: "direct",
    fields: [...under("K", "S T D Y Z z1 z2 z3 w"), ...under("G", "S T D Y Z z1 z2 z3 w")],
    readers: (parameters) => [commitmentProofsCodec(parameters)],
  },
  {
    protocol: "presign",
    round: 2,
    kind: "broadcast",
    fields: ["Gamma", ...PROOF_OF_LOG, ...under("pairs.nonce", "D F"), ...under("pairs.key", "D F")],
    readers: (parameters) =>
      Array.from({ length: SIGNERS_MAX - 1 }, (_, more) => conversionsCodec(parameters, more + 1)),
  },
  {
    protocol: "presign",
    round: 2,
    kind: "direct",
    fields: [
      ...under("nonce", "A Bx By E S F T z1 z2 z3 z4 w wY"),
      ...under("key", "A Bx By E S F T z1 z2 z3 z4 w wY"),
    ],
    readers: (parameters) => [conversionProofsCodec(parameters)],
  },
  {
    protocol: "presign",
    round: 3,
    kind: "broadcast",
    fields: ["Gamma", "delta", "S", "Delta", ...PROOF_OF_LOG],
    readers: () => [revealCodec],
  },
  whole("sign", SIGNING_ROUND, "sigma", scalarCodec),
  {
    protocol: "frost",
    round: 1,
    kind: "broadcast",
    fields: ["request", "hiding", "binding"],
    readers: () => [commitmentMessageCodec(SECP256K1), commitmentMessageCodec(ED25519)],
  },
  whole("frost", 2, "z", fixedBytes(SCALAR_BYTES)),
];

const placeOf = ({ protocol, round }: BendableMessage): string => `${protocol}/${round}`;

/** Every field of every message in which a running signer can be made to lie, such as "presign/2.pairs.nonce.D". */
export const LIES: readonly string[] = [
  ...new Set(BENDABLE.flatMap((message) => message.fields.map((field) => `${placeOf(message)}.${field}`))),
];

/** A lie that has a name. */
export interface NamedLie {
  readonly protocol: Protocol;
  readonly round: number;
  /**
   * The envelope with the field changed, signed again; undefined when the envelope is not the message.
   * @param identitySecret of the sender, Ed25519
   */
  readonly bend: (
    envelope: Envelope,
    parameters: Parameters,
    identitySecret: Uint8Array,
  ) => Envelope | undefined;
}

type NamedLieResult =
  | { readonly ok: true; readonly value: NamedLie }
  | { readonly ok: false; readonly reason: string };

/**
 * Finds a lie by protocol, round and field. The end of a field's path is enough: presign/2.D is the first D
 * of the round's broadcast.
 */
export const lieNamed = (name: string): NamedLieResult => {
  const isExact = (message: BendableMessage) => (field: string) => `${placeOf(message)}.${field}` === name;
  const isEnd = (message: BendableMessage) => (field: string) => {
    const [place, end] = [`${placeOf(message)}.`, name.slice(placeOf(message).length + 1)];
    return name.startsWith(place) && end !== "" && field.endsWith(`.${end}`);
  };
  for (const matches of [isExact, isEnd]) {
    for (const message of BENDABLE) {
      const field = message.fields.find(matches(message));
      if (field !== undefined) return { ok: true, value: lieIn(message, field) };
    }
  }
  return { ok: false, reason: `no signer lies in ${name}; there are ${LIES.join(", ")}` };
};

const lieIn = (message: BendableMessage, field: string): NamedLie => ({
  protocol: message.protocol,
  round: message.round,
  bend: (envelope, parameters, identitySecret) => {
    const { payload, session, round, kind, from, to } = envelope;
    if (round !== message.round || kind !== ENVELOPE_KIND[message.kind]) return undefined;
    const at = lastByteOf(message, field, payload, parameters);
    if (at === undefined) return undefined;
    const bent = payload.with(at, (payload[at] ?? 0) ^ 1);
    return signEnvelope({ session, round, kind, from, to }, bent, identitySecret);
  },
});

/** The position of the field's last byte in a payload; undefined when the payload is not the message. */
const lastByteOf = (
  message: BendableMessage,
  field: string,
  payload: Uint8Array,
  parameters: Parameters,
): number | undefined => {
  const isField = (path: string): boolean =>
    message.fields.length === 1 || path.replace(/\.\d+\b/g, "") === field;
  for (const reader of message.readers(parameters, payload.length)) {
    try {
      const found = fieldsOf(reader, payload).find(({ path }) => isField(path));
      if (found !== undefined) return found.offset + found.length - 1;
    } catch {
      // the codec is for another number of signers, or another curve
    }
  }
  return undefined;
};
