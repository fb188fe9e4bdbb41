import { auxiliaryInfoCodec } from "../../auxiliary/auxiliary-info.ts";
import { auxiliaryOpeningBytesMax, auxiliaryOpeningCodec } from "../../auxiliary/opening.ts";
import { decode, encode } from "../../codec.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { noSmallFactorProofBytesMax, noSmallFactorProofCodec } from "../../proofs/no-small-factor.ts";
import { blumModulusProofBytesMax, blumModulusProofCodec } from "../../proofs/paillier-blum-modulus.ts";
import { ringPedersenProofCodec } from "../../proofs/ring-pedersen-parameters.ts";
import { outputsOf } from "../presigning.ts";
import { type Decoder, decoder } from "./decoder.ts";
import { auxiliaryGeneration } from "./honest-messages.ts";

const { sent, outcomes } = auxiliaryGeneration;

const ringPedersenProofs = sent(2, "broadcast").map((payload) => {
  const opening = decode(auxiliaryOpeningCodec(parameters), payload);
  if (!opening.ok) throw new Error(opening.reason);
  return encode(ringPedersenProofCodec(parameters), opening.value.proof);
});

const infos = [...outputsOf(outcomes).values()].map((info) => encode(auxiliaryInfoCodec(parameters), info));

export const auxiliaryDecoders: readonly Decoder[] = [
  decoder(
    "auxiliary/opening.ts auxiliaryOpeningCodec",
    auxiliaryOpeningCodec(parameters),
    sent(2, "broadcast"),
    {
      roundBytesMax: auxiliaryOpeningBytesMax(parameters),
    },
  ),
  decoder(
    "proofs/ring-pedersen-parameters.ts ringPedersenProofCodec",
    ringPedersenProofCodec(parameters),
    ringPedersenProofs,
  ),
  decoder(
    "proofs/paillier-blum-modulus.ts blumModulusProofCodec",
    blumModulusProofCodec(parameters),
    sent(3, "broadcast"),
    { roundBytesMax: blumModulusProofBytesMax(parameters) },
  ),
  decoder(
    "proofs/no-small-factor.ts noSmallFactorProofCodec",
    noSmallFactorProofCodec(parameters),
    sent(3, "direct"),
    { roundBytesMax: noSmallFactorProofBytesMax(parameters) },
  ),
  decoder("auxiliary/auxiliary-info.ts auxiliaryInfoCodec", auxiliaryInfoCodec(parameters), infos, {
    bent: 1500,
  }),
];
