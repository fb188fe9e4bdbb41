import { decode, encode, uncompressedPointCodec } from "../../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { ciphertextCodec } from "../../paillier.ts";
import {
  commitmentProofsCodec,
  commitmentsCodec,
  conversionProofsCodec,
  conversionsCodec,
  disputeOpeningCodec,
  olderOpeningCodec,
  payloadBytesMax,
  revealCodec,
} from "../../presign/messages.ts";
import { presignatureCodec } from "../../presign/presignature.ts";
import { affineOperationProofCodec } from "../../proofs/affine-operation.ts";
import { elGamalLogProofCodec } from "../../proofs/elgamal-log.ts";
import { paillierElGamalProofCodec } from "../../proofs/paillier-elgamal.ts";
import { type Decoder, decoder } from "./decoder.ts";
import { presignatures, presigning } from "./honest-messages.ts";

const RECEIVERS = 1;
const POINTS = { bent: 1500 }; // each has some points
const limits = payloadBytesMax(parameters, RECEIVERS);
const { sent } = presigning;
const ciphertext = ciphertextCodec(2 * parameters.primeBits);

/** Openings of a disputed presigning. */
const openings = [1n, -(1n << 900n)].map((alpha) => ({
  k: 5n,
  gamma: 7n,
  plaintexts: [{ alpha, root: 11n }],
  offsets: [{ alpha: -alpha, root: 13n }],
}));

/** One part of every payload, encoded. */
const parts = <T, U>(
  payloads: readonly Uint8Array[],
  codec: Parameters<typeof decode<T>>[0],
  part: Parameters<typeof encode<U>>[0],
  of: (whole: T) => U,
): readonly Uint8Array[] =>
  payloads.map((payload) => {
    const whole = decode(codec, payload);
    if (!whole.ok) throw new Error(whole.reason);
    return encode(part, of(whole.value));
  });

export const presignDecoders: readonly Decoder[] = [
  decoder(
    "paillier.ts ciphertextCodec",
    ciphertext,
    parts(sent(1, "broadcast"), commitmentsCodec(parameters), ciphertext, ({ K }) => K),
  ),
  decoder("presign/messages.ts commitmentsCodec", commitmentsCodec(parameters), sent(1, "broadcast"), {
    ...POINTS,
    roundBytesMax: limits.round1,
  }),
  decoder("presign/messages.ts commitmentProofsCodec", commitmentProofsCodec(parameters), sent(1, "direct"), {
    ...POINTS,
    roundBytesMax: limits.round1,
  }),
  decoder(
    "presign/messages.ts conversionsCodec",
    conversionsCodec(parameters, RECEIVERS),
    sent(2, "broadcast"),
    { ...POINTS, roundBytesMax: limits.round2 },
  ),
  decoder("presign/messages.ts conversionProofsCodec", conversionProofsCodec(parameters), sent(2, "direct"), {
    ...POINTS,
    roundBytesMax: limits.round2,
  }),
  decoder("presign/messages.ts revealCodec", revealCodec, sent(3, "broadcast"), {
    ...POINTS,
    roundBytesMax: limits.round3,
  }),
  decoder(
    "presign/messages.ts disputeOpeningCodec",
    disputeOpeningCodec(parameters, RECEIVERS),
    openings.map((opening) => encode(disputeOpeningCodec(parameters, RECEIVERS), opening)),
    { roundBytesMax: limits.round4 },
  ),
  decoder(
    "presign/messages.ts olderOpeningCodec",
    olderOpeningCodec(parameters, RECEIVERS),
    openings.map((opening) => encode(olderOpeningCodec(parameters, RECEIVERS), { ...opening, offsets: [] })),
    { roundBytesMax: limits.round4 },
  ),
  decoder(
    "codec.ts uncompressedPointCodec",
    uncompressedPointCodec,
    presignatures.map(({ Gamma }) => encode(uncompressedPointCodec, Gamma)),
  ),
  decoder(
    "presign/presignature.ts presignatureCodec",
    presignatureCodec,
    presignatures.map((presignature) => encode(presignatureCodec, presignature)),
    { bent: 1000 },
  ),
  decoder(
    "proofs/paillier-elgamal.ts paillierElGamalProofCodec",
    paillierElGamalProofCodec(parameters),
    parts(
      sent(1, "direct"),
      commitmentProofsCodec(parameters),
      paillierElGamalProofCodec(parameters),
      ({ K }) => K,
    ),
    POINTS,
  ),
  decoder(
    "proofs/affine-operation.ts affineOperationProofCodec",
    affineOperationProofCodec(parameters),
    parts(
      sent(2, "direct"),
      conversionProofsCodec(parameters),
      affineOperationProofCodec(parameters),
      ({ key }) => key,
    ),
    POINTS,
  ),
  decoder(
    "proofs/elgamal-log.ts elGamalLogProofCodec",
    elGamalLogProofCodec,
    parts(sent(3, "broadcast"), revealCodec, elGamalLogProofCodec, ({ proof }) => proof),
    POINTS,
  ),
];
