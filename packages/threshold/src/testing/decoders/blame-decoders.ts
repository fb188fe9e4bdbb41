import { publicAuxiliaryCodec } from "../../auxiliary/public-auxiliary.ts";
import { attemptCodec } from "../../blame/attempt.ts";
import { evidenceCodec } from "../../blame/evidence.ts";
import { encode } from "../../codec.ts";
import { importTermsCodec } from "../../import/terms.ts";
import { INSECURE_TEST_PARAMETERS as parameters } from "../../insecure-test-parameters.ts";
import { CGGMP24 } from "../../scheme.ts";
import { type Material, materialCodec, NO_MATERIAL } from "../../session/material.ts";
import { signedHash, signedMessagesCodec } from "../../session/signed-message.ts";
import { alice, bob, honestToss, tossers } from "../coin-toss-run.ts";
import { insecureAuxiliaryInfo, testParties } from "../insecure-auxiliary.ts";
import { insecureKeyShares } from "../insecure-key-shares.ts";
import { testAttempt } from "../mutation/attempts.ts";
import { type Decoder, decoder } from "./decoder.ts";

const messages = honestToss.sent.slice(0, 4).flatMap((envelope) => [envelope, signedHash(envelope)]);
const { attempt } = testAttempt("decoders", tossers, {
  protocol: "presigning",
  agreed: [new Uint8Array(32), new Uint8Array(32)],
});
const material: Material = { ...NO_MATERIAL, key: Uint8Array.of(1, 2), presigning: messages };
const evidence = { attempt, accused: bob, check: "presign/3 Γ", messages, material };
const auxiliaries = [...insecureAuxiliaryInfo(testParties(2)).values()];
const [share] = insecureKeyShares(2, tossers).values();
const publicShares = [...(share?.info.publicShares.values() ?? [])];
const assignment = new Map([
  [alice, 2],
  [bob, 1],
]);
const chainCodes = [undefined, new Uint8Array(32)];

export const blameDecoders: readonly Decoder[] = [
  decoder("blame/attempt.ts attemptCodec", attemptCodec, [encode(attemptCodec, attempt)]),
  decoder("blame/evidence.ts evidenceCodec", evidenceCodec, [encode(evidenceCodec, evidence)]),
  decoder("session/material.ts materialCodec", materialCodec, [encode(materialCodec, material)]),
  decoder("session/signed-message.ts signedMessagesCodec", signedMessagesCodec, [
    encode(signedMessagesCodec, messages),
  ]),
  decoder(
    "auxiliary/public-auxiliary.ts publicAuxiliaryCodec",
    publicAuxiliaryCodec(parameters),
    auxiliaries.map((info) => encode(publicAuxiliaryCodec(parameters), info)),
  ),
  decoder(
    "import/terms.ts importTermsCodec",
    importTermsCodec(CGGMP24.curve),
    chainCodes.map((chainCode) =>
      encode(importTermsCodec(CGGMP24.curve), { assignment, publicShares, chainCode }),
    ),
  ),
];
