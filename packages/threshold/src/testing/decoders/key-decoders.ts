import { encode, pointCodecOf, scalarCodecOf } from "../../codec.ts";
import { type GroupPoint, multiplyGenerator, sampleScalarOf } from "../../curve.ts";
import { keyShareCodec, publicKeyInfoCodec } from "../../keygen/key-share.ts";
import { startKeyGeneration } from "../../keygen/keygen.ts";
import { keyOpeningBytes, keyOpeningCodec } from "../../keygen/opening.ts";
import { proveSchnorr, schnorrCodec } from "../../proofs/schnorr.ts";
import { CGGMP24, FROST_ED25519, type Scheme } from "../../scheme.ts";
import { outputsOf } from "../presigning.ts";
import { seededEntropy } from "../seeded-entropy.ts";
import { testSessionId } from "../session-network.ts";
import { type Decoder, decoder } from "./decoder.ts";
import { record, two } from "./honest-messages.ts";

/**
 * Numbers of test strings, by the cost of a point of the curve: on Ed25519 a check of its order takes a
 * millisecond.
 */
interface StringCounts {
  readonly ofPoint: number;
  readonly ofOpening: number;
  readonly ofKey: number;
  /** length of a point: a shorter message that begins with a point is refused at little cost */
  readonly pointBytes: number;
}

const THRESHOLD = 2;

const decodersOf = <P extends GroupPoint<P>>(scheme: Scheme<P>, counts: StringCounts): readonly Decoder[] => {
  const { curve } = scheme;
  const form = curve.name;
  const session = testSessionId(`decoders of ${scheme.name}`);
  const run = record((self) =>
    startKeyGeneration({ session, self, parties: two, threshold: THRESHOLD, keyId: "key", epoch: 7, scheme }),
  );
  const keys = [...outputsOf(run.outcomes).values()];
  const entropy = seededEntropy(`decoders of ${scheme.name}`);
  const witness = sampleScalarOf(curve, entropy);
  const point = multiplyGenerator(curve, witness);
  const proof = proveSchnorr(
    curve,
    { session, epoch: 0, prover: 1, verifier: "all", position: "decoders" },
    { point, salt: session },
    witness,
    entropy,
  );
  const first = { form, bent: counts.ofPoint, cheapBytes: counts.pointBytes };
  return [
    decoder("codec.ts scalarCodecOf", scalarCodecOf(curve), run.sent(3, "broadcast"), {
      form,
      roundBytesMax: 32,
    }),
    decoder("codec.ts pointCodecOf", pointCodecOf(curve), [encode(pointCodecOf(curve), point)], first),
    decoder(
      "proofs/schnorr.ts schnorrCodec",
      schnorrCodec(curve),
      [encode(schnorrCodec(curve), proof)],
      first,
    ),
    decoder(
      "keygen/opening.ts keyOpeningCodec",
      keyOpeningCodec(curve, THRESHOLD),
      run.sent(2, "broadcast"),
      {
        form,
        bent: counts.ofOpening,
        cheapBytes: counts.pointBytes + 32,
        roundBytesMax: keyOpeningBytes(curve, THRESHOLD),
      },
    ),
    decoder(
      "keygen/key-share.ts publicKeyInfoCodec",
      publicKeyInfoCodec(scheme),
      keys.map(({ info }) => encode(publicKeyInfoCodec(scheme), info)),
      { form, bent: counts.ofKey },
    ),
    decoder(
      "keygen/key-share.ts keyShareCodec",
      keyShareCodec(scheme),
      keys.map((key) => encode(keyShareCodec(scheme), key)),
      { form, bent: counts.ofKey },
    ),
  ];
};

export const keyDecoders: readonly Decoder[] = [
  ...decodersOf(CGGMP24, {
    ofPoint: 4000,
    ofOpening: 3000,
    ofKey: 1500,
    pointBytes: Number.POSITIVE_INFINITY,
  }),
  ...decodersOf(FROST_ED25519, { ofPoint: 1000, ofOpening: 400, ofKey: 300, pointBytes: 32 }),
];
